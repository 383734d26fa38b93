package dictexpandtest_test

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// expanding is package dictexpand with another Expand, which is given the right one.
func expanding(wrong func([]template, cluster, func([]template, cluster) made) made) func() dictexpandtest.Impl {
	return func() dictexpandtest.Impl {
		right := ours.Impl().Expand
		return dictexpandtest.Impl{Expand: func(templates []template, c cluster) made { return wrong(templates, c, right) }}
	}
}

// firstArchitecture leads references to the first architecture of the cluster.
func firstArchitecture(templates []template, c cluster, right func([]template, cluster) made) made {
	e := right(templates, c)
	for i := range e.References {
		r := &e.References[i]
		r.Spec.Source.DataSource.Name = r.Name + "-" + c.Architectures[0]
	}
	return e
}

func noPlatform(templates []template, c cluster, right func([]template, cluster) made) made {
	e := right(templates, c)
	for i, o := range e.Crons {
		for _, t := range templates {
			if t.Name == o.Name && t.Annotations[architectures] == "" && c.Made[t.Spec.ManagedDataSource] != nil {
				e.Crons[i].Spec.Template.Spec.Source.Registry.Platform = nil
			}
		}
	}
	return e
}

func defaultNamespace(templates []template, c cluster, right func([]template, cluster) made) made {
	e := right(templates, c)
	for i := range e.References {
		r := &e.References[i]
		r.Namespace, r.Spec.Source.DataSource.Namespace = c.Namespace, c.Namespace
	}
	return e
}

// dropSecond keeps the first template for each DataSource.
func dropSecond(templates []template, c cluster, right func([]template, cluster) made) made {
	seen := map[string]bool{}
	return right(slices.DeleteFunc(templates, func(t template) bool {
		twice := seen[t.Spec.ManagedDataSource]
		seen[t.Spec.ManagedDataSource] = true
		return twice
	}), c)
}

// shadow takes those architectures out of annotations whose DataSource a template as
// written manages.
func shadow(templates []template, c cluster, right func([]template, cluster) made) made {
	for _, t := range templates {
		if t.Annotations[architectures] != "" {
			continue
		}
		for i := range templates {
			rest := slices.DeleteFunc(strings.Split(templates[i].Annotations[architectures], ","), func(a string) bool {
				return a != "" && templates[i].Spec.ManagedDataSource+"-"+a == t.Spec.ManagedDataSource
			})
			if len(rest) > 0 && templates[i].Annotations[architectures] != "" {
				templates[i].Annotations[architectures] = strings.Join(rest, ",")
			}
		}
	}
	return right(templates, c)
}

func failOnUnsupported(templates []template, c cluster, right func([]template, cluster) made) made {
	if len(c.Supported) > 0 && slices.ContainsFunc(c.Architectures, func(a string) bool { return !slices.Contains(c.Supported, a) }) {
		return made{}
	}
	return right(templates, c)
}

func untrimmed() dictexpandtest.Impl {
	right := ours.Impl().Expand
	i := dictexpandtest.Impl{Architectures: func(value string) []string { return strings.Split(value, ",") }}
	i.Expand = func(templates []template, c cluster) made {
		for _, t := range templates {
			if value := t.Annotations[architectures]; value != "" {
				list := slices.DeleteFunc(strings.Split(value, ","), func(a string) bool { return strings.TrimSpace(a) != a })
				t.Annotations[architectures] = strings.Join(list, ",")
			}
		}
		return right(templates, c)
	}
	return i
}

// restore changes each template before it is expanded, and what is made of it behind it.
func restore(change func(*template) func(*cdiv1beta1.DataImportCron)) func([]template, cluster, func([]template, cluster) made) made {
	return func(templates []template, c cluster, right func([]template, cluster) made) made {
		var undo []func(*cdiv1beta1.DataImportCron)
		for i := range templates {
			undo = append(undo, change(&templates[i]))
		}
		e := right(templates, c)
		for i := range e.Crons {
			for _, u := range undo {
				if u != nil {
					u(&e.Crons[i])
				}
			}
		}
		return e
	}
}

func shortenNames(t *template) func(*cdiv1beta1.DataImportCron) {
	name, managed := t.Name, t.Spec.ManagedDataSource
	short := func(s string) string {
		if len(s) > 50 && len(s) < 100 {
			return s[:50]
		}
		return s
	}
	t.Name, t.Spec.ManagedDataSource = short(name), short(managed)
	if t.Name == name && t.Spec.ManagedDataSource == managed {
		return nil
	}
	shortName, shortManaged := t.Name, t.Spec.ManagedDataSource
	return func(c *cdiv1beta1.DataImportCron) {
		if rest, ok := strings.CutPrefix(c.Name, shortName); ok {
			c.Name = name + rest
			c.Spec.ManagedDataSource = managed + strings.TrimPrefix(c.Spec.ManagedDataSource, shortManaged)
		}
	}
}

func dropMetadata(t *template) func(*cdiv1beta1.DataImportCron) {
	c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "x", Labels: t.Labels, Annotations: t.Annotations}}
	c.Spec = dictexpandtest.TemplateOf("x", "m", "").Spec
	if c.Namespace == "" {
		c.Namespace = "ns"
	}
	if dictexpandtest.Webhook(c) == "" {
		return nil
	}
	value := t.Annotations[architectures]
	t.Namespace, t.Labels, t.Annotations = "", nil, nil
	if value != "" {
		t.Annotations = map[string]string{architectures: value}
	}
	return nil
}

func soundSpec(t *template) func(*cdiv1beta1.DataImportCron) {
	c := cdiv1beta1.DataImportCron{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "x"}, Spec: *t.Spec.DeepCopy()}
	c.Spec.ManagedDataSource = "m"
	if dictexpandtest.Webhook(c) != "" {
		managed := t.Spec.ManagedDataSource
		t.Spec = dictexpandtest.TemplateOf("x", "m", "").Spec
		t.Spec.ManagedDataSource = managed
	}
	return nil
}

func mistakenClaimNothing(templates []template, c cluster, right func([]template, cluster) made) made {
	return right(slices.DeleteFunc(templates, func(t template) bool {
		off := c
		off.OwnImages = nil
		return len(right([]template{t}, off).Crons) == 0
	}), c)
}

func ownBecomesReference(templates []template, c cluster, right func([]template, cluster) made) made {
	for name, list := range c.Made {
		for _, a := range list {
			if slices.ContainsFunc(templates, func(t template) bool { return t.Spec.ManagedDataSource == name+"-"+a }) {
				c.Made = nil
				return right(templates, c)
			}
		}
	}
	return right(templates, c)
}

// twoOfOneName tells templates of one name apart by a letter that nobody sees.
func twoOfOneName(templates []template, c cluster, right func([]template, cluster) made) made {
	seen := map[string]int{}
	for i := range templates {
		t := &templates[i]
		if n := seen[t.Namespace+"/"+t.Name]; n > 0 && t.Name != "" {
			t.Name += strings.Repeat("q", n)
		}
		seen[t.Namespace+"/"+strings.TrimRight(t.Name, "q")]++
	}
	e := right(templates, c)
	for i := range e.Crons {
		o := &e.Crons[i]
		o.Name = strings.ReplaceAll(o.Name, "q", "")
	}
	return e
}

func ownImages(wrong func([]cdiv1beta1.DataSource, []metav1.ObjectMeta) ([]cdiv1beta1.DataSource, []metav1.ObjectMeta)) func() dictexpandtest.Impl {
	return func() dictexpandtest.Impl {
		right := ours.Impl().OwnImages
		return dictexpandtest.Impl{OwnImages: func(dataSources []cdiv1beta1.DataSource, claims, snapshots []metav1.ObjectMeta) []types.NamespacedName {
			dataSources, claims = wrong(dataSources, claims)
			return right(dataSources, claims, snapshots)
		}}
	}
}

// placeholders takes the condition for granted.
func placeholders(dataSources []cdiv1beta1.DataSource, claims []metav1.ObjectMeta) ([]cdiv1beta1.DataSource, []metav1.ObjectMeta) {
	for i := range dataSources {
		dataSources[i].Status.Conditions = []cdiv1beta1.DataSourceCondition{{
			Type: cdiv1beta1.DataSourceReady, ConditionState: cdiv1beta1.ConditionState{Status: "True"},
		}}
	}
	return dataSources, claims
}

// lostLabels does not look at the labels of claims.
func lostLabels(dataSources []cdiv1beta1.DataSource, claims []metav1.ObjectMeta) ([]cdiv1beta1.DataSource, []metav1.ObjectMeta) {
	claims = slices.Clone(claims)
	for i := range claims {
		claims[i].Labels = nil
	}
	return dataSources, claims
}
