package manifestlist

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// entries makes an index of one entry for each word: a platform, nil, or
// attestation. A word may begin with a media type: index: or list:, or with
// zstd:.
func entries(words string) ocispec.Index {
	var index ocispec.Index
	for i, w := range strings.Fields(words) {
		d := describe(string(rune('a'+i)), "nil")
		kind, rest, ok := strings.Cut(w, ":")
		if !ok {
			rest = w
		}
		switch kind {
		case "index":
			d.MediaType = ocispec.MediaTypeImageIndex
		case "list":
			d.MediaType = dockerList
		case "zstd":
			d.Annotations = map[string]string{zstdAnnotation: "true"}
		}
		switch rest {
		case "nil":
		case "attestation":
			d.Platform = platform("unknown/unknown")
		default:
			d.Platform = platform(rest)
		}
		index.Manifests = append(index.Manifests, d)
	}
	return index
}

// TestMeasuredTable is the behavior of OpenShift's importer, containerd and
// containers/image as measured, and what Strict makes of it. -1 is no match.
func TestMeasuredTable(t *testing.T) {
	for _, tc := range []struct {
		index, want                                 string
		legacy, containerd, containersImage, strict int
	}{
		{"linux/arm/v6 linux/arm/v7", "linux/arm/v7", 0, 1, 1, 1},
		{"linux/arm64", "linux/arm64/v8", 0, 0, 0, 0},
		{"linux/amd64/v2 linux/amd64", "linux/amd64", 0, 1, 1, 1},
		{"linux/amd64/v8", "linux/amd64", 0, -1, -1, -1},
		{"nil linux/amd64", "linux/amd64", 1, 1, 1, 1},
		{"nil linux/amd64", "linux/s390x", 1, 0, 0, -1},
		{"linux/amd64 linux/aarch64", "linux/arm64", 0, 1, -1, -1},
		{"linux/arm/v7", "linux/arm64", 0, 0, -1, -1},
		{"attestation linux/arm64", "linux/s390x", 0, -1, -1, -1},
	} {
		for policy, want := range map[Policy]int{OpenShiftLegacy: tc.legacy, Containerd: tc.containerd, ContainersImage: tc.containersImage, Strict: tc.strict} {
			got, err := Select(entries(tc.index), *platform(tc.want), SelectOptions{Policy: policy})
			if err != nil {
				got.Position = -1
			}
			if got.Position != want {
				t.Errorf("%s: [%s] → %s: chose %d (%v), want %d", policy, tc.index, tc.want, got.Position, err, want)
			}
		}
	}
}

// TestSelectRules has rows for S1, S2 and S4 to S7; those for S3 are in
// containerd_test.go.
func TestSelectRules(t *testing.T) {
	for _, tc := range []struct {
		name     string
		policy   Policy
		index    string
		want     string
		host     string
		position int // -1: NoMatchError, -2: CodeNestedIndex, -3: CodeUnknownOption
		reason   Reason
	}{
		{"S1,S6: exact", Strict, "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S1,S7: the zero policy", "", "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S1: exact variant", Strict, "linux/arm/v6 linux/arm/v7", "linux/arm/v6", "", 0, ReasonExact},
		{"S1,S6: none wanted is the baseline", Strict, "linux/amd64/v2 linux/amd64/v1", "linux/amd64", "", 1, ReasonEquivalentVariant},
		{"S1: baseline wanted, none written", Strict, "linux/arm64", "linux/arm64/v8", "", 0, ReasonEquivalentVariant},
		{"S1: no variant is no wildcard", Strict, "linux/arm/v6", "linux/arm", "", -1, ""},
		{"S1: no lower variant", Strict, "linux/amd64", "linux/amd64/v3", "", -1, ""},
		{"S1: v8 is no baseline of amd64", Strict, "linux/amd64/v8", "linux/amd64", "", -1, ""},
		{"S1: another os", Strict, "windows/amd64", "linux/amd64", "", -1, ""},
		{"S1: os.version only if wanted", Strict, "windows/amd64@1", "windows/amd64", "", 0, ReasonExact},
		{"S1: os.version wanted", Strict, "windows/amd64@1 windows/amd64@2", "windows/amd64@2", "", 1, ReasonExact},
		{"S1: os.version wanted, none written", Strict, "windows/amd64", "windows/amd64@2", "", -1, ""},
		{"S1: os.features only if wanted", Strict, "linux/amd64+a", "linux/amd64", "", 0, ReasonExact},
		{"S1: os.features wanted, as a set", Strict, "linux/amd64 linux/amd64+b+a", "linux/amd64+a+b", "", 1, ReasonExact},
		{"S1: os.features wanted, more written", Strict, "linux/amd64+a+b", "linux/amd64+a", "", -1, ""},
		{"S1: nil never matches", Strict, "nil", "/", "", -1, ""},
		{"S1: several: canonical order, os.version", Strict, "windows/amd64@2 windows/amd64@1", "windows/amd64", "", 1, ReasonExact},
		{"S1: several: canonical order, os.features", Strict, "linux/amd64+a linux/amd64", "linux/amd64", "", 1, ReasonExact},
		{"S1: several: canonical order, digest", Strict, "linux/arm64/v8 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S1,S5: the host does not count", Strict, "linux/amd64", "/", "linux/amd64", -1, ""},
		{"S1,S7: nothing there", Strict, "", "linux/amd64", "", -1, ""},

		{"S2,S6: exact", OpenShiftLegacy, "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S2: first of several", OpenShiftLegacy, "linux/amd64 linux/arm/v6 linux/arm/v7", "linux/arm/v7", "", 1, ReasonExact},
		{"S2: os.version is ignored", OpenShiftLegacy, "linux/amd64 windows/amd64@1", "windows/amd64@2", "", 1, ReasonExact},
		{"S2: no alias", OpenShiftLegacy, "linux/s390x linux/aarch64", "linux/arm64", "", 0, ReasonFallbackFirst},
		{"S2,S5: architecture of the host", OpenShiftLegacy, "linux/amd64 linux/arm64", "linux/", "windows/arm64", 1, ReasonExact},
		{"S2,S5: os of the host", OpenShiftLegacy, "linux/amd64 windows/amd64", "/amd64", "windows/arm64", 1, ReasonExact},
		{"S2,S5: both of the host", OpenShiftLegacy, "linux/amd64 linux/ppc64le", "/", "linux/ppc64le", 1, ReasonExact},
		{"S2,S6: else linux/amd64", OpenShiftLegacy, "linux/arm64 linux/amd64/v2 linux/amd64", "linux/s390x", "", 1, ReasonFallbackLinuxAMD64},
		{"S2,S6: else the first", OpenShiftLegacy, "linux/arm64 linux/ppc64le", "linux/s390x", "", 0, ReasonFallbackFirst},
		{"S2: the first may be an attestation", OpenShiftLegacy, "attestation linux/arm64", "linux/s390x", "", 0, ReasonFallbackFirst},
		{"S2: the first may be without a platform", OpenShiftLegacy, "nil linux/arm64", "linux/s390x", "", 0, ReasonFallbackFirst},
		{"S2: no platform reads as empty", OpenShiftLegacy, "linux/amd64 nil", "/", "", 1, ReasonExact},
		{"S2: an empty index", OpenShiftLegacy, "", "linux/amd64", "", -1, ""},
		{"S2: a nested index", OpenShiftLegacy, "linux/arm64 index:linux/amd64", "linux/amd64", "", -2, ""},
		{"S2: a nested list as the fallback", OpenShiftLegacy, "list:nil", "linux/amd64", "", -2, ""},

		{"S4,S6: exact", ContainersImage, "linux/amd64 linux/arm64", "linux/arm64", "", 1, ReasonExact},
		{"S4,S6: arm64/v8 and none", ContainersImage, "linux/arm64/v8", "linux/arm64", "", 0, ReasonEquivalentVariant},
		{"S4: arm64 none and v8", ContainersImage, "linux/arm64", "linux/arm64/v8", "", 0, ReasonEquivalentVariant},
		{"S4: none wanted: none first", ContainersImage, "linux/arm/v8 linux/arm", "linux/arm", "", 1, ReasonExact},
		{"S4: none wanted: then the most capable", ContainersImage, "linux/arm/v6 linux/arm/v7", "linux/arm", "", 1, ReasonEquivalentVariant},
		{"S4,S6: lower variants", ContainersImage, "linux/arm/v5 linux/arm/v6", "linux/arm/v7", "", 1, ReasonCompatibleVariant},
		{"S4: no higher variant", ContainersImage, "linux/arm/v8", "linux/arm/v7", "", -1, ""},
		{"S4: none is the last resort", ContainersImage, "linux/arm linux/arm/v5", "linux/arm/v6", "", 1, ReasonCompatibleVariant},
		{"S4: none for a variant it does not know", ContainersImage, "linux/amd64", "linux/amd64/v3", "", 0, ReasonCompatibleVariant},
		{"S4: no v1 for none", ContainersImage, "linux/amd64/v1", "linux/amd64", "", -1, ""},
		{"S4: no alias", ContainersImage, "linux/aarch64", "linux/arm64", "", -1, ""},
		{"S4: os.version is ignored", ContainersImage, "windows/amd64@1 windows/amd64@2", "windows/amd64@2", "", 0, ReasonExact},
		{"S4: no platform is the last resort", ContainersImage, "nil linux/arm", "linux/arm/v6", "", 1, ReasonCompatibleVariant},
		{"S4,S6: no platform", ContainersImage, "nil linux/arm", "linux/s390x", "", 0, ReasonNoPlatform},
		{"S4: zstd first", ContainersImage, "linux/amd64 zstd:linux/amd64", "linux/amd64", "", 1, ReasonExact},
		{"S4: zstd of one platform only", ContainersImage, "linux/arm/v7 zstd:linux/arm/v6", "linux/arm/v7", "", 0, ReasonExact},
		{"S4: zstd first without a platform too", ContainersImage, "nil zstd:nil", "linux/amd64", "", 1, ReasonNoPlatform},
		{"S7: a policy that is not defined", "strict", "linux/amd64", "linux/amd64", "", -3, ""},
		{"S4,S5: the host", ContainersImage, "linux/amd64 linux/arm64", "/", "linux/arm64", 1, ReasonExact},
	} {
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
