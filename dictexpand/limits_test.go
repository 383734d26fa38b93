package dictexpand_test

import (
	"strings"
	"testing"

	"github.com/polyarch/polyarch/dictexpand"
)

func TestLimits(t *testing.T) {
	testExpand(t, []expandRow{
		{
			name: "12: a name of 57 fits with the suffix",
			want: `a23456789-b23456789-c23456789-d23456789-e23456789-f234567: PerArchitecture
reference a23456789-b23456789-c23456789-d23456789-e23456789-f234567: FirstWithWorkload
`,
		},
		{
			name: "12,27: a name of 60 is too long with the suffix, and others go on",
			want: `blocked a23456789-b23456789-c23456789-d23456789-e23456789-f234567890: Invalid
y: PerArchitecture
reference n: FirstWithWorkload
problem TooLong at [a23456789-b23456789-c23456789-d23456789-e23456789-f234567890].metadata.name
`,
		},
		{
			name: "12: a managedDataSource of 58 is too long with the suffix",
			want: `blocked x: Invalid
problem TooLong at [x].spec.managedDataSource
`,
		},
		{
			name: "12: 63 fit without a suffix",
			want: `a23456789-b23456789-c23456789-d23456789-e23456789-f234567890123: NoAnnotation
`,
		},
		{
			name: "12: 64 do not fit",
			want: `blocked a23456789-b23456789-c23456789-d23456789-e23456789-f2345678901234: Invalid
problem TooLong at [a23456789-b23456789-c23456789-d23456789-e23456789-f2345678901234].metadata.name
problem TooLong at [a23456789-b23456789-c23456789-d23456789-e23456789-f2345678901234].spec.managedDataSource
`,
		},
		{
			name: "12: no DNS-1123 subdomain",
			want: `blocked X_y: Invalid
problem Invalid at [X_y].metadata.name
problem Invalid at [X_y].spec.managedDataSource
`,
		},
		{
			name: "12: name and managedDataSource missing",
			want: `blocked : Invalid
problem Required at [].metadata.name
problem Required at [].spec.managedDataSource
`,
		},
		{
			name: "12: no namespace at all",
			want: `blocked x: Invalid
problem Required at [x].metadata.namespace
`,
		},
		{
			name: "12: invalid label values",
			want: `blocked x: Invalid
problem TooLong at [x].metadata.labels[long]
problem Invalid at [x].metadata.labels[odd]
`,
		},
		{
			name: "12: an architecture of the cluster that fits into no name",
			want: `blocked x: Invalid
problem Invalid at [x].metadata.annotations[ARCHS]
`,
		},
	})
}

// What would be right must be in the error, in its machine-readable part too.
func TestTooLongSaysWhatFits(t *testing.T) {
	long := strings.Repeat("a", 60)
	e := dictexpand.Expand([]dictexpand.Template{template(long, "m", "amd64,arm64,s390x")}, func() dictexpand.Options {
		o := twoArchitectures()
		o.Architectures = append(o.Architectures, "s390x")
		return o
	}())
	if len(e.Problems) != 1 {
		t.Fatalf("problems: %v", e.Problems)
	}
	p := e.Problems[0]
	if p.BadValue != long || !strings.Contains(p.Detail, "57") {
		t.Errorf("problem %v: want the value and 57, the longest that fits", p)
	}
}

// The limits themselves fit.
func TestExactLimits(t *testing.T) {
	for _, tt := range []struct {
		name    string
		edit    func(*dictexpand.Template)
		refused bool
	}{
		{"12: a label of 63", func(x *dictexpand.Template) { x.Labels = map[string]string{"l": strings.Repeat("v", 63)} }, false},
		{"12: a label of 64", func(x *dictexpand.Template) { x.Labels = map[string]string{"l": strings.Repeat("v", 64)} }, true},
		{"12: a key of 63", func(x *dictexpand.Template) { x.Labels = map[string]string{strings.Repeat("k", 63): "v"} }, false},
		{"12: a key of 64", func(x *dictexpand.Template) { x.Labels = map[string]string{strings.Repeat("k", 64): "v"} }, true},
		{"12: a namespace of 63", func(x *dictexpand.Template) { x.Namespace = strings.Repeat("n", 63) }, false},
		{"12: a namespace of 64", func(x *dictexpand.Template) { x.Namespace = strings.Repeat("n", 64) }, true},
		{"12: a name of 63 with the suffix", func(x *dictexpand.Template) { x.Name = strings.Repeat("x", 63-len("-amd64")) }, false},
		{"12: a name of 64 with the suffix", func(x *dictexpand.Template) { x.Name = strings.Repeat("x", 64-len("-amd64")) }, true},
		{"12: a managedDataSource of 63 with the suffix", func(x *dictexpand.Template) { x.Spec.ManagedDataSource = strings.Repeat("m", 63-len("-amd64")) }, false},
		{"12: a managedDataSource of 64 with the suffix", func(x *dictexpand.Template) { x.Spec.ManagedDataSource = strings.Repeat("m", 64-len("-amd64")) }, true},
		{"12: annotations of 256 KiB, but for the architectures", func(x *dictexpand.Template) { x.Annotations["a"] = strings.Repeat("v", 256<<10-1) }, false},
		{"12: annotations of 256 KiB and a byte", func(x *dictexpand.Template) { x.Annotations["a"] = strings.Repeat("v", 256<<10) }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := template("x", "m", "amd64")
			tt.edit(&x)
			if e := dictexpand.Expand([]dictexpand.Template{x}, twoArchitectures()); len(e.Problems) > 0 != tt.refused {
				t.Errorf("problems %v", e.Problems)
			}
		})
	}
}
