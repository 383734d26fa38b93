package manifestlist

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

// TestSelectRules has rows for S1 to S7; containerd_test.go has more for S3.
func TestSelectRules(t *testing.T) {
	type row struct {
		name     string
		policy   Policy
		index    string
		want     string
		host     string
		position int // -1: NoMatchError, -2: CodeNestedIndex, -3: CodeUnknownOption
		reason   Reason
	}
	rows := []row{
		{"S1,S7: the zero policy", "", "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S6,S7: the reason under the zero policy", "", "linux/arm64", "linux/arm64/v8", "", 0, ReasonEquivalentVariant},
		{"S7: a policy that is not defined", "strict", "linux/amd64", "linux/amd64", "", -3, ""},
		{"S7: nothing under the zero policy", "", "linux/amd64", "linux/arm64", "", -1, ""},
		{"S1: a nested index is an entry like any other", Strict, "index:linux/amd64", "linux/amd64", "", 0, ReasonExact},
		{"S2: no platform is not half of one, the os", OpenShiftLegacy, "linux/s390x nil", "linux/", "", 0, ReasonFallbackFirst},
		{"S2: no platform is not half of one, the architecture", OpenShiftLegacy, "linux/s390x nil", "/amd64", "", 0, ReasonFallbackFirst},
		{"S2: linux/amd64 may be the first", OpenShiftLegacy, "linux/amd64 linux/arm64", "linux/s390x", "", 0, ReasonFallbackLinuxAMD64},
		{"S4: the first of two with zstd", ContainersImage, "zstd:linux/amd64 zstd:linux/amd64", "linux/amd64", "", 0, ReasonExact},
		{"S4: no lower variant for one it does not know", ContainersImage, "linux/arm/v7", "linux/arm/v9", "", -1, ""},
		{"S4: lower variants of the highest", ContainersImage, "linux/arm/v7", "linux/arm/v8", "", 0, ReasonCompatibleVariant},
		{"S4: a variant it does not know is not lower", ContainersImage, "linux/arm/v9", "linux/arm/v8", "", -1, ""},
	}
	for _, c := range manifestlisttest.SelectCases() {
		rows = append(rows, row{c.Name, Policy(c.Policy), c.Index, c.Want, c.Host, c.Position, Reason(c.Reason)})
	}
	for _, tc := range rows {
		t.Run(tc.name, func(t *testing.T) {
			opts := SelectOptions{Policy: tc.policy}
			if tc.host != "" {
				opts.Host = *platform(tc.host)
			}
			index := entries(tc.index)
			checkChoice(t, index, *platform(tc.want), opts, tc.position, tc.reason)
		})
	}
}

func checkChoice(t *testing.T, index ocispec.Index, want ocispec.Platform, opts SelectOptions, position int, reason Reason) {
	t.Helper()
	got, err := Select(index, want, opts)
	var none *NoMatchError
	var e *IndexError
	switch {
	case position >= 0:
		if err != nil {
			t.Fatal(err)
		}
		if want := (Choice{Position: position, Digest: index.Manifests[position].Digest, Reason: reason}); got != want {
			t.Errorf("chose %+v, want %+v", got, want)
		}
		return
	case position == -1:
		if !errors.As(err, &none) {
			t.Fatalf("chose %+v, error %v, want a NoMatchError", got, err)
		}
		if none.Policy == "" || !cmp.Equal(none.Wanted, want) || len(none.Have)+none.WithoutPlatform != len(index.Manifests) {
			t.Errorf("the error is incomplete: %+v", none)
		}
	case position == -2:
		if !errors.As(err, &e) || e.Code != CodeNestedIndex || e.Child == nil || e.Path != e.Child.String()+".mediaType" {
			t.Fatalf("chose %+v, error %v, want CodeNestedIndex of an entry", got, err)
		}
	default:
		if !errors.As(err, &e) || e.Code != CodeUnknownOption || e.Child != nil {
			t.Fatalf("chose %+v, error %v, want CodeUnknownOption", got, err)
		}
	}
	if got != (Choice{}) {
		t.Errorf("a choice beside the error: %+v", got)
	}
}

// In a Docker list the platform is always there, empty or not.
func TestSelectContainersImageFromADockerList(t *testing.T) {
	index := entries("nil zstd:linux/amd64 linux/amd64")
	index.MediaType = dockerList
	checkChoice(t, index, *platform("linux/s390x"), SelectOptions{Policy: ContainersImage}, -1, "")
	checkChoice(t, index, *platform("//v7"), SelectOptions{Policy: ContainersImage}, 0, ReasonCompatibleVariant)
	index.Manifests[1], index.Manifests[2] = index.Manifests[2], index.Manifests[1]
	checkChoice(t, index, *platform("linux/amd64"), SelectOptions{Policy: ContainersImage}, 1, ReasonExact)
}

func TestSelectAllocations(t *testing.T) {
	index := ocispec.Index{}
	for _, c := range benchChildren(64) {
		index.Manifests = append(index.Manifests, c.Descriptor)
	}
	for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
		for _, want := range []string{"linux/s390x", "linux/arm64/v8", "linux/arm/v7", "linux/amd64"} {
			p := *platform(want)
			if n := testing.AllocsPerRun(100, func() {
				if _, err := Select(index, p, SelectOptions{Policy: policy}); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s allocates %v times for %s", policy, n, want)
			}
		}
	}
}
