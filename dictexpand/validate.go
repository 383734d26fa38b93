package dictexpand

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/quote"
)

// maxAnnotations is how many bytes the API server admits in annotations, keys and
// values together.
const maxAnnotations = 256 << 10

// validate reports everything for which the API server or CDI would surely refuse
// an output of the draft, and every architecture that cannot be set.
func (x *expander) validate(d *draft) {
	t := d.template
	x.validateNamespace(d)
	nameSuffix, dataSourceSuffix := "", ""
	for _, out := range d.outputs.all() {
		nameSuffix = longest(nameSuffix, out.name[len(t.Name):])
		dataSourceSuffix = longest(dataSourceSuffix, out.dataSource[len(t.Spec.ManagedDataSource):])
		if out.architecture == "" {
			continue
		}
		if why := checkSubdomain(out.architecture); why != nil {
			x.problem(field.Invalid(path(t).Child("metadata", "annotations").Key(AnnotationArchitectures), quote.Cut(out.architecture),
				"cannot be part of a name: "+strings.Join(why, "; ")))
		}
	}
	x.validateName(t, []string{"metadata", "name"}, t.Name, nameSuffix)
	x.validateName(t, []string{"spec", "managedDataSource"}, t.Spec.ManagedDataSource, dataSourceSuffix)
	x.validateLabels(t)
	x.validateAnnotations(t)
	x.validateArchitecture(d)
	x.validateSpec(t)
	x.validateCallers(d)
}

func (x *expander) validateNamespace(d *draft) {
	at := func() *field.Path { return path(d.template).Child("metadata", "namespace") }
	if d.outcome.Namespace == "" {
		x.problem(field.Required(at(), "the template names none, and there is no default namespace"))
	} else if why := checkNamespace(d.outcome.Namespace); why != nil {
		x.problem(field.Invalid(at(), quote.Cut(d.outcome.Namespace), strings.Join(why, "; ")))
	}
}

func (x *expander) validateName(t *Template, at []string, value, suffix string) {
	where := func() *field.Path { return path(t).Child(at[0], at[1:]...) }
	if value == "" {
		x.problem(field.Required(where(), fmt.Sprintf("the DataImportCron needs it (name %s, managedDataSource %s)",
			quote.Quote(t.Name), quote.Quote(t.Spec.ManagedDataSource))))
		return
	}
	// Where apimachinery would complain of the length, ours is exceeded too.
	if why := checkSubdomain(value); why != nil && len(value) <= validation.DNS1123SubdomainMaxLength {
		x.problem(field.Invalid(where(), quote.Cut(value), strings.Join(why, "; ")))
	}
	if limit := MaxNameLength - len(suffix); len(value) > limit {
		why := fmt.Sprintf("CDI admits %d", MaxNameLength)
		if suffix != "" {
			why += fmt.Sprintf(", and %s is appended", quote.Quote(suffix))
		}
		x.problem(tooLong(where(), value, limit, why))
	}
}

func (x *expander) validateLabels(t *Template) {
	for key, value := range t.Labels {
		at := func() *field.Path { return path(t).Child("metadata", "labels") }
		if why := checkKey(key); why != nil {
			x.problem(field.Invalid(at(), quote.Cut(key), strings.Join(why, "; ")))
		}
		switch why := checkLabelValue(value); {
		case len(value) > validation.LabelValueMaxLength:
			x.problem(tooLong(at().Key(quote.Cut(key)), value, validation.LabelValueMaxLength, "no value of a label may be longer"))
		case why != nil:
			x.problem(field.Invalid(at().Key(quote.Cut(key)), quote.Cut(value), strings.Join(why, "; ")))
		}
	}
}

func (x *expander) validateAnnotations(t *Template) {
	at := func() *field.Path { return path(t).Child("metadata", "annotations") }
	size := 0
	for key, value := range t.Annotations {
		if key == AnnotationArchitectures {
			continue
		}
		size += len(key) + len(value)
		if isPlainKey(key) {
			continue
		}
		// The API server does not mind capitals here.
		if why := checkKey(strings.ToLower(key)); why != nil {
			x.problem(field.Invalid(at(), quote.Cut(key), strings.Join(why, "; ")))
		}
	}
	if size > maxAnnotations {
		x.problem(field.TooLong(at(), "", maxAnnotations))
	}
}

// validateArchitecture reports why the architecture cannot be set in the source.
func (x *expander) validateArchitecture(d *draft) {
	if !slices.ContainsFunc(d.outputs.all(), func(out output) bool { return out.architecture != "" }) {
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
		for _, out := range d.outputs.all() {
			if out.architecture != p.Architecture {
				x.problem(field.Invalid(at().Child("platform", "architecture"), quote.Cut(p.Architecture),
					fmt.Sprintf("the cron %s is for %s; remove it, or list no other architecture", quote.Quote(out.name), quote.Quote(out.architecture))))
			}
		}
	}
	if is := source.Registry.ImageStream; x.o.ReportImageStreams && is != nil && *is != "" {
		x.note(FindingImageStream, d.template, "", at().Child("imageStream"),
			"%s must be imported with importMode PreserveOriginal: in Legacy mode it holds one architecture only", quote.Quote(*is))
	}
}

// validateCallers reports that the reference of the draft would be a DataSource
// that the caller makes itself.
func (x *expander) validateCallers(d *draft) {
	if len(d.images.all()) == 0 || d.outcome.Namespace != x.o.Namespace {
		return
	}
	if ds, ok := x.callers[d.outcome.DataSource]; ok {
		x.problem(field.Invalid(path(d.template).Child("spec", "managedDataSource"), quote.Cut(d.outcome.DataSource),
			fmt.Sprintf("it is made already, as %s for one architecture, and cannot lead to others; name %s", quote.Quote(ds), quote.Quote(ds))))
	}
}

func tooLong(at *field.Path, value string, limit int, why string) *field.Error {
	err := field.TooLong(at, value, limit)
	err.BadValue = quote.Cut(value)
	err.Detail += ": " + why
	return err
}

func longest(a, b string) string {
	if len(b) > len(a) || len(b) == len(a) && cmp.Less(b, a) {
		return b
	}
	return a
}
