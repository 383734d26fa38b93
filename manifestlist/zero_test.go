package manifestlist

import (
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/polyarch/polyarch/internal/zerotest"
)

func TestZeroValues(t *testing.T) {
	full, opts := everyKind()
	r := mustAssemble(t, full, opts)
	x := mustParse(t, r.Bytes)
	choice, err := Select(x.Index, *platform("linux/amd64"), SelectOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Select(x.Index, *platform("none/none"), SelectOptions{})
	var none *NoMatchError
	if !errors.As(err, &none) {
		t.Fatal(err)
	}
	_, err = Assemble(children("linux/amd64", "linux/amd64"), Options{})
	var refused IndexErrors
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	zerotest.Check(t,
		Attestations(""), Duplicates(""), Nested(""), Format(""), Policy(""), Options{}, SelectOptions{}, opts,
		Child{}, full[1], x.Children()[0], Index{}, x, Source{}, x.Source,
		Result{}, r, Finding{}, r.Findings[0], FindingCode(""), Choice{}, choice, Reason(""),
		Code(""), IndexError{}, *refused[0], IndexErrors(nil), IndexErrors{nil}, refused, ChildRef{}, *refused[0].Other,
		NoMatchError{}, *none,
	)
}

// What a zero value or a missing cause prints is for whoever debugs.
func TestZeroErrorsPrint(t *testing.T) {
	var missing *IndexError
	for name, tc := range map[string]struct {
		err  error
		want string
	}{
		"an error about nobody":  {&IndexError{}, "IndexError"},
		"no error":               {missing, "nil IndexError"},
		"no error among errors":  {IndexErrors{nil, {Code: CodeTooLarge}}, "nil IndexError\nTooLarge"},
		"no errors":              {IndexErrors{}, "no IndexError"},
		"nothing out of nothing": {&NoMatchError{}, "no entry for / under policy Strict; the index has nothing"},
	} {
		if got := tc.err.Error(); got != tc.want {
			t.Errorf("%s prints %q, want %q", name, got, tc.want)
		}
	}
	if missing.Unwrap() != nil || errors.Is(IndexErrors{nil}, io.EOF) {
		t.Error("no error has a cause")
	}
	if (&IndexError{}).Child != nil || (&IndexError{}).Other != nil {
		t.Error("the zero value blames a child")
	}
}

func TestFindingString(t *testing.T) {
	for want, f := range map[string]Finding{
		"":                    {},
		"detail":              {Code: FindingEmpty, Detail: "detail"},
		"children[a]: detail": {Code: FindingFlattened, Path: "children[a]", Detail: "detail"},
	} {
		if got := f.String(); got != want {
			t.Errorf("%+v prints %q, want %q", f, got, want)
		}
	}
}

// Two parsed indexes are compared by what image-spec has no field for as well.
func TestResultsCompare(t *testing.T) {
	full, opts := everyKind()
	one, other := mustAssemble(t, full, opts), mustAssemble(t, full, Options{Nested: Flatten, Duplicates: ReplaceDuplicates})
	if cmp.Diff(one, one) != "" || cmp.Diff(one, other) == "" {
		t.Error("cmp.Diff does not tell results apart")
	}
	if x, y := mustParse(t, one.Bytes), mustParse(t, other.Bytes); cmp.Diff(x, x) != "" || cmp.Diff(x.Source, y.Source) == "" {
		t.Error("cmp.Diff does not tell indexes apart")
	}
}
