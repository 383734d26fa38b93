package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	configv1 "github.com/openshift/api/config/v1"

	imageimport "github.com/polyarch/polyarch/examples/imageimport/controller"
	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/examples/internal/registry"
)

// An importsChapter imports the same images before and after the migration, by an
// import controller and from a registry.
type importsChapter struct {
	*cluster
	down  atomic.Bool // the registry
	team  name.Registry
	nodes []string
}

// imports tells the parts of the chapter in their order.
func imports(ctx context.Context, w *world) error {
	return withImports(ctx, w, func(c *importsChapter) {
		c.beforeMigration(ctx)
		c.afterMigration(ctx)
		c.oldClient(ctx)
		c.effect(ctx)
		c.scheduled(ctx)
		c.registryOutage(ctx)
	})
}

// withImports has a cluster installed that imports from a registry, as long as the
// story is told.
func withImports(ctx context.Context, w *world, tell func(*importsChapter)) (err error) {
	c := &importsChapter{cluster: newCluster(w)}
	r, err := registry.Start(registry.Options{Wrap: c.outage})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if c.team, err = name.NewRegistry(r.Host); err != nil {
		return err
	}
	if err := c.removeStreams(ctx); err != nil {
		return err
	}
	if err := c.remove(ctx); err != nil {
		return err
	}
	stop, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.removeNodes(ctx), c.removeStreams(ctx), stop()) }()
	if err := c.streamsBefore(ctx); err != nil {
		return err
	}
	stopImports, err := w.run(ctx, importing(time.Second))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stopImports()) }()

	tell(c)
	return nil
}

// importing adds the image import controller.
func importing(interval time.Duration) func(context.Context, manager.Manager) error {
	return func(ctx context.Context, mgr manager.Manager) error {
		events, err := operator.Recorder(ctx, mgr.GetConfig(), mgr.GetScheme(), "imageimport")
		if err != nil {
			return err
		}
		return (&imageimport.Imports{Client: mgr.GetClient(), Events: events, Now: time.Now, Interval: interval}).SetupWithManager(mgr)
	}
}

// outage is what the registry answers while it is down.
func (c *importsChapter) outage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.down.Load() {
			http.Error(w, "out of order", http.StatusServiceUnavailable)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// publish pushes an image for each architecture, and their list under a tag.
func (c *importsChapter) publish(ctx context.Context, repository, tag, content string, architectures ...string) (digest string, err error) {
	repo := c.team.Repo("team", repository)
	var images []name.Digest
	for _, a := range architectures {
		image, err := upload(ctx, repo, a, content+" for "+a)
		if err != nil {
			return "", err
		}
		images = append(images, image)
	}
	result, err := push.Push(ctx, repo.Tag(tag), images, push.Options{})
	return result.Descriptor.Digest.String(), err
}

// streamsBefore makes what is there before the story: images, a registry that the
// cluster may speak plain HTTP to, a stream, and one that is older than import modes.
func (c *importsChapter) streamsBefore(ctx context.Context) error {
	for _, repository := range []string{"app", "ancient"} {
		if _, err := c.publish(ctx, repository, "v1", repository, "amd64", "arm64", "ppc64le"); err != nil {
			return err
		}
	}
	err := change(ctx, c.w, &configv1.Image{ObjectMeta: named("cluster")}, func(i *configv1.Image) {
		i.Spec.RegistrySources.InsecureRegistries = []string{c.team.Name()}
	})
	if err != nil {
		return err
	}
	if err := c.addNode(ctx, "amd64"); err != nil {
		return err
	}
	if err := c.w.client.Create(ctx, c.stream("ancient", "latest", "v1")); err != nil {
		return err
	}
	return c.w.rewrite(ctx, ancientKey, withoutModes)
}
