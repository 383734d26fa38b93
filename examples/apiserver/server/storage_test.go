package server_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	imagev1 "github.com/openshift/api/image/v1"
	"go.etcd.io/etcd/server/v3/embed"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

func TestRestartKeepsData(t *testing.T) {
	t.Parallel()
	e := boot(t, preserve)
	want := e.create(t, stream("kept", tag("a", "")))
	before := e.Config()
	watch, err := client.NewWithWatch(e.Config(), client.Options{Scheme: testScheme(t)})
	if err != nil {
		t.Fatal(err)
	}
	// A watch that is open is no reason not to stop.
	w, err := watch.Watch(t.Context(), &imagev1.ImageStreamList{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	// Restart fails if the server does not stop when it is asked to.
	if err := e.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, e.get(t, "kept")); diff != "" {
		t.Errorf("after the restart (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before.Host+before.BearerToken+string(before.CAData), e.Config().Host+e.Config().BearerToken+string(e.Config().CAData)); diff != "" {
		t.Errorf("the credentials (-before +after):\n%s", diff)
	}
}

// TestKill holds that what was acknowledged is there after a kill -9, whatever
// the moment.
func TestKill(t *testing.T) {
	t.Parallel()
	const rounds, writers, writesPerRound = 6, 4, 20 // make soak has a thousand
	e := boot(t, preserve, func(o *launch.Options) { o.Command = testserver.Command(t) })

	// The last acknowledged state of each object, and one that was asked for and
	// may or may not have come to be.
	type state struct{ acknowledged, asked string }
	acknowledged := map[string]*state{}
	var mu sync.Mutex
	total := 0
	for round := range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		// Enough writes are acknowledged in each round to prove something, however
		// slow the machine is.
		enough := make(chan struct{})
		wanted := total + writesPerRound
		var group sync.WaitGroup
		for writer := range writers {
			group.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					name := fmt.Sprintf("s-%d-%d-%d", round, writer, n)
					s := stream(name, tag("a", ""))
					for step := range 3 {
						value := fmt.Sprint(step)
						s.Annotations = map[string]string{"step": value}
						mu.Lock()
						if acknowledged[name] == nil {
							acknowledged[name] = &state{}
						}
						acknowledged[name].asked = value
						mu.Unlock()
						var err error
						if step == 0 {
							err = e.Create(ctx, s)
						} else {
							err = e.Update(ctx, s)
						}
						if err != nil {
							var answered apierrors.APIStatus
							if errors.As(err, &answered) && ctx.Err() == nil {
								t.Errorf("round %d: %s: %v", round, name, err)
							}
							return
						}
						mu.Lock()
						acknowledged[name].acknowledged = value
						if total++; total == wanted {
							close(enough)
						}
						mu.Unlock()
					}
				}
			})
		}
		// The moments of the kills are spread over what a write takes.
		select {
		case <-enough:
		case <-time.After(time.Minute):
			t.Errorf("round %d: not %d writes within a minute", round, writesPerRound)
		}
		time.Sleep(time.Duration(round) * 4 * time.Millisecond)
		if err := e.Kill(); err != nil {
			t.Fatal(err)
		}
		cancel()
		group.Wait()
		if err := e.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		var list imagev1.ImageStreamList
		if err := e.List(t.Context(), &list, client.InNamespace("demo")); err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for i := range list.Items {
			found[list.Items[i].Name] = list.Items[i].Annotations["step"]
			if got := states(&list.Items[i]); len(got) != 1 || got[0].Mode != preserve {
				t.Errorf("round %d: %s has the tags %v", round, list.Items[i].Name, got)
			}
		}
		for name, s := range acknowledged {
			if got := found[name]; got != s.acknowledged && got != s.asked {
				t.Errorf("round %d: %s: stored step %q, acknowledged %q, asked %q", round, name, got, s.acknowledged, s.asked)
			}
			// What is there now stays, acknowledged or not.
			s.acknowledged, s.asked = found[name], found[name]
		}
		for name := range found {
			if acknowledged[name] == nil {
				t.Errorf("round %d: %s is there and nobody asked for it", round, name)
			}
		}
	}
	t.Logf("%d rounds, %d acknowledged writes to %d objects", rounds, total, len(acknowledged))
}

// TestEtcdServers runs the apiserver on an etcd of somebody else's.
func TestEtcdServers(t *testing.T) {
	t.Parallel()
	config := embed.NewConfig()
	config.Dir = t.TempDir()
	local := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config.ListenClientUrls = local
	config.ListenPeerUrls = nil
	config.TickMs, config.ElectionMs = 10, 100
	config.LogLevel = "panic"
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	<-etcd.Server.ReadyNotify()
	endpoint := "http://" + etcd.Clients[0].Addr().String()

	e := boot(t, preserve, func(o *launch.Options) { o.EtcdServers = []string{endpoint} })
	e.create(t, stream("there", tag("a", "")))
	e.stored(t, "there")
	if found, err := filepath.Glob(filepath.Join(filepath.Dir(e.Kubeconfig()), "etcd")); err != nil || len(found) > 0 {
		t.Errorf("an embedded etcd ran too: %v %v", found, err)
	}
	// A second apiserver on the same storage serves the same.
	other := boot(t, legacy, func(o *launch.Options) { o.EtcdServers = []string{endpoint} })
	if diff := cmp.Diff([]tagState{{"a", preserve, 1}}, states(other.get(t, "there"))); diff != "" {
		t.Errorf("through another apiserver (-want +got):\n%s", diff)
	}
}
