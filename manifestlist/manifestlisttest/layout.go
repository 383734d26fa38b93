package manifestlisttest

import (
	"encoding/json"
	"slices"
	"strings"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// Layout lists the entries of an index, by platform or what stands in for it.
func Layout(index []byte) string { return strings.Join(entriesOf(index), " ") }

func entriesOf(index []byte) (all []string) {
	var x ocispec.Index
	if err := json.Unmarshal(index, &x); err != nil {
		return []string{err.Error()}
	}
	for _, d := range x.Manifests {
		switch p := d.Platform; {
		case IsAttestation(d):
			all = append(all, "attestation")
		case p == nil:
			all = append(all, "nil")
		default:
			s := p.OS + "/" + p.Architecture
			if p.Variant != "" {
				s += "/" + p.Variant
			}
			if more := strings.Join(append([]string{p.OSVersion}, p.OSFeatures...), "+"); more != "" {
				s += "(" + more + ")"
			}
			all = append(all, s)
		}
	}
	return all
}

// inAnyOrder sorts the entries of a layout.
func inAnyOrder(layout string) string {
	all := strings.Fields(layout)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// kindOf is the media type of an index.
func kindOf(index []byte) string {
	var x ocispec.Index
	_ = json.Unmarshal(index, &x) // what cannot be read has no media type
	return x.MediaType
}

// An outcome is what became of a call: an index, or that there is none.
type outcome struct {
	Refused   bool
	Error     string // of a refusal that is not wanted
	MediaType string
	Entries   string
}

func refused() outcome { return outcome{Refused: true} }

// became describes what came back. Only rules about the order look at it.
func became(index []byte, err error, want outcome, ordered bool) outcome {
	if err != nil {
		got := refused()
		if !want.Refused {
			got.Error = err.Error()
		}
		return got
	}
	got := outcome{MediaType: kindOf(index), Entries: Layout(index)}
	if !ordered {
		got.Entries = inAnyOrder(got.Entries)
	}
	return got
}

// asAny reads JSON with all its members.
func asAny(src []byte) any {
	var v any
	if err := json.Unmarshal(src, &v); err != nil {
		return err.Error()
	}
	return v
}
