package main

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

// A bootSourceChapter leads the templates of an SSP object through what
// administrators do with them.
type bootSourceChapter struct{ *virtCluster }

// What the chapter expects to find: the crons of a template, and the condition of an
// operator that has nothing to complain of.
const (
	story      = "rhel10-image-cron" // the template
	both       = "amd64, arm64"
	asExpected = "True AsExpected"

	perArchitecture = story + " " + string(dictexpand.ReasonPerArchitecture)
)

// bootSources tells the parts of the chapter in their order.
func bootSources(ctx context.Context, w *world) (err error) {
	v, err := newVirtCluster(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close(ctx)) }()

	c := &bootSourceChapter{v}
	c.template(ctx)
	c.architectureRemoved(ctx)
	c.nameTooLong(ctx)
	c.fight(ctx)
	c.offAndOn(ctx)
	c.scheduleChanged(ctx)
	c.typo(ctx)
	c.rename(ctx)
	c.sspDeleted(ctx)
	return nil
}

// dict returns the template of the story under other names.
func dict(name, managed, architectures string) dictexpand.Template {
	url := "docker://registry.redhat.io/rhel10/rhel-guest-image"
	t := dictexpand.Template{ObjectMeta: metav1.ObjectMeta{
		Name: name, Annotations: map[string]string{dictexpand.AnnotationArchitectures: architectures},
	}}
	t.Spec.ManagedDataSource, t.Spec.Schedule = managed, "0 */12 * * *"
	t.Spec.Template.Spec.Source = &cdiv1beta1.DataVolumeSource{Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url}}
	t.Spec.Template.Spec.Storage = &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
		Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
	}}
	return t
}

// rhel10 is the template of the story.
func rhel10(architectures string) dictexpand.Template {
	return dict(story, "rhel10", architectures)
}

// template is expanded for the architectures of the cluster.
func (c *bootSourceChapter) template(ctx context.Context) {
	c.w.step("The template of the story, on nodes of amd64 and arm64", func(s *step) error {
		if err := c.write(ctx, true, rhel10("amd64,arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "crons", c.crons(story), both)
		s.eventually(ctx, "decided by", c.outcomes, perArchitecture)
		s.eventually(ctx, "the reference without an architecture leads to", c.leads("rhel10"), "rhel10-amd64")
		s.eventually(ctx, "boots, when CDI has imported", c.boots("rhel10"), "rhel10-amd64-1111")
		s.eventually(ctx, "condition", c.condition, asExpected)
		c.steps(s)
		return nil
	})
}

// architectureRemoved takes one away and must not disturb the other.
func (c *bootSourceChapter) architectureRemoved(ctx context.Context) {
	c.w.step("amd64 is taken out of the annotation", func(s *step) error {
		kept, err := c.uid(ctx, "rhel10-image-cron-arm64")
		if err != nil {
			return err
		}
		if err := c.write(ctx, true, rhel10("arm64")); err != nil {
			return err
		}
		s.eventually(ctx, "its cron goes, the other stays", c.crons(story), "arm64")
		s.eventually(ctx, "decided by", c.outcomes, perArchitecture)
		s.eventually(ctx, "the reference leads to what is left", c.leads("rhel10"), "rhel10-arm64")
		now, err := c.uid(ctx, "rhel10-image-cron-arm64")
		s.expect("and is the same object", now == kept, true)
		c.steps(s)
		return err
	})
}
