package payloadarchtest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
)

// A SetCase is a row of a set: the names, or a text, and its text form.
type SetCase struct {
	Rule, Name string
	Names      []string
	Text       string
}

// SetCases returns the rows of FormatSet.
func SetCases() []SetCase {
	return []SetCase{
		{"set-text-form", "nothing", nil, ""},
		{"set-text-form", "one", []string{"arm64"}, "arm64"},
		{"set-text-form", "ascending", []string{"s390x", "amd64", "arm64"}, "amd64,arm64,s390x"},
		{"set-text-form", "each once", []string{"amd64", "amd64"}, "amd64"},
		{"set-noise", "blanks around a name", []string{" arm64\t", "arm64"}, "arm64"},
		{"set-noise", "empty names", []string{"", "amd64", " "}, "amd64"},
		{"set-noise", "a name with commas is several", []string{"s390x,amd64", ","}, "amd64,s390x"},
		{"set-names-kept", "aliases are other names", []string{"x86_64", "amd64"}, "amd64,x86_64"},
		{"set-names-kept", "unknown names", []string{"riscv64"}, "riscv64"},
	}
}

// ParseSetCases returns the rows of ParseSet: the text is read, and the names are what
// it holds.
func ParseSetCases() []SetCase {
	return []SetCase{
		{"set-round-trip", "a text form", []string{"amd64", "arm64"}, "amd64,arm64"},
		{"set-round-trip", "the empty text", nil, ""},
		{"set-noise", "what somebody typed", []string{"amd64", "s390x"}, " s390x ,amd64,, amd64,\n"},
		{"set-names-kept", "bytes that are no architecture", []string{"a\x00b", "\xff"}, "\xff,a\x00b"},
	}
}

func list(names []string) []string { return append([]string{}, names...) }

func setRows() (rows []row) {
	for _, c := range SetCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasFormatSet, Call: func(i Impl) outcome {
			return outcome{Input: c.Names, Want: c.Text, Got: i.FormatSet(slices.Clone(c.Names))}
		}})
	}
	for _, c := range ParseSetCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasParseSet, Call: func(i Impl) outcome {
			return outcome{Input: c.Text, Want: list(c.Names), Got: list(i.ParseSet(c.Text))}
		}})
	}
	return rows
}

func setProperties() []property {
	format := func(rule string, names *rapid.Generator[[]string]) property {
		return property{Rule: rule, Name: "any names", Implemented: hasFormatSet, Call: func(t *rapid.T, i Impl) outcome {
			in := names.Draw(t, "names")
			return outcome{Input: in, Want: strings.Join(OracleSet(in...), ","), Got: i.FormatSet(slices.Clone(in))}
		}}
	}
	return []property{
		format("set-text-form", rapid.SliceOfN(rapid.SampledFrom(architectures()), 0, 6)),
		format("set-noise", TypedNames()),
		format("set-names-kept", Names()),
		{Rule: "set-round-trip", Name: "what was written", Implemented: hasBothSet, Call: func(t *rapid.T, i Impl) outcome {
			in := Names().Draw(t, "names")
			return outcome{Input: in, Want: OracleSet(in...), Got: list(i.ParseSet(i.FormatSet(slices.Clone(in))))}
		}},
		{Rule: "set-round-trip", Name: "any text", Implemented: hasParseSet, Call: func(t *rapid.T, i Impl) outcome {
			text := rapid.OneOf(rapid.String(), rapid.Map(TypedNames(), func(names []string) string { return strings.Join(names, ",") })).Draw(t, "text")
			return outcome{Input: text, Want: OracleSet(text), Got: list(i.ParseSet(text))}
		}},
	}
}

// textRows shows values of half a megabyte, of which no text repeats more than 128
// characters.
func textRows() (rows []row) {
	huge := strings.Repeat("x", 500_000)
	type texts struct{ Error, Cut bool }
	add := func(name string, has func(Impl) bool, call func(Impl) (Kind, error)) {
		rows = append(rows, row{Rule: "texts-cut", Name: name, Implemented: has, Call: func(i Impl) outcome {
			_, err := call(i)
			cut := !strings.Contains(errorText(err), huge[:129])
			return outcome{Input: "half a megabyte of x", Want: texts{true, true}, Got: texts{err != nil, cut}}
		}})
	}
	const key = `"release.openshift.io/architecture":`
	metadata := func(data string) func(Impl) (Kind, error) {
		return func(i Impl) (Kind, error) { return i.ReleaseMetadata([]byte(data)) }
	}
	add("the architecture", hasClusterVersion, func(i Impl) (Kind, error) {
		return i.ClusterVersion(ClusterVersion(configv1.ClusterVersionArchitecture(huge), VersionA, ImageA), nil)
	})
	add("payloadArch", hasHostedCluster, func(i Impl) (Kind, error) { return i.HostedCluster(huge) })
	add("the value of the key", hasValue, func(i Impl) (Kind, error) { return i.ReleaseArchitecture(huge, true) })
	add("a string of a document", hasMetadata, metadata(Document(key+`"`+huge+`"`)))
	add("a list of a document", hasMetadata, metadata(Document(key+`["`+huge+`"]`)))
	add("the key twice", hasMetadata, metadata(Document(key+`"`+huge+`",`+key+`"`+huge+`"`)))
	add("another kind", hasMetadata, metadata(`{"kind":"`+huge+`"}`))
	add("not an object", hasMetadata, metadata(`"`+huge+`"`))
	return rows
}
