package dictexpand

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// validate reports everything for which the API server or CDI would refuse an
// output of the draft, and every architecture that cannot be set; rules 11 and 12.
func (x *expander) validate(d *draft) {
	t := d.template
	if d.outcome.Namespace == "" {
		x.problem(field.Required(path(t).Child("metadata", "namespace"), "the template names none, and there is no default namespace"))
	}
	nameSuffix, dataSourceSuffix := "", ""
	for _, out := range d.outputs {
		nameSuffix = longest(nameSuffix, out.name[len(t.Name):])
		dataSourceSuffix = longest(dataSourceSuffix, out.dataSource[len(t.Spec.ManagedDataSource):])
		if out.architecture == "" {
			continue
		}
		if why := checkSubdomain(out.architecture); why != nil {
			x.problem(field.Invalid(path(t).Child("metadata", "annotations").Key(AnnotationArchitectures), out.architecture,
				"cannot be part of a name: "+strings.Join(why, "; ")))
		}
	}
	x.validateName(t, []string{"metadata", "name"}, t.Name, nameSuffix)
	x.validateName(t, []string{"spec", "managedDataSource"}, t.Spec.ManagedDataSource, dataSourceSuffix)
	for key, value := range t.Labels {
		at := func() *field.Path { return path(t).Child("metadata", "labels").Key(key) }
		switch why := checkLabelValue(value); {
		case len(value) > validation.LabelValueMaxLength:
			x.problem(tooLong(at(), value, validation.LabelValueMaxLength, "no value of a label may be longer"))
		case why != nil:
			x.problem(field.Invalid(at(), value, strings.Join(why, "; ")))
		}
	}
	x.validateSource(d)
}

func (x *expander) validateName(t *Template, at []string, value, suffix string) {
	where := func() *field.Path { return path(t).Child(at[0], at[1:]...) }
	if value == "" {
		x.problem(field.Required(where(), fmt.Sprintf("the DataImportCron needs it (name %q, managedDataSource %q)", t.Name, t.Spec.ManagedDataSource)))
		return
	}
	// Where apimachinery would complain of the length, ours is exceeded too.
	if why := checkSubdomain(value); why != nil && len(value) <= validation.DNS1123SubdomainMaxLength {
		x.problem(field.Invalid(where(), value, strings.Join(why, "; ")))
	}
	if limit := MaxNameLength - len(suffix); len(value) > limit {
		why := fmt.Sprintf("CDI admits %d", MaxNameLength)
		if suffix != "" {
			why += fmt.Sprintf(", and %q is appended", suffix)
		}
		x.problem(tooLong(where(), value, limit, why))
	}
}

// validateSource reports why the architecture cannot be set in the source; rule
// 11.
func (x *expander) validateSource(d *draft) {
	if !slices.ContainsFunc(d.outputs, func(out output) bool { return out.architecture != "" }) {
		return
	}
	source := d.template.Spec.Template.Spec.Source
	at := func() *field.Path {
		return path(d.template).Child("spec", "template", "spec", "source", "registry")
	}
	if source == nil || source.Registry == nil {
		x.problem(field.Required(at(), "an architecture can be set in a registry source only"))
		return
	}
	if p := source.Registry.Platform; p != nil && p.Architecture != "" {
		for _, out := range d.outputs {
			if out.architecture != p.Architecture {
				x.problem(field.Invalid(at().Child("platform", "architecture"), p.Architecture,
					fmt.Sprintf("the cron %q is for %q; remove it, or list no other architecture", out.name, out.architecture)))
			}
		}
	}
	if is := source.Registry.ImageStream; x.o.ReportImageStreams && is != nil && *is != "" {
		x.note(FindingImageStream, d.template, "", at().Child("imageStream"),
			"%q must be imported with importMode PreserveOriginal: in Legacy mode it holds one architecture only", *is)
	}
}

func tooLong(at *field.Path, value string, limit int, why string) *field.Error {
	err := field.TooLong(at, value, limit)
	err.BadValue = value
	err.Detail += ": " + why
	return err
}

func longest(a, b string) string {
	if len(b) > len(a) || len(b) == len(a) && cmp.Less(b, a) {
		return b
	}
	return a
}
