package whatif

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/dictexpand"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// A Change is one that somebody asks about.
type Change struct {
	// Text is as it was asked for.
	Text string
	// apply changes the facts, and says what is to be said of it.
	apply func(*section.Facts) (notes []string)
}

var architecture = regexp.MustCompile(`^[a-z0-9_]{1,16}$`)

// Parse reads the values of --what-if.
func Parse(values []string) ([]Change, error) {
	var all []Change
	for _, text := range values {
		kind, value, found := strings.Cut(text, "=")
		if !found {
			return nil, fmt.Errorf("--what-if %q: want payload=, mode=, node-arch= or dict-arch=", text)
		}
		apply, err := parse(kind, value)
		if err != nil {
			return nil, fmt.Errorf("--what-if %q: %w", text, err)
		}
		all = append(all, Change{text, apply})
	}
	return all, nil
}

func parse(kind, value string) (func(*section.Facts) []string, error) {
	switch kind {
	case "payload":
		switch value {
		case "multi":
			return payload(configv1.ClusterVersionArchitectureMulti), nil
		case "single":
			return payload(""), nil
		}
		return nil, errors.New("the payload is multi or single")
	case "mode":
		switch m := configv1.ImportModeType(value); m {
		case configv1.ImportModeLegacy, configv1.ImportModePreserveOriginal:
			return mode(m), nil
		}
		return nil, errors.New("the mode is Legacy or PreserveOriginal")
	case "node-arch":
		if len(value) < 2 || value[0] != '+' && value[0] != '-' || !architecture.MatchString(value[1:]) {
			return nil, errors.New("want + or - and an architecture, as in +arm64")
		}
		if value[0] == '+' {
			return addNode(value[1:]), nil
		}
		return removeNodes(value[1:]), nil
	case "dict-arch":
		template, architectures, found := strings.Cut(value, "=")
		if !found || template == "" {
			return nil, errors.New("want the name of a template and its architectures, as in fedora=amd64,arm64")
		}
		return annotate(template, architectures), nil
	}
	return nil, errors.New("want payload=, mode=, node-arch= or dict-arch=")
}

// payload changes what the cluster version operator reports, to what it does when an
// update to such a payload is complete.
func payload(arch configv1.ClusterVersionArchitecture) func(*section.Facts) []string {
	return func(f *section.Facts) []string {
		if f.ClusterVersion == nil {
			return []string{"There is no ClusterVersion in the source to change."}
		}
		s := &f.ClusterVersion.Status
		before := f.Payload.Kind
		s.Desired.Architecture = arch
		s.History = append([]configv1.UpdateHistory{{State: configv1.CompletedUpdate, Version: s.Desired.Version, Image: s.Desired.Image}}, s.History...)
		f.Decide()
		if f.Payload.Kind == payloadarch.Unknown {
			return []string{fmt.Sprintf("The kind of the payload is not known after the change either (%s).", f.Payload.Reason)}
		}
		if f.Payload.Kind != before {
			return []string{"The change of the payload is an update: it rolls out every operator, and the nodes of every pool."}
		}
		return nil
	}
}

func mode(m configv1.ImportModeType) func(*section.Facts) []string {
	return func(f *section.Facts) []string {
		if f.Image == nil {
			return []string{"There is no image configuration in the source to change."}
		}
		f.Image.Spec.ImageStreamImportMode = m
		return nil
	}
}

// addNode adds a worker.
func addNode(arch string) func(*section.Facts) []string {
	return func(f *section.Facts) []string {
		f.Nodes = append(f.Nodes, corev1.Node{ObjectMeta: metav1.ObjectMeta{
			Name: "what-if-" + arch,
			Labels: map[string]string{
				corev1.LabelArchStable: arch, corev1.LabelOSStable: "linux", "node-role.kubernetes.io/worker": "",
			},
		}})
		return nil
	}
}

func removeNodes(arch string) func(*section.Facts) []string {
	return func(f *section.Facts) []string {
		was := len(f.Nodes)
		f.Nodes = slices.DeleteFunc(f.Nodes, func(n corev1.Node) bool {
			return nodearch.FromNodes([]corev1.Node{n}).All.Has(arch)
		})
		if len(f.Nodes) == was {
			return []string{fmt.Sprintf("No node is of %s.", arch)}
		}
		return nil
	}
}

// annotate sets the architectures of a template; none takes the annotation away.
func annotate(template, architectures string) func(*section.Facts) []string {
	return func(f *section.Facts) []string {
		found := false
		var notes []string
		for i := range f.SSPs {
			templates := f.SSPs[i].Spec.CommonTemplates.DataImportCronTemplates
			for j := range templates {
				t := &templates[j]
				if t.Name != template {
					continue
				}
				found = true
				if delete(t.Annotations, dictexpand.AnnotationArchitectures); architectures != "" {
					metav1.SetMetaDataAnnotation(&t.ObjectMeta, dictexpand.AnnotationArchitectures, architectures)
				}
				if !f.SSPs[i].Spec.EnableMultipleArchitectures {
					notes = append(notes, "Multiple architectures are switched off, so that the annotation does not count: spec.enableMultipleArchitectures of the SSP object.")
				}
			}
		}
		if !found {
			return []string{fmt.Sprintf("No SSP object has a template %q.", template)}
		}
		return notes
	}
}

// Apply returns the facts after the changes.
func Apply(f *section.Facts, changes []Change) (after *section.Facts, notes []string) {
	after = f.Copy()
	after.Supposed = true
	for _, c := range changes {
		notes = append(notes, c.apply(after)...)
		after.Decide()
	}
	return after, notes
}
