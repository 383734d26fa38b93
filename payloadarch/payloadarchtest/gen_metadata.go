package payloadarchtest

import (
	"encoding/json"
	"strings"

	"pgregory.net/rapid"
)

// metadataRules are the rules that decide on a document that can be read.
func metadataRules() []string {
	return []string{"metadata-multi", "metadata-no-key", "metadata-other-string", "metadata-no-string", "metadata-key-twice", "metadata-key-case"}
}

// Values draws what encoding/json decodes to: multi and its like, strings, and one in
// two something other than a string.
func Values() *rapid.Generator[any] {
	return rapid.OneOf(noString(), rapid.Custom(func(t *rapid.T) any {
		return rapid.OneOf(rapid.SampledFrom([]string{"multi", "Multi", "", "amd64", " multi"}), rapid.String()).Draw(t, "string")
	}))
}

func noString() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 4).Draw(t, "type") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.Float64().Draw(t, "number")
		case 3:
			return []any{rapid.SampledFrom([]string{"multi", "x"}).Draw(t, "element")}
		}
		return map[string]any{rapid.SampledFrom([]string{"multi", "x"}).Draw(t, "key"): rapid.Bool().Draw(t, "member"), "a": "<&>"}
	})
}

// DocumentOf draws release metadata that the rule of this id decides on. Other keys,
// their order, spelling and white space are arbitrary.
func DocumentOf(rule string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var all []string
		for range rapid.IntRange(0, 3).Draw(t, "other members") {
			all = append(all, rapid.SampledFrom([]string{`"url":"https://example.com"`, `"description":""`, `"x":{"release.openshift.io/architecture":"multi"}`,
				`"architecture":"multi"`, `"release.openshift.io/architecture/":"multi"`, `"":null`}).Draw(t, "member"))
		}
		add := func(key, value string) { all = insert(t, all, key+":"+value) }
		key := rapid.SampledFrom([]string{`"release.openshift.io/architecture"`, `"release.openshift.io\/architecture"`, `"\u0072elease.openshift.io/architecture"`}).Draw(t, "key")
		switch rule {
		case "metadata-multi":
			add(key, rapid.SampledFrom([]string{`"multi"`, `"mult\u0069"`}).Draw(t, "value"))
		case "metadata-other-string":
			value := rapid.OneOf(rapid.SampledFrom([]string{"Multi", "MULTI", "", "amd64", "multi "}), rapid.Map(rapid.StringN(0, 6, -1), func(s string) string { return "x" + s }))
			add(key, asJSON(t, value.Draw(t, "value")))
		case "metadata-no-string":
			add(key, asJSON(t, noString().Draw(t, "value")))
		case "metadata-key-twice":
			add(key, asJSON(t, Values().Draw(t, "first")))
			add(`"`+architectureKey+`"`, asJSON(t, Values().Draw(t, "second")))
		case "metadata-key-case":
			misspelled := rapid.SampledFrom([]string{"RELEASE.OPENSHIFT.IO/ARCHITECTURE", "Release.openshift.io/architecture", "release.openshift.io/Architecture"})
			add(`"`+misspelled.Draw(t, "misspelled")+`"`, asJSON(t, Values().Draw(t, "value")))
		}
		outer := []string{`"kind":"cincinnati-metadata-v0"`, `"metadata":{` + strings.Join(all, ",") + `}`}
		if rapid.Bool().Draw(t, "version") {
			outer = append(outer, `"version":"4.19.0"`)
		}
		space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "white space")
		return space + "{" + space + strings.Join(rapid.Permutation(outer).Draw(t, "order"), ","+space) + "}"
	})
}

func asJSON(t *rapid.T, value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
