package dictexpand

// buildReferences builds the default references of the drafts that are not
// blocked: one for each DataSource that they have an image of some architecture
// for.
func (x *expander) buildReferences() []Reference {
	var references []Reference
	for same := range byName(x.dataSourceClaims) {
		var templates, images []string
		for _, c := range same {
			if c.output != reference || c.draft.outcome.Blocked {
				continue
			}
			templates = append(templates, c.draft.outcome.Template)
			images = append(images, c.draft.images...)
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
