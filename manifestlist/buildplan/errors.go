package buildplan

import (
	"cmp"
	"strings"
)

// An InputError is a mistake of the caller.
type InputError struct {
	// Field is the argument meant, such as "Facts.Config".
	Field string
	// Detail says what is wrong with it.
	Detail string
}

func (e *InputError) Error() string {
	if e.Field == "" {
		return cmp.Or(e.Detail, "invalid argument")
	}
	return e.Field + ": " + e.Detail
}

// A RecordError says that the annotations of a build are not those that its name
// was made of: one of them was lost, edited or added.
type RecordError struct{ Build string }

func (e *RecordError) Error() string {
	text := "records were lost or edited since the build was created: restore them, or delete the build"
	if e.Build == "" {
		return text
	}
	return "machineosbuilds[" + e.Build + "].metadata.annotations: " + text
}

// An IncompleteError says which architectures a build requires and has no image
// for. Less than what is required is never published.
type IncompleteError struct {
	Build   string
	Missing []string
}

func (e *IncompleteError) Error() string {
	if e.Build == "" {
		return "images are missing"
	}
	return "machineosbuilds[" + e.Build + "] has no image for " + strings.Join(e.Missing, ", ")
}

// An ImageError says that an image cannot be published as that of an
// architecture, or, if Architecture is empty, at all.
type ImageError struct {
	Architecture string
	// Err is a manifestlist.IndexErrors, or says what else is wrong.
	Err error
}

func (e *ImageError) Error() string {
	text := "the image cannot be published"
	if e.Err != nil {
		text = e.Err.Error()
	}
	if e.Architecture == "" {
		return text
	}
	return e.Architecture + ": " + text
}

// Unwrap returns the cause.
func (e *ImageError) Unwrap() error { return e.Err }
