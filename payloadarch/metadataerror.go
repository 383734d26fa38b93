package payloadarch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/polyarch/polyarch/internal/quote"
)

// MetadataErrorCode names a kind of MetadataError.
type MetadataErrorCode string

const (
	// MetadataTooLarge: there are more than MaxReleaseMetadata bytes.
	MetadataTooLarge MetadataErrorCode = "TooLarge"
	// MetadataSyntax: the bytes are not JSON, or end too soon.
	MetadataSyntax MetadataErrorCode = "Syntax"
	// MetadataTrailing: a whole JSON value is followed by something else.
	MetadataTrailing MetadataErrorCode = "Trailing"
	// MetadataWrongType: the document, or "metadata" in it, is not an object.
	MetadataWrongType MetadataErrorCode = "WrongType"
	// MetadataWrongKind: "kind" is there and is another than
	// cincinnati-metadata-v0.
	MetadataWrongKind MetadataErrorCode = "WrongKind"
)

// A MetadataError says why release metadata cannot be read. The zero value says
// only that it cannot.
type MetadataError struct {
	Code MetadataErrorCode
	// Offset is the index of the first byte that cannot be read, or at which the
	// wrong value begins. It is the number of bytes if they end too soon.
	Offset int64
	// Field is "kind" or "metadata" if the value of that key is wrong, "" if the
	// document is.
	Field string
	// Value is the value found, as JSON, for MetadataWrongType and
	// MetadataWrongKind, else "".
	Value string
	// Err is the error of encoding/json, nil if it had none.
	Err error
}

func (e *MetadataError) Error() string {
	place := "release metadata"
	if e.Field != "" {
		place += ": " + e.Field
	}
	switch e.Code {
	case MetadataTooLarge:
		return fmt.Sprintf("%s: more than %d bytes", place, MaxReleaseMetadata)
	case MetadataTrailing:
		return fmt.Sprintf("%s: data after the document, at byte %d", place, e.Offset)
	case MetadataWrongType:
		return fmt.Sprintf("%s: found %s at byte %d, must be an object", place, quote.Cut(e.Value), e.Offset)
	case MetadataWrongKind:
		return fmt.Sprintf("%s: found %s at byte %d, must be %q", place, quote.Cut(e.Value), e.Offset, releaseMetadataKind)
	}
	if e.Err == nil {
		return place + ": cannot be read"
	}
	return fmt.Sprintf("%s: not JSON at byte %d: %v", place, e.Offset, e.Err)
}

// Unwrap returns Err.
func (e *MetadataError) Unwrap() error { return e.Err }

// unreadable turns an error of json.Unmarshal over data into ours.
func unreadable(data []byte, err error) *MetadataError {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return wrongType(data, err)
	}
	e := &MetadataError{Code: MetadataSyntax, Offset: int64(len(data)), Err: err}
	// Unmarshal does not tell a document that ends too soon, or one that goes on
	// after its end, from other bad syntax; a Decoder does.
	decoder := json.NewDecoder(bytes.NewReader(data))
	var document json.RawMessage
	switch decoded := decoder.Decode(&document); {
	case decoded == nil:
		e.Code = MetadataTrailing
		e.Offset = contentStart(data, decoder.InputOffset())
	case errors.Is(decoded, io.EOF), errors.Is(decoded, io.ErrUnexpectedEOF):
	default:
		// A SyntaxError counts the offending byte as read.
		if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
			e.Offset = max(0, syntax.Offset-1)
		}
	}
	return e
}

// wrongType is the error for valid JSON in which the document or its "metadata"
// is not an object.
func wrongType(data []byte, err error) *MetadataError {
	e := &MetadataError{Code: MetadataWrongType, Err: err}
	if start := contentStart(data, 0); data[start] != '{' {
		e.Offset, e.Value = start, strings.TrimRight(string(data[start:]), whiteSpace)
		return e
	}
	e.Field = "metadata"
	e.Offset, e.Value = locate(data, e.Field, func(raw string) bool { return raw[0] != '{' && raw != "null" })
	return e
}

// wrongKind is the error for a valid document one of whose kinds is value.
func wrongKind(data []byte, value string) *MetadataError {
	e := &MetadataError{Code: MetadataWrongKind, Field: "kind"}
	e.Offset, e.Value = locate(data, e.Field, func(raw string) bool { return raw == value })
	return e
}

// locate returns where in data, a valid JSON object, the first value of key is
// that is wrong, and that value. Letter case of the key does not matter.
func locate(data []byte, key string, wrong func(raw string) bool) (offset int64, value string) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	_, err := decoder.Token() // the brace
	for err == nil && decoder.More() {
		var name json.Token
		var raw json.RawMessage
		if name, err = decoder.Token(); err == nil {
			err = decoder.Decode(&raw)
		}
		if s, ok := name.(string); ok && strings.EqualFold(s, key) && wrong(string(raw)) {
			return decoder.InputOffset() - int64(len(raw)), string(raw)
		}
	}
	return 0, ""
}

const whiteSpace = " \t\r\n"

// contentStart returns the index of the first byte of data, from offset on, that
// is not white space.
func contentStart(data []byte, offset int64) int64 {
	return int64(len(data) - len(bytes.TrimLeft(data[offset:], whiteSpace)))
}
