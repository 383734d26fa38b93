package faults_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/etcdtest"
)

// onEtcd are the flags of a server in front of that etcd.
func onEtcd(t *testing.T, cluster *etcdtest.Cluster, authority *etcdtest.Authority) []string {
	t.Helper()
	pair := authority.Issue(t, "apiserver")
	return []string{"--etcd-servers=" + strings.Join(cluster.Endpoints(), ","), "--etcd-cafile=" + authority.File, "--etcd-certfile=" + pair.CertFile, "--etcd-keyfile=" + pair.KeyFile}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// askOnce makes a client take the first answer: client-go asks again ten times where it
// is told when.
func askOnce(config *rest.Config) {
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			response, err := next.RoundTrip(r)
			if err == nil {
				response.Header.Del("Retry-After")
			}
			return response, err
		})
	})
}

// silent wants that reads and writes are answered in time: that etcd does not, and
// that they may be tried again.
func silent(t *testing.T, c client.Client, j *journal, when string) {
	t.Helper()
	var group sync.WaitGroup
	defer group.Wait()
	ask := func(what string, do func() error) {
		began := time.Now()
		err := do()
		took := time.Since(began)
		t.Logf("%s, a %s is answered after %s: %v", when, what, took.Round(time.Millisecond), err)
		if !apierrors.IsTimeout(err) && !apierrors.IsServerTimeout(err) || !strings.Contains(err.Error(), "etcd") || !strings.Contains(err.Error(), "try again") {
			t.Errorf("%s, a %s gets %v, which does not say that etcd is silent", when, what, err)
		}
		if most := limit() * 3 / 2; took > most {
			t.Errorf("%s, a %s took %s, want at most %s", when, what, took, most)
		}
	}
	group.Go(func() { ask("write", func() error { return j.create(t.Context(), c, "meanwhile", "1") }) })
	group.Go(func() {
		ask("read", func() error {
			return c.Get(t.Context(), client.ObjectKey{Namespace: "demo", Name: "before"}, new(imagev1.ImageStream))
		})
	})
	group.Go(func() { ask("list", func() error { return c.List(t.Context(), new(imagev1.ImageStreamList)) }) })
}

// servesOn wants that writes are taken again, soon and without help.
func servesOn(t *testing.T, c client.Client, j *journal) {
	t.Helper()
	began := time.Now()
	for n := 0; ; n++ {
		err := j.create(t.Context(), c, fmt.Sprintf("after-%d", n), "1")
		if err == nil {
			break
		}
		if time.Since(began) > limit() {
			t.Fatalf("etcd is back since %s, and a write gets %v", time.Since(began), err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("etcd is back, and a write was taken after %s", time.Since(began).Round(time.Millisecond))
	j.check(t, c)
}

// TestEtcdGone takes the etcd away that a server is in front of.
func TestEtcdGone(t *testing.T) {
	t.Parallel()
	authority := etcdtest.NewAuthority(t, "etcd")
	cluster := etcdtest.Start(t, 1, authority)
	p := start(t, onEtcd(t, cluster, authority)...)
	c, j := p.client(t, askOnce), newJournal()
	if err := j.create(t.Context(), c, "before", "1"); err != nil {
		t.Fatal(err)
	}
	cluster.Members[0].Kill(t)
	silent(t, c, j, "without etcd")
	cluster.Members[0].Start(t)
	cluster.Members[0].WaitReady(t)
	servesOn(t, c, j)
	// Without etcd it ends as fast.
	cluster.Members[0].Kill(t)
	p.signal(t, syscall.SIGTERM)
	p.wait(t)
	p.nothingLeft(t)
}

// TestNoLeader leaves one member of three, which listens and can decide nothing.
func TestNoLeader(t *testing.T) {
	t.Parallel()
	authority := etcdtest.NewAuthority(t, "etcd")
	cluster := etcdtest.Start(t, 3, authority)
	args := onEtcd(t, cluster, authority)
	p := start(t, args...)
	c, j := p.client(t, askOnce), newJournal()
	if err := j.create(t.Context(), c, "before", "1"); err != nil {
		t.Fatal(err)
	}
	last := cluster.Members[0]
	for _, m := range cluster.Members[1:] {
		m.Kill(t)
	}
	for deadline := time.Now().Add(limit()); cluster.Leader(t, last) != nil; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("there is a leader of one member")
		}
	}
	t.Run("meanwhile", func(t *testing.T) {
		t.Run("at the start", func(t *testing.T) {
			t.Parallel()
			start(t, args...).refuses(t, "--etcd-servers", last.Endpoint+": it has no leader", "more than half", cluster.Members[1].Endpoint, "connection refused")
		})
		t.Run("while it serves", func(t *testing.T) {
			t.Parallel()
			silent(t, c, j, "without a leader")
		})
	})
	cluster.Members[1].Start(t)
	cluster.Members[1].WaitReady(t)
	servesOn(t, c, j)
	p.stop(t)
}
