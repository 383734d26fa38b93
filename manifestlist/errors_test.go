package manifestlist

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

func TestErrorSaysWhereWhatAndWhy(t *testing.T) {
	e := &IndexError{Code: CodeInvalidSize, Child: &ChildRef{Position: 2}, Path: "children[2].size", Value: "-5", Want: "at least 1", Err: io.EOF}
	for _, part := range []string{"children[2].size", "InvalidSize", `"-5"`, "at least 1", io.EOF.Error()} {
		if !strings.Contains(e.Error(), part) {
			t.Errorf("%q does not say %s", e.Error(), part)
		}
	}
	if want := `children[2].size: InvalidSize "-5": want at least 1: EOF`; e.Error() != want {
		t.Errorf("%s, want %s", e.Error(), want)
	}
	if !errors.Is(e, io.EOF) {
		t.Error("the cause is lost")
	}
	if got := (&IndexError{Code: CodeTooLarge}).Error(); got != "TooLarge" {
		t.Errorf("got %q", got)
	}
}

// TestTextsCutLongValues: half a megabyte of an input is not repeated.
func TestTextsCutLongValues(t *testing.T) {
	long, number := strings.Repeat("x", 1000), strings.Repeat("1", 1000)
	cut := func(what, text string) {
		t.Helper()
		if !strings.Contains(text, "(128 of 1") || strings.Contains(text, long[:129]) || strings.Contains(text, number[:129]) {
			t.Errorf("%s is not cut: %s", what, text)
		}
	}
	fails := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Fatalf("%s: no error", what)
		}
		cut(what, err.Error())
	}
	longOn := on("linux/" + long)
	manifest := []byte(`{"schemaVersion":2,"mediaType":"` + long + `"}`)
	_, err := Assemble([]Child{{Descriptor: ocispec.Descriptor{MediaType: "a/" + long, Digest: longOn.Descriptor.Digest, Size: -1}}, {Manifest: manifest, Descriptor: ocispec.Descriptor{MediaType: "a/b"}}}, Options{})
	fails("what the manifest says", err)
	_, err = Assemble(children("linux/amd64"), Options{Required: required("linux/" + long)})
	fails("a platform that is missing", err)
	_, err = Assemble([]Child{longOn}, Options{Required: required("linux/amd64")})
	fails("a platform that is there", err)
	_, err = Assemble([]Child{longOn, longOn}, Options{})
	fails("a duplicate", err)
	_, err = Parse([]byte(`{"schemaVersion":` + number + `}`))
	fails("a number", err)
	_, err = Assemble([]Child{with(image("linux/amd64@"+long), func(c *Child) { c.Descriptor.Platform = platform("linux/amd64@1") })}, Options{})
	fails("what the config says", err)
	_, err = Select(entries("linux/"+long), *platform("linux/amd64"), SelectOptions{})
	fails("what there is", err)
	_, err = Select(entries("linux/amd64"), *platform("linux/" + long), SelectOptions{})
	fails("what is wanted", err)

	r := mustAssemble(t, []Child{longOn}, Options{})
	cut("an unknown platform", r.Findings[0].Detail)
	r, err = Update(mustParse(t, r.Bytes), nil, Options{Remove: required("linux/" + long)})
	if err != nil {
		t.Fatal(err)
	}
	cut("a platform that was removed", r.Findings[0].Detail)
	of := func(d string) string {
		return `{"digest":"` + long + `","platform":{"os":"` + d + `","architecture":"` + d + `"},"annotations":{"vnd.docker.reference.digest":"` + long + `"}}`
	}
	r, err = Update(mustParse(t, []byte(`{"schemaVersion":2,"manifests":[`+of("x")+`,`+of("unknown")+`]}`)), nil, Options{Remove: required("x/x")})
	if err != nil {
		t.Fatal(err)
	}
	cut("an image that left", r.Findings[1].Detail)
}

func TestTextsListFewPlatforms(t *testing.T) {
	var index ocispec.Index
	for _, c := range benchChildren(1000) {
		index.Manifests = append(index.Manifests, c.Descriptor)
	}
	_, err := Select(index, *platform("none/none"), SelectOptions{})
	if err == nil || len(err.Error()) > 2000 || !strings.Contains(err.Error(), "and 968 more") {
		t.Errorf("an error nobody reads: %.3000v", err)
	}
}

func TestErrorsGiveEachError(t *testing.T) {
	_, err := Assemble([]Child{on("linux/amd64"), {Manifest: []byte("{")}, named("x", "linux/amd64")}, Options{})
	var all IndexErrors
	if !errors.As(err, &all) || len(all) != 2 {
		t.Fatalf("errors %v, want two", err)
	}
	var first *IndexError
	if !errors.As(err, &first) || first != all[0] {
		t.Errorf("errors.As finds %v", first)
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		t.Error("the cause of the first is lost")
	}
	for _, e := range all {
		if !errors.Is(err, e) || !strings.Contains(err.Error(), e.Error()) {
			t.Errorf("%v is not in %v", e, err)
		}
	}
}

func TestNoMatchErrorSaysWhatThereIs(t *testing.T) {
	for words, parts := range map[string][]string{
		"":                                {"linux/s390x", "nothing"},
		"nil":                             {"index has 1 without"},
		"linux/amd64 windows/arm64@1 nil": {"linux/s390x", "Strict", "linux/amd64", "windows/arm64(1)", "1 without"},
	} {
		_, err := Select(entries(words), ocispec.Platform{OS: "linux", Architecture: "s390x"}, SelectOptions{})
		if err == nil {
			t.Fatalf("[%s]: no error", words)
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q does not say %s", err, part)
			}
		}
	}
}

func TestChildRefString(t *testing.T) {
	for want, ref := range map[string]ChildRef{
		"children[0]":               {},
		"children[2]":               {Position: 2},
		"children[arm64.tar]":       {Position: 2, Name: "arm64.tar"},
		`children["a\nb"]`:          {Name: "a\nb"},
		`children["say \"arm64\""]`: {Name: `say "arm64"`},
		"manifests[1]":              {Position: 1, Entry: true},
	} {
		if got := ref.String(); got != want {
			t.Errorf("%+v is %s, want %s", ref, got, want)
		}
	}
}
