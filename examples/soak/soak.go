package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/examples/ssp/crds"
)

const (
	plainWriters, plainStreams = 4, 12
	importers                  = 2
	// maxViolations ends the soak: what comes after them says nothing new.
	maxViolations = 10
)

// A soak is everything that goes on at once.
type soak struct {
	out  io.Writer
	seed uint64
	long time.Duration

	server   *testedServer
	balancer *balancer
	registry *registry.Registry
	scheme   *runtime.Scheme
	config   *rest.Config // by way of the balancer
	api, oc  client.Client
	etcd     *clientv3.Client
	journal  *journal
	meter    *meter
	catalogs []*catalog
	chores   []chore

	// gate is held by each write while it is under way, and by a check alone.
	gate sync.RWMutex
	// What only a check touches, which holds the gate.
	growing   growing
	compacted int64 // the revision up to which it has compacted
	checks    int

	mu       sync.Mutex
	wrong    []violation
	enough   context.CancelFunc
	restarts map[string]int
}

// soakFor soaks for as long as it shall and reports.
func soakFor(ctx context.Context, out io.Writer, long time.Duration, seed uint64, command []string) (err error) {
	dir, err := os.MkdirTemp("", "polyarch-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &soak{
		out: out, seed: seed, long: long, journal: newJournal(), meter: &meter{}, restarts: map[string]int{}, scheme: operator.Scheme(),
		enough: func() {}, // there is nothing to end yet
	}
	s.meter.begin("start", time.Now())
	utilruntime.Must(ssp.AddToScheme(s.scheme))
	fmt.Fprintf(out, "soak: seed %d, for %s; again: make soak SOAK=%s SEED=%d\n", seed, long, long, seed)
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.boot(ctx, dir, command); err != nil {
		return err
	}
	worked := s.work(ctx)
	if ctx.Err() != nil {
		return worked
	}
	return errors.Join(worked, s.report())
}

// boot starts the server, the registry and the adapters.
func (s *soak) boot(ctx context.Context, dir string, command []string) (err error) {
	definitions := filepath.Join(dir, "crds")
	if err := crds.Write(definitions); err != nil {
		return err
	}
	if s.registry, err = registry.Start(registry.Options{}); err != nil {
		return err
	}
	s.server, err = startServer(ctx, dir, legacy, launch.Options{
		Command: command, CRDDirs: []string{definitions}, Flags: []string{"--import-platform=linux/" + importedPlatform},
	})
	if err != nil {
		return err
	}
	s.config = s.server.Config()
	at, err := url.Parse(s.config.Host)
	if err != nil {
		return err
	}
	if s.balancer, err = balance(at.Host, s.server.runs.serves); err != nil {
		return err
	}
	s.config.Host = "https://" + s.balancer.listener.Addr().String()
	if s.api, s.oc, err = clients(s.config, s.scheme); err != nil {
		return err
	}
	if s.etcd, err = s.server.Etcd(); err != nil {
		return err
	}
	if err := s.api.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return err
	}
	for i := range importers {
		c, err := newCatalog(fmt.Sprintf("%s/team/app%d", s.registry.Host, i))
		if err != nil {
			return err
		}
		s.catalogs = append(s.catalogs, c)
	}
	return s.startChores(ctx, dir)
}

func (s *soak) close() error {
	var errs []error
	for _, c := range s.chores {
		errs = append(errs, c.close())
	}
	if s.etcd != nil {
		errs = append(errs, s.etcd.Close())
	}
	if s.server != nil && s.server.Server != nil {
		errs = append(errs, s.server.Stop())
	}
	if s.balancer != nil {
		errs = append(errs, s.balancer.close())
	}
	if s.registry != nil {
		errs = append(errs, s.registry.Close())
	}
	return errors.Join(errs...)
}

// violate takes down what must not be, and ends the soak when that was said often
// enough.
func (s *soak) violate(wrong ...violation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range wrong {
		s.wrong = append(s.wrong, v)
		if len(s.wrong) <= maxViolations {
			fmt.Fprintf(s.out, "soak: VIOLATED: %s\n  again: make soak SOAK=%s SEED=%d\n", v, s.long, s.seed)
		}
		if len(s.wrong) == maxViolations {
			s.enough()
		}
	}
}

func (s *soak) hear(h heard) {
	s.meter.add(h.what, h.took, h.err)
	s.violate(h.wrong...)
}

// random is a source of its own for each of those who act at once, so that what one of
// them does depends on the seed and not on the others.
func (s *soak) random(who uint64) *rand.Rand { return rand.New(rand.NewPCG(s.seed, who)) }
