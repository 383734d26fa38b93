package payloadarch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// MetadataErrorCode names a kind of MetadataError.
type MetadataErrorCode string

const (
	// MetadataTooLarge: there are more than MaxReleaseMetadata bytes.
	MetadataTooLarge MetadataErrorCode = "TooLarge"
	// MetadataSyntax: the bytes are no JSON, or end too soon.
	MetadataSyntax MetadataErrorCode = "Syntax"
	// MetadataTrailing: a whole JSON value is followed by something else.
	MetadataTrailing MetadataErrorCode = "Trailing"
	// MetadataWrongType: the document, or "metadata" in it, is no object.
	MetadataWrongType MetadataErrorCode = "WrongType"
	// MetadataWrongKind: "kind" is there and is another than
	// cincinnati-metadata-v0.
	MetadataWrongKind MetadataErrorCode = "WrongKind"
)

// A MetadataError says why release metadata can not be read.
type MetadataError struct {
	Code MetadataErrorCode
	// Offset is the index of the first byte that can not be read, which is the
	// number of bytes if they end too soon. Of a value of the wrong type it is
	// where its reading stopped; for MetadataWrongKind it is 0.
	Offset int64
	// Field is "kind" or "metadata" if the value of that key is at fault, "" if
	// the document is.
	Field string
	// Value is what was found, as JSON for MetadataWrongKind and as the name of a
	// JSON type for MetadataWrongType, else "".
	Value string
	// Err is what encoding/json said, nil where it had no objection.
	Err error
}

func (e *MetadataError) Error() string {
	place := "release metadata"
	if e.Field != "" {
		place += ": " + e.Field
	}
	switch e.Code {
	case MetadataTooLarge:
		return fmt.Sprintf("%s: more than %d bytes", place, e.Offset)
	case MetadataTrailing:
		return fmt.Sprintf("%s: data after the document, at byte %d", place, e.Offset)
	case MetadataWrongType:
		return fmt.Sprintf("%s: found %s at byte %d, must be an object", place, e.Value, e.Offset)
	case MetadataWrongKind:
		return fmt.Sprintf("%s: found %s, must be %q", place, e.Value, releaseMetadataKind)
	}
	return fmt.Sprintf("%s: not JSON at byte %d: %v", place, e.Offset, e.Err)
}

// Unwrap returns Err.
func (e *MetadataError) Unwrap() error { return e.Err }

// unreadable turns an error of json.Unmarshal over data into ours.
func unreadable(data []byte, err error) *MetadataError {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return &MetadataError{Code: MetadataWrongType, Offset: wrong.Offset, Field: wrong.Field, Value: wrong.Value, Err: err}
	}
	e := &MetadataError{Code: MetadataSyntax, Offset: int64(len(data)), Err: err}
	// Unmarshal does not tell a document that ends too soon, or one that goes on
	// after its end, from other bad syntax; a Decoder does.
	var document json.RawMessage
	switch decoded := json.NewDecoder(bytes.NewReader(data)).Decode(&document); {
	case decoded == nil:
		e.Code = MetadataTrailing
	case errors.Is(decoded, io.EOF), errors.Is(decoded, io.ErrUnexpectedEOF):
		return e
	}
	// A SyntaxError counts the offending byte as read.
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		e.Offset = syntax.Offset - 1
	}
	return e
}

// documentStart returns the index of the first byte of data that is not white
// space.
func documentStart(data []byte) int64 {
	return int64(len(data) - len(bytes.TrimLeft(data, " \t\r\n")))
}
