package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// beforeMigration imports on a cluster with one architecture.
func (c *importsChapter) beforeMigration(ctx context.Context) {
	c.w.step("Single payload: a list for amd64, arm64 and ppc64le is imported", func(s *step) error {
		c.expectHops(ctx, s, allHops, settled(single420, configv1.ImportModeLegacy),
			because(payloadarch.ReasonSettled, importmode.ReasonSinglePayload, importmode.ReasonObserved))
		if err := c.w.apply(ctx, s, c.stream("app", "before", "v1"), "before Legacy (ClusterMode)"); err != nil {
			return err
		}
		s.note("the import controller imports what the manifest asks for")
		s.eventually(ctx, "app:before", c.holds("app:before"), "an image for amd64; runs on amd64")
		s.eventually(ctx, "ancient:latest, which has no mode", c.holds("ancient:latest"), "an image for amd64; runs on amd64")
		return nil
	})
}

// afterMigration imports the very same image once more.
func (c *importsChapter) afterMigration(ctx context.Context) {
	c.w.step("Migrated to the multi payload, with a node for arm64: the same list again", func(s *step) error {
		before := c.w.mustStored(ctx, s, appKey)
		if err := c.migrate(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "architecture reported", c.architecture, configv1.ClusterVersionArchitectureMulti)
		if err := c.startCVO(ctx, multi420); err != nil {
			return err
		}
		if err := c.addNode(ctx, "arm64"); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonMultiPayload, importmode.ReasonObserved))
		s.expect("stream app in storage is byte for byte what it was", c.w.mustStored(ctx, s, appKey) == before, true)
		if err := c.addTag(ctx, "app", c.tag("app", "after", "v1")); err != nil {
			return err
		}
		s.eventually(ctx, "app:after", c.holds("app:after"), "a list for amd64, arm64, ppc64le; runs on amd64, arm64")
		s.eventually(ctx, "app:before", c.holds("app:before"), "an image for amd64; runs on amd64")
		return nil
	})
}

// ocAgent is how an unmodified oc names itself.
const ocAgent = "oc/4.20.0 (linux/amd64) kubernetes/f0a1bb9"

// oldClient imports as oc does, which sends Legacy although nobody asked for it.
func (c *importsChapter) oldClient(ctx context.Context) {
	c.w.step("An old client imports it: it sends Legacy unasked, and is told", func(s *step) error {
		var heard warnings
		cfg := rest.CopyConfig(c.w.cfg)
		cfg.UserAgent, cfg.WarningHandler = ocAgent, &heard
		oc, err := client.New(cfg, client.Options{Scheme: c.w.scheme})
		if err != nil {
			return err
		}
		tag := c.tag("app", "unasked", "v1")
		request := &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Import: true, Images: []imagev1.ImageImportSpec{{
			From: *tag.From, To: &corev1.LocalObjectReference{Name: tag.Name},
			ImportPolicy: imagev1.TagImportPolicy{ImportMode: imagev1.ImportModeLegacy},
		}}}}
		request.Namespace, request.Name = namespace, "app"
		if err := oc.Create(ctx, request); err != nil {
			return err
		}
		told := heard.all()
		s.note("%s", told)
		s.expect("it is warned", strings.Contains(told, "Legacy was sent and is used") && strings.Contains(told, "--import-mode=PreserveOriginal"), true)
		s.eventually(ctx, "app:unasked", c.holds("app:unasked"), "an image for amd64; runs on amd64")
		return nil
	})
}

// warnings collects what the API server warns of.
type warnings struct {
	mu   sync.Mutex
	said []string
}

func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, text)
}

func (w *warnings) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.said, "; ")
}

// addTag adds a tag to a stream, as "oc tag" does.
func (c *importsChapter) addTag(ctx context.Context, name string, tag imagev1.TagReference) error {
	return change(ctx, c.w, &imagev1.ImageStream{ObjectMeta: inNamespace(name)}, func(is *imagev1.ImageStream) {
		is.Spec.Tags = append(is.Spec.Tags, tag)
	})
}

// tag is a tag without a mode, of an image of the chapter's registry.
func (c *importsChapter) tag(repository, tag, of string) imagev1.TagReference {
	return imagev1.TagReference{Name: tag, From: &corev1.ObjectReference{
		Kind: "DockerImage", Name: fmt.Sprint(c.team.Repo("team", repository).Tag(of)),
	}}
}

// stream is a manifest of one such tag.
func (c *importsChapter) stream(name, tag, of string) *imagev1.ImageStream {
	return &imagev1.ImageStream{ObjectMeta: inNamespace(name), Spec: imagev1.ImageStreamSpec{Tags: []imagev1.TagReference{c.tag(name, tag, of)}}}
}
