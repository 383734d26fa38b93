package dictexpand

import "slices"

// buildReferences builds the default references of the drafts that are not
// blocked: one for each DataSource that they have an image of some architecture
// for.
func (x *expander) buildReferences() []Reference {
	if x.references == 0 {
		return nil
	}
	references := make([]Reference, 0, x.references)
	names := x.names // those of one reference after another
	for same, rest := cutName(x.dataSourceClaims.all()); len(same) > 0; same, rest = cutName(rest) {
		begin := len(names)
		var images []string
		for _, c := range same {
			if d := x.claimant(c); c.output == reference && !d.outcome.Blocked {
				names = append(names, d.outcome.Template)
				images = join(images, d.images.all())
			}
		}
		templates := names[begin:len(names):len(names)]
		if len(templates) == 0 {
			continue
		}
		a, reason := x.preferred(images)
		references = append(references, Reference{
			Namespace: same[0].namespace, Name: same[0].name,
			Target: x.target(same, a), Architecture: a,
			Templates: templates, Reason: reason,
		})
	}
	if len(references) == 0 {
		return nil
	}
	return references
}

// target returns the name of the DataSource for the architecture. A draft that gives a
// cron for it has the name already.
func (x *expander) target(same []claim, architecture string) string {
	for _, c := range same {
		outputs := x.claimant(c).outputs.all()
		for i := range outputs {
			if out := &outputs[i]; out.architecture == architecture && c.output == reference {
				return out.dataSource
			}
		}
	}
	return same[0].name + "-" + architecture
}

func join(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	return slices.Concat(a, b)
}
