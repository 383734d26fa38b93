package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// LastApplied is the annotation in which kubectl apply keeps what it was given. A later
// apply takes out what is named there and not in its file.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Applicable is an object as kubectl apply takes it.
type Applicable struct {
	// Object has the whole of what lists are in, so that no form of apply takes an
	// element out; of the metadata, only what apply would take out otherwise; and the
	// resourceVersion, by which the server refuses it after another change. It is nil if
	// Withheld says why it cannot be written.
	Object   json.RawMessage
	Withheld string
	// Applied says that somebody keeps the object by kubectl apply.
	Applied bool
}

// NewApplicable makes it of an object as it was read.
func NewApplicable(object []byte) *Applicable {
	a := &Applicable{}
	bare, err := a.bare(object)
	if err != nil {
		a.Withheld = err.Error()
		return a
	}
	// What is hidden cannot be applied, and what is not does not belong into a file.
	if Redact(string(bare)) != string(bare) {
		a.Withheld = "it holds what may be a secret"
		return a
	}
	a.Object = bare
	return a
}

func (a *Applicable) bare(object []byte) ([]byte, error) {
	read, err := decode(object)
	if err != nil {
		return nil, err
	}
	metadata, _ := read["metadata"].(map[string]any)
	if version, _ := metadata["resourceVersion"].(string); version == "" {
		return nil, errors.New("its resourceVersion is not in the source")
	}
	kept := map[string]any{}
	for _, key := range []string{"name", "namespace", "resourceVersion"} {
		if v, ok := metadata[key]; ok {
			kept[key] = v
		}
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if text, _ := annotations[LastApplied].(string); text != "" {
		a.Applied = true
		last, err := decode([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("its annotation %s cannot be read", LastApplied)
		}
		keepNamed(kept, metadata, last["metadata"])
	}
	delete(read, "status")
	read["metadata"] = kept
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // an escaped secret would not be seen as one
	if err := e.Encode(read); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// keepNamed keeps the metadata that the last apply named and that is still there.
func keepNamed(kept, metadata map[string]any, last any) {
	named, _ := last.(map[string]any)
	for key, names := range named {
		there, ok := metadata[key]
		if !ok || key == "managedFields" {
			continue
		}
		values, isMap := there.(map[string]any)
		if !isMap {
			kept[key] = there
			continue
		}
		of, some := map[string]any{}, false
		inLast, _ := names.(map[string]any)
		for name := range inLast {
			if v, ok := values[name]; ok && name != LastApplied {
				of[name], some = v, true
			}
		}
		if some {
			kept[key] = of
		}
	}
}

// decode keeps numbers as they are written.
func decode(text []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var object map[string]any
	if err := d.Decode(&object); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the object")
	}
	if object == nil {
		return nil, errors.New("it is no object")
	}
	return object, nil
}
