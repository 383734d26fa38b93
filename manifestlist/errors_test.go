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
	if !errors.Is(e, io.EOF) {
		t.Error("the cause is lost")
	}
	if got := (&IndexError{Code: CodeTooLarge}).Error(); got != "TooLarge" {
		t.Errorf("got %q", got)
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
