package dictexpand

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/internal/quote"
)

// architectures finds those that the template has images for, unless it gives a cron as
// written, and notes the reason.
func (x *expander) architectures(d *draft) (asWritten bool) {
	t := d.template
	value := t.Annotations[AnnotationArchitectures]
	at := func() *field.Path { return path(t).Child("metadata", "annotations").Key(AnnotationArchitectures) }

	if !x.o.MultiArch {
		d.outcome.Reason = ReasonMultiArchOff
		return true
	}
	if value == "" {
		made, perArchitecture := x.madePerArchitecture(d)
		if !perArchitecture {
			d.outcome.Reason = ReasonNoAnnotation
			return true
		}
		compatible := slices.DeleteFunc(slices.Clone(made), func(a string) bool {
			return !x.supported(a) || !slices.Contains(x.o.Architectures, a)
		})
		for _, a := range made {
			if x.supported(a) && x.held(a) && !slices.Contains(d.outcome.Held, a) {
				d.outcome.Held = append(d.outcome.Held, a)
				x.note(FindingArchitectureHeld, t, a, path(t).Child("spec", "managedDataSource"), heldDetail, quote.Quote(a))
			}
		}
		a, _ := x.preferred(compatible)
		if a == "" {
			d.outcome.Reason = ReasonNoCompatibleArchitecture
			x.note(FindingNoCompatibleArchitecture, t, "", path(t).Child("spec", "managedDataSource"),
				"the DataSource %s is made for %s, and the cluster has %s: no cron and no reference",
				quote.Quote(t.Spec.ManagedDataSource), quoted(made), quoted(x.o.Architectures))
			return false
		}
		d.outcome.Reason = ReasonDefaultArchitecture
		x.noteWorkload(t, a, func() *field.Path { return path(t).Child("spec", "managedDataSource") })
		d.images.add(a)
		return false
	}

	d.outcome.Reason = ReasonPerArchitecture
	var listed list[string]
	parseArchitectures(value, &listed)
	if len(listed.all()) == 0 {
		x.problem(field.Invalid(at(), quote.Cut(value), "lists no architecture; remove it, or list some as in \"amd64,arm64\""))
		return false
	}
	for _, a := range listed.all() {
		d.outcome.Unclear = d.outcome.Unclear || !x.known(a)
		switch canonical, known := arch.Canonical(a); {
		case known && canonical != a:
			x.note(FindingAlias, t, a, at(), "%s is skipped; write %s", quote.Quote(a), quote.Quote(canonical))
		case !x.supported(a):
			x.note(FindingUnsupported, t, a, at(), "%s is skipped; the supported architectures are %s", quote.Quote(a), quoted(x.o.Supported))
		case x.held(a):
			d.outcome.Held = append(d.outcome.Held, a)
			x.note(FindingArchitectureHeld, t, a, at(), heldDetail, quote.Quote(a))
		case !slices.Contains(x.o.Architectures, a):
			x.note(FindingNotInCluster, t, a, at(), "%s is skipped; the cluster has %s", quote.Quote(a), quoted(x.o.Architectures))
		default:
			d.images.add(a)
			x.noteWorkload(t, a, at)
		}
	}
	if len(d.images.all()) == 0 {
		d.outcome.Reason = ReasonNoCompatibleArchitecture
		x.note(FindingNoCompatibleArchitecture, t, "", at(), "nothing of %s can be used: no cron and no reference", quote.Quote(value))
	}
	return false
}

// madePerArchitecture returns the architectures for which the caller makes the
// draft's DataSource itself.
func (x *expander) madePerArchitecture(d *draft) ([]string, bool) {
	if d.outcome.Namespace != x.o.Namespace {
		return nil, false
	}
	made, ok := x.made[d.outcome.DataSource]
	return made, ok
}

func (x *expander) supported(a string) bool {
	return len(x.o.Supported) == 0 || slices.Contains(x.o.Supported, a)
}

const heldDetail = "%s has left the cluster; what was made for it is held until its period of grace is over"

// held reports whether the architecture has left the cluster, and the caller
// holds what was made for it.
func (x *expander) held(a string) bool {
	return slices.Contains(x.o.HeldArchitectures, a) && !slices.Contains(x.o.Architectures, a)
}

// known reports whether the architecture is one that somebody knows by this name.
func (x *expander) known(a string) bool {
	return arch.InPayload(a) || slices.Contains(x.o.Architectures, a) || slices.Contains(x.o.Supported, a) ||
		slices.Contains(x.o.HeldArchitectures, a)
}

func (x *expander) hasWorkload(a string) bool {
	if len(x.o.WorkloadArchitectures) == 0 {
		return !x.o.NoWorkloadNodes
	}
	return slices.Contains(x.o.WorkloadArchitectures, a)
}

// preferred returns the first architecture in the order of preference that is
// one of the given and has nodes for workload, else the first that is one of
// the given, else "".
func (x *expander) preferred(given []string) (string, ReferenceReason) {
	first := ""
	for _, a := range x.o.Architectures {
		if !slices.Contains(given, a) {
			continue
		}
		if x.hasWorkload(a) {
			return a, ReasonFirstWithWorkload
		}
		first = cmp.Or(first, a)
	}
	return first, ReasonFirstWithImage
}

func (x *expander) noteWorkload(t *Template, a string, at func() *field.Path) {
	if !x.hasWorkload(a) {
		x.note(FindingNoWorkloadNodes, t, a, at(),
			"no node for workload is %s: CDI runs the pods of the import on that architecture only, and they may stay pending", quote.Quote(a))
	}
}
