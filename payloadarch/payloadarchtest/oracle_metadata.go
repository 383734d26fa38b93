package payloadarchtest

import (
	"bytes"
	"encoding/json"
	"strings"
)

// OracleMetadata walks a document token by token. Trouble says why it cannot be read:
// TooLarge, Syntax, Trailing, WrongType or WrongKind.
func OracleMetadata(data []byte) (want Answer, trouble string) {
	no := Answer{KindUnknown, true}
	switch {
	case len(data) > 1<<20:
		return no, "TooLarge"
	case !json.Valid(data):
		if json.NewDecoder(bytes.NewReader(data)).Decode(new(json.RawMessage)) == nil {
			return no, "Trailing"
		}
		return no, "Syntax"
	case json.Unmarshal(data, new(map[string]json.RawMessage)) != nil || string(bytes.TrimSpace(data)) == "null":
		return no, "WrongType"
	}
	var values []string
	var kindIsWrong, typeIsWrong bool
	for _, m := range members(data) {
		var s any
		switch {
		case strings.EqualFold(m.key, "kind"):
			if err := json.Unmarshal(m.value, &s); err != nil || s != "cincinnati-metadata-v0" {
				kindIsWrong = true
			}
		case strings.EqualFold(m.key, "metadata") && string(m.value) == "null":
			values = nil
		case strings.EqualFold(m.key, "metadata") && m.value[0] != '{':
			typeIsWrong = true
		case strings.EqualFold(m.key, "metadata"):
			for _, inner := range members(m.value) {
				if inner.key == "release.openshift.io/architecture" {
					values = append(values, string(inner.value))
				}
			}
		}
	}
	switch {
	case typeIsWrong:
		return no, "WrongType"
	case kindIsWrong:
		return no, "WrongKind"
	case len(values) == 0:
		return Answer{Kind: KindSingle}, ""
	case len(values) > 1:
		return no, ""
	}
	var s any
	if err := json.Unmarshal([]byte(values[0]), &s); err == nil && s == "multi" {
		return Answer{Kind: KindMulti}, ""
	}
	return no, ""
}

// OracleValue returns the answer for the parsed value of the key.
func OracleValue(value any, present bool) Answer {
	if s, ok := value.(string); present && ok && s == "multi" {
		return Answer{Kind: KindMulti}
	}
	if present {
		return Answer{KindUnknown, true}
	}
	return Answer{Kind: KindSingle}
}

type member struct {
	key   string
	value json.RawMessage
}

func members(object []byte) (all []member) {
	d := json.NewDecoder(bytes.NewReader(object))
	brace, err := d.Token()
	for err == nil && d.More() {
		var key json.Token
		var m member
		if key, err = d.Token(); err == nil {
			m.key, err = key.(string), d.Decode(&m.value)
			all = append(all, m)
		}
	}
	if err != nil || brace != json.Delim('{') {
		panic("the oracle was given no valid object")
	}
	return all
}
