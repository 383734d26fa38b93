package manifestlist

import (
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// checkText is the text of rule A3. encoding/json writes U+FFFD for what is not
// UTF-8, and two keys could become one. Media types, digests, os and architecture
// have rules of their own, which allow ASCII only.
func checkText(d *ocispec.Descriptor) *IndexError {
	p := d.Platform
	if len(d.URLs)+len(d.Annotations) == 0 && (p == nil || len(p.OSFeatures) == 0 && plainString(p.Variant) && plainString(p.OSVersion)) {
		return nil // nearly always
	}
	for i, s := range d.URLs {
		if !utf8.ValidString(s) {
			return notText("urls["+strconv.Itoa(i)+"]", s)
		}
	}
	if err := checkAnnotationText(d.Annotations); err != nil {
		return err
	}
	if p != nil {
		switch {
		case !utf8.ValidString(p.Variant):
			return notText("platform.variant", p.Variant)
		case !utf8.ValidString(p.OSVersion):
			return notText("platform.os.version", p.OSVersion)
		}
		for i, s := range p.OSFeatures {
			if !utf8.ValidString(s) {
				return notText("platform.os.features["+strconv.Itoa(i)+"]", s)
			}
		}
	}
	return nil
}

// checkAnnotationText reports the smallest key of which something is wrong.
func checkAnnotationText(annotations map[string]string) *IndexError {
	valid := true
	for k, v := range annotations {
		valid = valid && utf8.ValidString(k) && utf8.ValidString(v)
	}
	if valid {
		return nil
	}
	for _, k := range slices.Sorted(maps.Keys(annotations)) {
		if !utf8.ValidString(k) {
			return notText("annotations", k)
		}
		if v := annotations[k]; !utf8.ValidString(v) {
			return notText("annotations", v)
		}
	}
	return nil
}

func notText(path, value string) *IndexError {
	return &IndexError{Code: CodeInvalidText, Path: path, Value: value, Want: "UTF-8"}
}
