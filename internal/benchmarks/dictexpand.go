package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
)

func dictexpandClaims() []claim {
	return []claim{
		{name: "expand_2", limit: 1.7, setup: expandTwo},
		// More templates than a cluster is expected to have.
		{name: "expand_growth", limit: 12, setup: expandGrowth(200)},
		// Crons of eleven megabytes, which are fetched into the caches of the processor twice,
		// to be cleared and to be filled in; those of a hundred templates stay there.
		{name: "expand_1000_growth", setup: expandGrowth(1000)},
		{name: "plan_growth", limit: 12, setup: planGrowth},
		{name: "conflict_growth", limit: 12, setup: conflictGrowth},
	}
}

// dictTemplate is the template of CNV-61574.
func dictTemplate(suffix, architectures string) dictexpand.Template {
	url, pull, outdated := "docker://registry.redhat.io/rhel10/rhel-guest-image", cdiv1beta1.RegistryPullNode, cdiv1beta1.DataImportCronGarbageCollectOutdated
	return dictexpand.Template{
		ObjectMeta: metav1.ObjectMeta{
			Name: "rhel10-image-cron" + suffix,
			Annotations: map[string]string{
				dictexpand.AnnotationArchitectures:                 architectures,
				"cdi.kubevirt.io/storage.bind.immediate.requested": "true",
			},
			Labels: map[string]string{"instancetype.kubevirt.io/default-preference": "rhel.10"},
		},
		Spec: cdiv1beta1.DataImportCronSpec{
			ManagedDataSource: "rhel10" + suffix,
			Schedule:          "0 */12 * * *",
			GarbageCollect:    &outdated,
			Template: cdiv1beta1.DataVolume{Spec: cdiv1beta1.DataVolumeSpec{
				Source: &cdiv1beta1.DataVolumeSource{
					Registry: &cdiv1beta1.DataVolumeSourceRegistry{URL: &url, PullMethod: &pull},
				},
				Storage: &cdiv1beta1.StorageSpec{Resources: corev1.VolumeResourceRequirements{
					Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("30Gi")},
				}},
			}},
		},
	}
}

// dictTemplates are n templates in no order of their names: any part of them takes
// as much sorting as all.
func dictTemplates(n int) []dictexpand.Template {
	templates := make([]dictexpand.Template, n)
	for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		templates[i] = dictTemplate(strconv.Itoa(k), "amd64,arm64,ppc64le,s390x")
	}
	return templates
}

func dictOptions(architectures ...string) dictexpand.Options {
	return dictexpand.Options{
		MultiArch: true, Architectures: architectures, Namespace: "openshift-virtualization-os-images",
		Owner: dictexpand.Owner{Labels: map[string]string{"app.kubernetes.io/managed-by": "ssp-operator"}},
	}
}

// expandOp expands and insists on the number of crons.
func expandOp(templates []dictexpand.Template, o dictexpand.Options, crons int) func() error {
	return func() error {
		e := dictexpand.Expand(templates, o)
		if len(e.Crons) != crons || len(e.Problems) != 0 {
			return fmt.Errorf("%d crons, want %d; problems: %v", len(e.Crons), crons, e.Problems)
		}
		return nil
	}
}

// expandTwo: the template of the story to two architectures, against copying the
// cron twice.
func expandTwo() (ours, floor func() error, err error) {
	t := dictTemplate("", "amd64,arm64")
	cron := cdiv1beta1.DataImportCron{ObjectMeta: t.ObjectMeta, Spec: t.Spec}
	// The copies are kept, as an expansion is, lest the compiler make them on the
	// stack.
	var kept [2]*cdiv1beta1.DataImportCron
	floor = func() error {
		kept[0], kept[1] = cron.DeepCopy(), cron.DeepCopy()
		if kept[0].Name != kept[1].Name {
			return fmt.Errorf("copies differ: %q, %q", kept[0].Name, kept[1].Name)
		}
		return nil
	}
	return expandOp([]dictexpand.Template{t}, dictOptions("amd64", "arm64"), 2), floor, nil
}

// expandGrowth: n templates against a tenth of them, the next tenth each time.
func expandGrowth(n int) func() (ours, floor func() error, err error) {
	return func() (ours, floor func() error, err error) {
		o, templates := dictOptions("amd64", "arm64", "ppc64le", "s390x"), dictTemplates(n)
		ours, floor = growth(len(templates), func(from, to int) func() error {
			return expandOp(templates[from:to], o, 4*(to-from))
		})
		return ours, floor, nil
	}
}

// conflictGrowth: templates that all need one DataSource, and say so, 1000 against
// 100.
func conflictGrowth() (ours, floor func() error, err error) {
	o, templates := dictOptions("amd64", "arm64"), dictTemplates(1000)
	for i := range templates {
		templates[i].Spec.ManagedDataSource = "rhel10"
	}
	ours, floor = growth(len(templates), func(from, to int) func() error {
		n := to - from
		return func() error {
			if e := dictexpand.Expand(templates[from:to], o); len(e.Problems) != 2*n || len(e.Crons) != 0 {
				return fmt.Errorf("%d problems, want %d; %d crons", len(e.Problems), 2*n, len(e.Crons))
			}
			return nil
		}
	})
	return ours, floor, nil
}

// planGrowth plans over what the same plan has made, so every object is compared:
// 1000 templates against 100.
func planGrowth() (ours, floor func() error, err error) {
	o, templates := dictOptions("amd64", "arm64", "ppc64le", "s390x"), dictTemplates(1000)
	ours, floor = growth(len(templates), func(from, to int) func() error {
		n := to - from
		want := dictexpand.Expand(templates[from:to], o)
		var have dictexpand.Existing
		for _, s := range dictexpand.Plan(want, have).Steps {
			if s.Cron != nil {
				have.Crons = append(have.Crons, *s.Cron)
			}
			if s.DataSource != nil {
				have.DataSources = append(have.DataSources, *s.DataSource)
			}
		}
		return func() error {
			steps := dictexpand.Plan(want, have).Steps
			if len(steps) != 5*n {
				return fmt.Errorf("%d steps, want %d", len(steps), 5*n)
			}
			for _, s := range steps {
				if s.Verb != dictexpand.VerbKeep {
					return fmt.Errorf("step %s of %s %s, want Keep", s.Verb, s.Kind, s.Name)
				}
			}
			return nil
		}
	})
	return ours, floor, nil
}
