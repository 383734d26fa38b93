package dictexpand

import "slices"

// buildReferences builds the default references of the drafts that are not
// blocked: one for each DataSource that they have an image of some architecture
// for.
func (x *expander) buildReferences() []Reference {
	var references []Reference
	for same, rest := cutName(x.dataSourceClaims); len(same) > 0; same, rest = cutName(rest) {
		var templates, images []string
		for _, c := range same {
			if c.output != reference || c.draft.outcome.Blocked {
				continue
			}
			templates = append(templates, c.draft.outcome.Template)
			images = join(images, c.draft.images)
		}
		if templates == nil {
			continue
		}
		a, reason := x.preferred(images)
		references = append(references, Reference{
			Namespace: same[0].namespace, Name: same[0].name,
			Target: same[0].name + "-" + a, Architecture: a,
			Templates: templates, Reason: reason,
		})
	}
	return references
}

func join(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	return slices.Concat(a, b)
}
