package manifestlist

import (
	"fmt"
	"slices"
	"strings"
)

// checkRequired is rule A8.
func (a *assembly) checkRequired() {
	for i := range a.opts.Required {
		want := &a.opts.Required[i]
		if slices.ContainsFunc(a.entries, func(e entry) bool { return e.class == classPlatform && strictMatch(e.desc.Platform, want) }) {
			continue
		}
		a.report(&IndexError{
			Code: CodeMissingPlatform, Path: fmt.Sprintf("options.required[%d]", i),
			Value: platformText(*want), Want: "a child for it; there is " + a.platforms(),
		})
	}
}

// platforms names the platforms that are there, but no more than anybody reads.
func (a *assembly) platforms() string {
	const most = 32
	var names []string
	for i := range a.entries {
		if e := &a.entries[i]; e.class == classPlatform {
			if len(names) == most {
				names = append(names, "and more")
				break
			}
			names = append(names, platformText(*e.desc.Platform))
		}
	}
	if names == nil {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
