package payloadarchtest

import (
	"encoding/json"
	"math"
	"strings"

	"pgregory.net/rapid"
)

const architectureKey = "release.openshift.io/architecture"

// A MetadataCase is a row of a release metadata document.
type MetadataCase struct {
	Rule, Name, Data string
	Want             Answer
}

// MetadataCases returns the rows of ReleaseMetadata.
func MetadataCases() []MetadataCase {
	single, isMulti, refused := Answer{Kind: KindSingle}, Answer{Kind: KindMulti}, Answer{KindUnknown, true}
	const kind = `{"kind":"cincinnati-metadata-v0"}`
	withKind := func(members string) string { return `{"kind":"cincinnati-metadata-v0",` + members + `}` }
	return []MetadataCase{
		{"metadata-multi", "multi", Document(`"release.openshift.io/architecture":"multi"`), isMulti},
		{"metadata-multi", "among others", Document(`"url":"https://example.com","release.openshift.io/architecture":"multi","description":""`), isMulti},
		{"metadata-multi", "escapes in the value", Document(`"release.openshift.io/architecture":"mult\u0069"`), isMulti},
		{"metadata-multi", "escapes in the key", Document(`"release.openshift.io\/architecture":"multi"`), isMulti},
		{"metadata-multi", "white space around the document", " \r\n\t" + Document(`"release.openshift.io/architecture":"multi"`) + "\n\n", isMulti},
		{"metadata-multi", "metadata in two objects", withKind(`"metadata":{"release.openshift.io/architecture":"multi"},"metadata":{"url":""}`), isMulti},
		{"metadata-multi", "top-level keys in another letter case, as upstream", `{"Kind":"cincinnati-metadata-v0","METADATA":{"release.openshift.io/architecture":"multi"}}`, isMulti},
		{"metadata-without-kind", "multi", `{"metadata":{"release.openshift.io/architecture":"multi"}}`, isMulti},
		{"metadata-without-kind", "an empty object", `{}`, single},

		{"metadata-no-key", "other keys", Document(`"url":"https://example.com"`), single},
		{"metadata-no-key", "empty metadata", Document(``), single},
		{"metadata-no-key", "no metadata", `{"kind":"cincinnati-metadata-v0","version":"4.1.0"}`, single},
		{"metadata-no-key", "metadata null", withKind(`"metadata":null`), single},
		{"metadata-no-key", "metadata forgotten by a null behind it", withKind(`"metadata":{"release.openshift.io/architecture":"multi"},"metadata":null`), single},
		{"metadata-no-key", "the key outside of metadata", withKind(`"release.openshift.io/architecture":"multi"`), single},
		{"metadata-no-key", "the key deeper in metadata", Document(`"x":{"release.openshift.io/architecture":"multi"}`), single},
		{"metadata-key-case", "another letter case", Document(`"Release.openshift.io/Architecture":"multi"`), single},
		{"metadata-key-case", "both spellings", Document(`"RELEASE.OPENSHIFT.IO/ARCHITECTURE":"x","release.openshift.io/architecture":"multi","Release.openshift.io/architecture":1`), isMulti},

		{"metadata-other-string", "Multi", Document(`"release.openshift.io/architecture":"Multi"`), refused},
		{"metadata-other-string", "an architecture", Document(`"release.openshift.io/architecture":"amd64"`), refused},
		{"metadata-other-string", "empty", Document(`"release.openshift.io/architecture":""`), refused},
		{"metadata-other-string", "blanks around it", Document(`"release.openshift.io/architecture":" multi"`), refused},
		{"metadata-other-string", "not UTF-8", Document("\"release.openshift.io/architecture\":\"multi\xff\""), refused},
		{"metadata-no-string", "null", Document(`"release.openshift.io/architecture":null`), refused},
		{"metadata-no-string", "true", Document(`"release.openshift.io/architecture":true`), refused},
		{"metadata-no-string", "a number", Document(`"release.openshift.io/architecture":1`), refused},
		{"metadata-no-string", "a list", Document(`"release.openshift.io/architecture":["multi"]`), refused},
		{"metadata-no-string", "an object", Document(`"release.openshift.io/architecture":{"multi":true}`), refused},
		{"metadata-key-twice", "different values", Document(`"release.openshift.io/architecture":"x","release.openshift.io/architecture":"multi"`), refused},
		{"metadata-key-twice", "the same value", Document(`"release.openshift.io/architecture":"multi","release.openshift.io/architecture":"multi"`), refused},
		{"metadata-key-twice", "once in each of two metadata", withKind(`"metadata":{"release.openshift.io/architecture":"multi"},"metadata":{"release.openshift.io/architecture":"x"}`), refused},

		{"metadata-unreadable", "over 1 MiB", kind + strings.Repeat(" ", 1<<20-len(kind)+1), refused},
		{"metadata-unreadable", "no bytes", "", refused},
		{"metadata-unreadable", "white space only", " \n", refused},
		{"metadata-unreadable", "no JSON", "kind: x", refused},
		{"metadata-unreadable", "a byte order mark", "\xef\xbb\xbf" + kind, refused},
		{"metadata-unreadable", "a bad byte within", `{"kind":?}`, refused},
		{"metadata-unreadable", "a bad last byte", `{]`, refused},
		{"metadata-unreadable", "ends too soon", kind[:len(kind)-1], refused},
		{"metadata-unreadable", "ends within a literal", "nul", refused},
		{"metadata-unreadable", "too deep", strings.Repeat("[", 10001), refused},
		{"metadata-unreadable", "another document behind it", kind + "\n" + kind, refused},
		{"metadata-unreadable", "a NUL behind it", kind + "\x00", refused},
		{"metadata-unreadable", "a list", `["kind"]`, refused},
		{"metadata-unreadable", "a string", "\"x\"\n", refused},
		{"metadata-unreadable", "null", "  null", refused},
		{"metadata-unreadable", "metadata no object", `{"metadata":"multi"}`, refused},
		{"metadata-unreadable", "a second metadata no object", `{"metadata":{}, "Metadata": [] }`, refused},
		{"metadata-unreadable", "metadata null, then no object", `{"metadata":null,"metadata":1}`, refused},
		{"metadata-unreadable", "another kind", `{"kind":"cincinnati-metadata-v1"}`, refused},
		{"metadata-unreadable", "an empty kind", `{"kind":""}`, refused},
		{"metadata-unreadable", "kind null", `{"kind":null}`, refused},
		{"metadata-unreadable", "kind no string", `{"kind":{}}`, refused},
		{"metadata-unreadable", "a second kind", `{"kind":"cincinnati-metadata-v0","kind":1,"kind":"cincinnati-metadata-v0"}`, refused},
	}
}

// A ValueCase is a row of the parsed value of the key.
type ValueCase struct {
	Rule, Name string
	Value      any
	Present    bool
	Want       Answer
}

// ValueCases returns the rows of ReleaseArchitecture.
func ValueCases() []ValueCase {
	single, isMulti, refused := Answer{Kind: KindSingle}, Answer{Kind: KindMulti}, Answer{KindUnknown, true}
	type text string
	return []ValueCase{
		{"metadata-multi", "value: multi", "multi", true, isMulti},
		{"metadata-no-key", "value: none", nil, false, single},
		{"metadata-no-key", "value: none, whatever is given", "multi", false, single},
		{"metadata-other-string", "value: Multi", "Multi", true, refused},
		{"metadata-other-string", "value: empty", "", true, refused},
		{"metadata-no-string", "value: null", nil, true, refused},
		{"metadata-no-string", "value: a number", 1.5, true, refused},
		{"metadata-no-string", "value: a list", []any{"multi"}, true, refused},
		{"metadata-no-string", "value: an object", map[string]any{"multi": true}, true, refused},
		{"metadata-no-string", "value: another type of string, which no JSON decodes to", text("multi"), true, refused},
		{"metadata-no-string", "value: what JSON cannot hold", math.Inf(1), true, refused},
		{"metadata-no-string", "value: a function", func() {}, true, refused},
	}
}

type valueInput struct {
	Value   any
	Present bool
}

func metadataRows() (rows []row) {
	for _, c := range MetadataCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasMetadata, Call: func(i Impl) outcome {
			return outcome{Input: c.Data, Want: c.Want, Got: answer(i.ReleaseMetadata([]byte(c.Data)))}
		}})
	}
	for _, c := range ValueCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasValue, Call: func(i Impl) outcome {
			return outcome{Input: valueInput{c.Value, c.Present}, Want: c.Want, Got: answer(i.ReleaseArchitecture(c.Value, c.Present))}
		}})
	}
	return append(rows, row{Rule: "metadata-key-twice-named", Name: "two values", Implemented: hasMetadata, Call: func(i Impl) outcome {
		data := Document(`"release.openshift.io/architecture":"one","release.openshift.io/architecture":"two"`)
		type named struct{ First, Second bool }
		_, err := i.ReleaseMetadata([]byte(data))
		text := errorText(err)
		return outcome{Input: data, Want: named{true, true}, Got: named{strings.Contains(text, `one`), strings.Contains(text, `two`)}}
	}})
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func metadataProperties() (all []property) {
	add := func(rule, name string, draw func(*rapid.T) string) {
		all = append(all, property{Rule: rule, Name: name, Implemented: hasMetadata, Call: func(t *rapid.T, i Impl) outcome {
			data := draw(t)
			want, _ := OracleMetadata([]byte(data))
			return outcome{Input: data, Want: want, Got: answer(i.ReleaseMetadata([]byte(data)))}
		}})
	}
	for _, rule := range metadataRules() {
		add(rule, "any document", func(t *rapid.T) string { return DocumentOf(rule).Draw(t, "document") })
	}
	add("metadata-unreadable", "cut off", func(t *rapid.T) string {
		data := DocumentOf(rapid.SampledFrom(metadataRules()).Draw(t, "situation")).Draw(t, "document")
		return data[:rapid.IntRange(0, len(data)-1).Draw(t, "length")]
	})
	add("metadata-unreadable", "data behind it", func(t *rapid.T) string {
		data := DocumentOf(rapid.SampledFrom(metadataRules()).Draw(t, "situation")).Draw(t, "document")
		return data + rapid.SampledFrom([]string{"{}", "\x00", "null", " x", ","}).Draw(t, "behind")
	})
	return append(all, property{Rule: "metadata-value-as-document", Name: "any value", Implemented: hasBothMetadata, Call: func(t *rapid.T, i Impl) outcome {
		in := valueInput{Values().Draw(t, "value"), rapid.IntRange(0, 9).Draw(t, "present") > 0}
		metadata := map[string]any{"url": "https://example.com"}
		if in.Present {
			metadata[architectureKey] = in.Value
		}
		data, err := json.Marshal(map[string]any{"kind": "cincinnati-metadata-v0", "metadata": metadata})
		if err != nil {
			t.Fatal(err)
		}
		return outcome{Input: in, Want: answer(i.ReleaseMetadata(data)), Got: answer(i.ReleaseArchitecture(in.Value, in.Present))}
	}})
}
