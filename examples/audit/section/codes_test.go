package section_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/polyarch/polyarch/examples/audit/report"
	_ "github.com/polyarch/polyarch/examples/audit/section"
)

// notHere are the findings of packages that no object of a cluster leads to.
var notHere = []string{
	// Of the release image's index and of release metadata.
	"payload.ArchitectureAlias", "payload.UnknownArchitecture", "payload.MetadataKeySpelling", "payload.PlatformMissing",
	"payload.OtherOperatingSystem", "payload.Attestation", "payload.NoPayloadArchitecture",
	// Of a HostedCluster: those codes begin with hosted.
	"payload.HostedClusterVersion", "payload.HostedConflict",
	// Of requests, and of tags, which have codes of their own.
	"chain.LegacyIgnored", "chain.UnknownStoredMode", "chain.UnknownClusterMode", "chain.LegacyOverPreserveOriginal",
	// Of the images of a release, which no object of a cluster lists.
	"osstreams.NotDockerImage", "osstreams.NotInspected", "osstreams.PayloadUnread", "osstreams.Incomplete", "osstreams.NoStreamLabel",
	"osstreams.UnknownRole", "osstreams.TwoRoles", "osstreams.IncompletePair", "osstreams.DuplicateImage", "osstreams.Overridden",
	"osstreams.SourceUnusable", "osstreams.NameAssumed", "osstreams.NotOffered", "osstreams.RetiredKept", "osstreams.Unannotated",
}

// TestEveryFindingHasACode holds that whatever a package may find has a code, with a
// level, an impact and a remedy.
func TestEveryFindingHasACode(t *testing.T) {
	for prefix, dir := range map[string]string{
		"payload": "payloadarch", "nodes": "payloadarch/nodearch", "chain": "importmode", "bootsources": "dictexpand",
		"osbuilds": "manifestlist/buildplan", "osstreams": "osimagestream",
	} {
		for _, finding := range findings(t, filepath.Join("..", "..", "..", dir)) {
			code := prefix + "." + finding
			_, there := report.Lookup(code)
			if there == slices.Contains(notHere, code) {
				t.Errorf("%s of %s: there is a code: %v, it is listed as one that does not come: %v", code, dir, there, !there)
			}
		}
	}
}

// findings are the values of the constants of type FindingCode.
func findings(t *testing.T, dir string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			if kind, ok := spec.Type.(*ast.Ident); !ok || kind.Name != "FindingCode" {
				return true
			}
			if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
				value, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, value)
			}
			return true
		})
	}
	if len(values) == 0 {
		t.Errorf("%s: no finding was found", dir)
	}
	return values
}

// TestCodesAreWhole holds that each code is there once, with all that an entry needs.
func TestCodesAreWhole(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+\.[A-Z][A-Za-z]+$`)
	last := ""
	for _, c := range report.Codes() {
		if c.Code == last || !form.MatchString(c.Code) || c.Impact == "" || c.Remedy == "" {
			t.Errorf("%+v", c)
		}
		if !slices.Contains([]report.Level{report.Broken, report.Risk, report.Note}, c.Level) {
			t.Errorf("%s: level %q", c.Code, c.Level)
		}
		last = c.Code
	}
}

// Every code that the program makes an entry of is registered.
func TestEveryEntryHasACode(t *testing.T) {
	call := regexp.MustCompile(`report\.New\("([A-Za-z.]+)"(\+?)`)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range call.FindAllStringSubmatch(string(text), -1) {
			if m[2] == "+" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			if _, ok := report.Lookup(m[1]); !ok {
				t.Errorf("%s: %s is not registered", name, m[1])
			}
		}
	}
}
