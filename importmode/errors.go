package importmode

import (
	"strconv"
	"strings"

	"github.com/polyarch/polyarch/internal/quote"
)

// An UnknownModeError says that a value is no import mode.
type UnknownModeError struct {
	// Object is the kind, or the resource and the name, of what was read. It is
	// empty if that is not known.
	Object string
	// Field is the path within Object, empty if it is not known.
	Field string
	Value string
	// Allowed is every value that would have been right, in ascending order. The
	// empty one is among them where the field may be left out.
	Allowed []string
	// Consequence says what happens meanwhile, such as "the observed mode is kept". It
	// is empty where nothing does.
	Consequence string
}

func (e *UnknownModeError) Error() string {
	var b strings.Builder
	for _, part := range [...]string{e.Object, e.Field} {
		if part != "" {
			b.WriteString(part)
			b.WriteString(": ")
		}
	}
	b.WriteString("unknown import mode ")
	b.WriteString(quote.Quote(e.Value))
	for i, a := range e.Allowed {
		if i == 0 {
			b.WriteString(", allowed are ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(a))
	}
	if e.Consequence != "" {
		b.WriteString("; ")
		b.WriteString(e.Consequence)
	}
	return b.String()
}

// A ConfigTypeError says that a field of an existing configuration has another
// type than the API gives it.
type ConfigTypeError struct {
	// Field is the path of the field, empty if it is not known.
	Field string
	// Found is the JSON type that was met, with its value if that is a scalar.
	Found string
	// Want is the JSON type that would be right.
	Want string
}

func (e *ConfigTypeError) Error() string {
	const consequence = "; nothing is written"
	text := "existing observed config"
	if e.Field != "" {
		text += ": " + e.Field
	}
	if e.Found == "" || e.Want == "" {
		return text + " has the wrong type" + consequence
	}
	return text + " is of type " + e.Found + ", must be " + e.Want + consequence
}

// observedKept is what follows from an error beside an Observation.
const observedKept = "the observed mode is kept"

// A ListError says that the image config could not be read.
type ListError struct {
	// Err is the error of the lister.
	Err error
}

func (e *ListError) Error() string {
	if e.Err == nil {
		return imageConfig + " could not be read; " + observedKept
	}
	return imageConfig + " could not be read: " + e.Err.Error() + "; " + observedKept
}

// Unwrap returns the error of the lister.
func (e *ListError) Unwrap() error { return e.Err }
