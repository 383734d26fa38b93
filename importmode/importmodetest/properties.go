package importmodetest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
)

func properties() []property {
	return slices.Concat(decideProperties(), observeProperties(), tagProperties(), streamProperties(), otherProperties(), historyProperties())
}

// decideProperties draws, for each rule, what only it speaks of.
func decideProperties() (all []property) {
	type modeGen = *rapid.Generator[configv1.ImportModeType]
	only := func(m configv1.ImportModeType) modeGen { return rapid.Just(m) }
	anyPayload, good := AnyPayload(), configMode(goodMode())
	for _, c := range []struct {
		rule          string
		spec, current modeGen
		payload       *rapid.Generator[Payload]
	}{
		{"spec-wins", configMode(KnownMode()), good, anyPayload},
		{"unknown-spec-keeps-current", configMode(UnknownMode()), good, anyPayload},
		{"multi-preserves", only(""), good, rapid.Just(PayloadMulti)},
		{"installing-fills", only(""), good, rapid.Just(PayloadInstalling)},
		{"single-is-legacy", only(""), good, rapid.Just(PayloadSingle)},
		{"unknown-payload-keeps-current", only(""), configMode(KnownMode()), rapid.Just(PayloadUnknown)},
		{"unknown-payload-writes-nothing", only(""), only(""), rapid.Just(PayloadUnknown)},
		{"unknown-current-counts-empty", only(""), configMode(UnknownMode()), rapid.SampledFrom([]Payload{PayloadInstalling, PayloadUnknown})},
	} {
		all = append(all, property{Rule: c.rule, Name: "any", Implemented: hasDecide, Call: func(t *rapid.T, i Impl) outcome {
			in := decideInput{c.spec.Draw(t, "spec"), c.current.Draw(t, "current"), c.payload.Draw(t, "payload")}
			return outcome{Input: in, Want: in.call(Oracle()), Got: in.call(i)}
		}})
	}
	return all
}

func observeProperties() (all []property) {
	previous := rapid.Map(Mode(), func(m imagev1.ImportModeType) map[string]any {
		if m == "" {
			return nil
		}
		return ObservedConfig(string(m))
	})
	add := func(rule string, event bool, draw func(*rapid.T) observeInput) {
		all = append(all, property{Rule: rule, Name: "any", Implemented: hasObserve, Call: func(t *rapid.T, i Impl) outcome {
			in := draw(t)
			return outcome{Input: in, Want: in.call(Oracle(), event), Got: in.call(i, event)}
		}})
	}
	known := func(t *rapid.T) observeInput {
		return observeInput{Image: imageConfig(configMode(KnownMode()).Draw(t, "status")), Existing: previous.Draw(t, "existing")}
	}
	add("status-observed", false, known)
	add("event-on-change", true, known)
	add("unset-status-leaves-field-out", false, func(t *rapid.T) observeInput {
		if rapid.Bool().Draw(t, "missing") {
			return observeInput{ListErr: errNotFound, Existing: previous.Draw(t, "existing")}
		}
		return observeInput{Image: imageConfig(""), Existing: previous.Draw(t, "existing")}
	})
	add("lister-error-keeps-previous", false, func(t *rapid.T) observeInput {
		return observeInput{ListErr: errLister, Existing: previous.Draw(t, "existing")}
	})
	add("unknown-status-keeps-previous", false, func(t *rapid.T) observeInput {
		return observeInput{Image: imageConfig(configMode(UnknownMode()).Draw(t, "status")), Existing: previous.Draw(t, "existing")}
	})
	return all
}

// tagRules are the rules of a tag and what they speak of. None speaks of an input
// in which a value that is no mode plays a part, but those whose subject it is.
func tagRules() []tagRule {
	whatever := func(imagev1.ImportModeType) bool { return true }
	empty := func(m imagev1.ImportModeType) bool { return m == "" }
	known := func(m imagev1.ImportModeType) bool { return isMode(string(m)) }
	bad := func(m imagev1.ImportModeType) bool { return m != "" && !isMode(string(m)) }
	return []tagRule{
		{"given-mode-stored", known, whatever, true, true},
		{"new-tag-gets-cluster-mode", empty, whatever, true, false},
		{"stored-mode-stays", empty, known, false, true},
		{"stored-empty-stays", empty, empty, false, true},
		{"unknown-given-refused", bad, known, true, true},
		{"unknown-stored-kept", empty, bad, false, true},
	}
}

type tagRule struct {
	rule          string
	given, stored func(imagev1.ImportModeType) bool
	// whether it speaks of tags that are new, and of tags that are stored
	isNew, isStored bool
}

func (r tagRule) applies(in tagInput) bool {
	if in.IsStored {
		return r.isStored && r.given(in.Given) && r.stored(in.Stored)
	}
	return r.isNew && r.given(in.Given)
}

func tagProperties() (all []property) {
	draw := func(t *rapid.T, r tagRule) tagInput {
		in := tagInput{IsStored: r.isStored && (!r.isNew || rapid.Bool().Draw(t, "is stored"))}
		in.Given = Mode().Filter(r.given).Draw(t, "given")
		if in.IsStored {
			in.Stored = Mode().Filter(r.stored).Draw(t, "stored")
		}
		in.Cluster = goodMode().Draw(t, "cluster")
		return in
	}
	for _, r := range tagRules() {
		all = append(all, property{Rule: r.rule, Name: "any tag", Implemented: hasDefaultTag, Call: func(t *rapid.T, i Impl) outcome {
			in := draw(t, r)
			return outcome{Input: in, Want: in.call(Oracle()).of(r.rule), Got: in.call(i).of(r.rule)}
		}}, property{Rule: r.rule, Name: "any image", Implemented: hasImages, Call: func(t *rapid.T, i Impl) outcome {
			in := draw(t, r)
			got := imageModes(TagCase{Given: in.Given, Cluster: in.Cluster})
			return outcome{Input: in, Want: got(Oracle(), in.storedStream()).of(r.rule), Got: got(i, in.storedStream()).of(r.rule)}
		}})
	}
	return append(all, property{Rule: "sent-legacy-omitted", Name: "any tag", Implemented: hasOldClient, Call: func(t *rapid.T, i Impl) outcome {
		in := tagInput{legacy, goodMode().Draw(t, "stored"), rapid.Bool().Draw(t, "is stored"), goodMode().Draw(t, "cluster")}
		call := func(i Impl) (m modes) {
			m.Store, m.Import = i.DefaultTagOfOldClient(in.Given, in.Stored, in.IsStored, in.Cluster)
			return m
		}
		return outcome{Input: in, Want: call(Oracle()), Got: call(i)}
	}})
}

func (in tagInput) call(i Impl) (m modes) {
	m.Store, m.Import = i.DefaultTag(in.Given, in.Stored, in.IsStored, in.Cluster)
	return m
}

// streamProperties shows whole streams to each rule, which looks at the tags that it
// speaks of.
func streamProperties() (all []property) {
	for _, r := range tagRules() {
		all = append(all, property{Rule: r.rule, Name: "any stream", Implemented: hasUpdate, Call: func(t *rapid.T, i Impl) outcome {
			in := streamInput{streamWith(Mode()).Draw(t, "request"), streamWith(Mode()).Draw(t, "stored"), goodMode().Draw(t, "cluster")}
			look := func(all []TagMode) (looked []TagMode) {
				for j, m := range all {
					if j >= len(in.Request.Spec.Tags) {
						return append(looked, m)
					}
					one := tagInput{Given: in.Request.Spec.Tags[j].ImportPolicy.ImportMode, Cluster: in.Cluster}
					if one.Stored, one.IsStored = find(in.Stored, m.Name); r.applies(one) {
						looked = append(looked, m)
					}
				}
				return looked
			}
			return outcome{Input: in, Want: look(ModesOf(in.call(Oracle()))), Got: look(ModesOf(in.call(i)))}
		}})
	}
	return append(all,
		property{Rule: "tag-by-name", Name: "any list that is sent back without its modes", Implemented: hasUpdate, Call: func(t *rapid.T, i Impl) outcome {
			in := streamInput{Stored: AnyStream().Filter(allKnown).Draw(t, "stored"), Cluster: goodMode().Draw(t, "cluster")}
			in.Request = withoutModes(in.Stored)
			return outcome{Input: in, Want: ModesOf(in.Stored), Got: ModesOf(in.call(i))}
		}},
		property{Rule: "no-other-field", Name: "any stream", Implemented: hasUpdate, Call: func(t *rapid.T, i Impl) outcome {
			in := streamInput{AnyStream().Draw(t, "request"), AnyStream().Draw(t, "stored"), goodMode().Draw(t, "cluster")}
			rest := func(s *imagev1.ImageStream) imagev1.ImageStreamSpec {
				spec := withoutGenerations(s)
				for j := range spec.Tags {
					spec.Tags[j].ImportPolicy.ImportMode = ""
				}
				return spec
			}
			return outcome{Input: in, Want: rest(in.Request), Got: rest(in.call(i))}
		}})
}

// allKnown reports whether every tag holds one of the two modes.
func allKnown(s *imagev1.ImageStream) bool {
	return !slices.ContainsFunc(ModesOf(s), func(m TagMode) bool { return !isMode(string(m.Mode)) })
}

func otherProperties() []property {
	manifest := func(rule string, mode *rapid.Generator[imagev1.ImportModeType]) []property {
		draw := func(t *rapid.T) managedInput {
			return managedInput{streamWith(mode).Draw(t, "manifest"), streamWith(Mode()).Draw(t, "existing")}
		}
		return []property{
			{Rule: rule, Name: "any manifest", Implemented: hasManaged, Call: func(t *rapid.T, i Impl) outcome {
				in := draw(t)
				return outcome{Input: in, Want: in.call(Oracle()), Got: in.call(i)}
			}},
			{Rule: rule, Name: "any manifest, synced once more", Implemented: hasManaged, Call: func(t *rapid.T, i Impl) outcome {
				in := draw(t)
				once := i.Managed(in.Manifest.DeepCopy(), in.Existing.DeepCopy())
				again := managedInput{in.Manifest, once}
				return outcome{Input: again, Want: named(once, in.Manifest), Got: again.call(i)}
			}},
		}
	}
	validate := func(rule string, stored bool) property {
		return property{Rule: rule, Name: "any stream, validated", Implemented: hasValidStream, Call: func(t *rapid.T, i Impl) outcome {
			in := managedInput{Manifest: streamWith(Mode()).Draw(t, "request")}
			if stored {
				in.Existing = in.Manifest.DeepCopy()
			}
			return outcome{Input: in, Want: refused(oracleValidateStream(in.Manifest, in.Existing)), Got: refused(i.ValidateStream(in.Manifest, in.Existing))}
		}}
	}
	return slices.Concat(
		manifest("manifest-mode-wins", KnownMode()),
		manifest("managed-preserves", rapid.Just(imagev1.ImportModeType(""))),
		[]property{
			validate("unknown-given-refused", false),
			validate("unknown-stored-valid", true),
			{Rule: "convert-exact", Name: "any text", Implemented: hasConvert, Call: func(t *rapid.T, i Impl) outcome {
				text := rapid.OneOf(rapid.String(), rapid.Map(Mode(), func(m imagev1.ImportModeType) string { return string(m) })).Draw(t, "text")
				return outcome{Input: text, Want: readOf(oracleConvert(text)), Got: readOf(i.Convert(text))}
			}},
			{Rule: "condition-shared", Name: "joined and taken out again", Implemented: hasCondition, Call: func(t *rapid.T, i Impl) outcome {
				reasons := rapid.SliceOfNDistinct(rapid.StringMatching(`[A-Z][a-z]{1,5}`), 1, 3, rapid.ID).Draw(t, "reasons")
				lines := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,12}`), 0, 3).Draw(t, "lines")
				existing := conditionsWith(Condition{"True", strings.Join(reasons, "::"), strings.Join(lines, "\n")}, conditionBefore)
				in := conditionInput{existing, configMode(KnownMode()).Draw(t, "spec"), conditionNow}
				joined := i.Condition(slices.Clone(existing), in.Spec, in.Now)
				type both struct {
					Joined bool
					Left   []configv1.ClusterOperatorStatusCondition
				}
				return outcome{Input: in,
					Want: both{true, conditionView(existing, "", false)},
					Got:  both{len(joined) == 2 && strings.Contains(joined[1].Reason, detected), conditionView(i.Condition(joined, "", in.Now), "", false)}}
			}},
		})
}
