package ha_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	clientv3 "go.etcd.io/etcd/client/v3"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/internal/etcdtest"
	"github.com/polyarch/polyarch/examples/internal/registry"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// A setup is the whole of it, with writers that go on through all faults.
type setup struct {
	*testing.T
	etcd    *etcdtest.Cluster
	servers []*apiServer
	journal *journal
}

// TestHighAvailability has one cluster for everything, since starting it takes longer
// than most of its faults.
func TestHighAvailability(t *testing.T) {
	images, err := registry.Start(registry.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { images.Close() })
	image := images.Host + "/demo/image:latest"
	testimages.Push(t, image, testimages.Multi(t, "a", "amd64", "arm64"))

	authority := etcdtest.NewAuthority(t, "etcd authority")
	s := &setup{T: t, etcd: etcdtest.Start(t, 3, authority), journal: newJournal()}
	t.Run("certificates", func(t *testing.T) { testCertificates(t, s.etcd, authority) })

	// The storage is empty: both want to make the same definitions.
	s.servers = bootAll(t, s.etcd, authority, "a", "b")
	for _, server := range s.servers {
		server.connect(t)
		if code, err := get(t.Context(), server.Config(), "/readyz"); code != 200 || err != nil {
			t.Errorf("%s: /readyz: %d, %v", server.name, code, err)
		}
	}
	stop := startWriters(t, s.servers, s.journal, image, 4)
	defer stop()
	s.progress("before any fault", 10)

	for _, phase := range []struct {
		name string
		play func()
	}{
		{"the leader is killed", func() { s.kill(s.leader(nil)) }},
		{"a follower is killed", func() { s.kill(s.other(s.leader(nil))) }},
		{"the leader is stalled", s.stallLeader},
		{"the API servers are rolled", s.roll},
	} {
		s.journal.resetPauses()
		begin := time.Now()
		phase.play()
		s.check(phase.name)
		t.Logf("%s: %s, longest pauses between two acknowledged writes: %v", phase.name, time.Since(begin).Round(time.Millisecond), s.journal.resetPauses())
		if t.Failed() {
			return
		}
	}
	stop()
	s.check("at the end")
	s.compareMembers()
	s.journal.count(func(j *journal) bool {
		for _, server := range s.servers {
			t.Logf("%s told clients %d times to try again: %q", server.name, len(server.refusals), slices.Compact(slices.Sorted(slices.Values(server.refusals))))
		}
		t.Logf("acknowledged writes: %v; tags: %d; new tags whose mode only one server in one configuration can have decided: %v", j.answers, len(j.acknowledged), j.decided)
		return true
	})
}

// kill ends a member without notice, and lets it come back when the others have gone on.
func (s *setup) kill(m *etcdtest.Member) {
	m.Kill(s.T)
	s.leader(m)
	s.progress("while "+m.Name+" is gone", 10)
	m.Start(s.T)
	m.WaitReady(s.T)
	s.progress("after "+m.Name+" has come back", 10)
}

// stallLeader keeps the leader from running until the others have elected another.
// Its connections stay, so a request that goes to it waits.
func (s *setup) stallLeader() {
	m := s.leader(nil)
	m.Stall(s.T)
	defer m.Continue(s.T) // also if the test ends here
	s.leader(m)
	await(s.T, "a request that "+m.Name+" held is given up", func() bool {
		return slices.ContainsFunc(s.servers, func(server *apiServer) bool { return server.refused("i/o timeout") })
	})
	s.progress("while "+m.Name+" is stalled", 3)
	m.Continue(s.T)
	s.progress("after "+m.Name+" goes on", 10)
}

// roll changes the mode of one server after the other. In between, a new tag gets the
// mode of the server that took the request.
func (s *setup) roll() {
	for i, server := range s.servers {
		server.roll(s.T, preserve)
		s.progress(server.name+" is rolled", 10)
		await(s.T, "every server has decided modes in its own configuration", func() bool {
			return s.journal.count(func(j *journal) bool {
				for k, other := range s.servers {
					want := legacy
					if k <= i {
						want = preserve
					}
					if j.decided[decision{other.name, want}] < 5 {
						return false
					}
				}
				return true
			})
		})
	}
}

// leader waits until somebody leads who is not the excepted one, which is not asked.
func (s *setup) leader(except *etcdtest.Member) *etcdtest.Member {
	asked := s.other(except)
	var leader *etcdtest.Member
	await(s.T, "a leader is elected", func() bool {
		leader = s.etcd.Leader(s.T, asked)
		return leader != nil && leader != except
	})
	return leader
}

func (s *setup) other(than *etcdtest.Member) *etcdtest.Member {
	i := slices.IndexFunc(s.etcd.Members, func(m *etcdtest.Member) bool { return m != than })
	return s.etcd.Members[i]
}

// progress waits until each server has acknowledged some writes more.
func (s *setup) progress(when string, n int) {
	s.Helper()
	before := map[string]int{}
	s.journal.count(func(j *journal) bool {
		for _, server := range s.servers {
			before[server.name] = j.answers[server.name]
		}
		return true
	})
	await(s.T, fmt.Sprintf("%s: %d writes acknowledged by each server", when, n), func() bool {
		return s.journal.count(func(j *journal) bool {
			for _, server := range s.servers {
				if j.answers[server.name] < before[server.name]+n {
					return false
				}
			}
			return true
		})
	})
}

// check reads everything through each server; without a resource version, a read goes
// through a quorum of etcd.
func (s *setup) check(when string) {
	s.Helper()
	for _, server := range s.servers {
		there, gone := s.journal.promised()
		var list imagev1.ImageStreamList
		await(s.T, when+": "+server.name+" lists", func() bool {
			err := server.List(s.Context(), &list, client.InNamespace(namespace))
			if err != nil && !isRetriable(err) {
				s.Fatalf("%s: %s: %v", when, server.name, err)
			}
			return err == nil
		})
		for _, problem := range s.journal.compare(&list, there, gone) {
			s.Errorf("%s, through %s: %s", when, server.name, problem)
		}
		select {
		case err := <-server.Died():
			s.Errorf("%s: %s: %v", when, server.name, err)
		default:
		}
	}
}

// compareMembers wants the same content from each member by itself.
func (s *setup) compareMembers() {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	defer cancel()
	all := s.etcd.Client(s.T, s.etcd.Members...)
	answer, err := all.Get(ctx, "/registry/", clientv3.WithPrefix(), clientv3.WithCountOnly())
	if err != nil {
		s.Fatal(err)
	}
	hashes := map[uint32]bool{}
	for _, m := range s.etcd.Members {
		await(s.T, m.Name+" has caught up", func() bool {
			hash, err := all.HashKV(ctx, m.Endpoint, answer.Header.Revision)
			if err == nil {
				hashes[hash.Hash] = true
			}
			return err == nil
		})
	}
	if len(hashes) != 1 {
		s.Errorf("the members hold different content at revision %d: hashes %v", answer.Header.Revision, hashes)
	}
}
