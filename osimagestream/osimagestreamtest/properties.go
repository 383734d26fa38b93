package osimagestreamtest

import (
	"maps"
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

func discoverProperties() []property {
	all := []property{
		{Rule: "tag-by-its-name", Name: "any tag", Implemented: hasCandidate, Call: anyTag("rhel", "stream", "fedora", "my-rhel", "")},
		{Rule: "tag-of-okd-by-its-name", Name: "any tag", Implemented: hasCandidate, Call: anyTag("centos", "scos")},
		{Rule: "label-values-in-any-case", Name: "any case", Implemented: hasRole, Call: func(t *rapid.T, i Impl) outcome {
			labels := map[string]string{rapid.SampledFrom([]string{labelOS, labelExtensions}).Draw(t, "key"): rapid.StringMatching(`[tT][rR][uU][eE]`).Draw(t, "value")}
			return outcome{Input: labels, Want: RoleOracle(labels), Got: i.Role(labels)}
		}},
		{Rule: "neither-label-is-no-role", Name: "any other value", Implemented: hasRole, Call: func(t *rapid.T, i Impl) outcome {
			value := rapid.StringMatching(`[ytrue012 -]{0,5}`).Filter(func(s string) bool { return s != "1" && s != "true" })
			labels := map[string]string{labelOS: value.Draw(t, "os"), labelExtensions: value.Draw(t, "extensions")}
			return outcome{Input: labels, Want: NoRole, Got: i.Role(labels)}
		}},
		{Rule: "oldest-completed-version", Name: "any history", Implemented: hasInstallVersion, Call: anyHistory(0)},
		{Rule: "equal-times-last-entry", Name: "any history with few times", Implemented: hasInstallVersion, Call: anyHistory(2)},
	}
	for _, p := range []struct {
		rule, name string
		odd        Odd
	}{
		{"pair-makes-a-stream", "any payload", Odd{}},
		{"smallest-tag-wins", "any payload with duplicates, in any order", Odd{Duplicates: true}},
		{"later-source-wins-whole", "any three sources", Odd{Sources: true}},
		{"uninspected-image-is-skipped", "any inspections that fail", Odd{Uninspected: true}},
		{"uninspected-is-incomplete", "any inspections that fail", Odd{Uninspected: true}},
		{"else-complete", "anything, all of it inspected", Odd{Duplicates: true, Sources: true, Names: true, PullSpecs: true, Labels: true, Tags: true}},
	} {
		all = append(all, property{Rule: p.rule, Name: p.name, Implemented: hasDiscover, Call: func(t *rapid.T, i Impl) outcome {
			s := Shuffled(t, DrawSources(t, p.odd))
			streams, complete := DiscoverOracle(s)
			want := discovered{Complete: complete}.asked(p.rule)
			got := discover(i, p.rule, s, discovered{Streams: streams, Complete: complete})
			if p.rule == "else-complete" { // which streams there are, the others say
				found := got.Got.(discovered)
				found.Streams, got.Want, got.Got = nil, want, discovered{Complete: found.Complete}
			}
			return got
		}})
	}
	return all
}

func anyTag(prefixes ...string) func(*rapid.T, Impl) outcome {
	return func(t *rapid.T, i Impl) outcome {
		tag := DrawTag(t, prefixes...)
		return outcome{Input: tag, Want: CandidateOracle(tag), Got: i.Candidate(tag)}
	}
}

func anyHistory(times int) func(*rapid.T, Impl) outcome {
	return func(t *rapid.T, i Impl) outcome {
		cv := DrawClusterVersion(t, times)
		return outcome{Input: cv, Want: VersionOracle(cv), Got: i.InstallVersion(cv)}
	}
}

// Offers returns every combination of flavor, subset of four streams, spec, stored
// status and install version.
func Offers() (all []Offer) {
	names := []string{"centos-10", "centos-11", "rhel-10", "rhel-9"}
	asked := append([]string{"", "gone-8"}, names...)
	for subset := range 1 << len(names) {
		var streams []mcfgv1.OSImageStreamSet
		for n, name := range names {
			if subset>>n&1 == 1 {
				streams = append(streams, Set(name))
			}
		}
		for _, f := range []Flavor{OCP, OKD} {
			for _, spec := range asked {
				for _, status := range asked {
					for _, install := range []string{"", "4.22.0", "5.0.0"} {
						o := Offer{Flavor: f, Streams: streams, InstallVersion: install}
						switch {
						case status != "":
							o.Stored = Stored(spec, status, Set(status))
						case spec != "":
							o.Stored = Stored(spec, "")
						}
						all = append(all, o)
					}
				}
			}
		}
	}
	return all
}

// grouped has a property for each rule draw from those of its facts.
func grouped[T any](name string, all []T, rule func(T) string, has func(Impl) bool, call func(*rapid.T, Impl, string, T) outcome) (properties []property) {
	of := map[string][]T{}
	for _, facts := range all {
		of[rule(facts)] = append(of[rule(facts)], facts)
	}
	for _, id := range slices.Sorted(maps.Keys(of)) {
		properties = append(properties, property{Rule: id, Name: name, Implemented: has, Call: func(t *rapid.T, i Impl) outcome {
			return call(t, i, id, of[id][rapid.IntRange(0, len(of[id])-1).Draw(t, "case")])
		}})
	}
	return properties
}

func defaultProperties() []property {
	all := Offers()
	okd := slices.DeleteFunc(slices.Clone(all), func(o Offer) bool { return o.Flavor != OKD })
	single := grouped("single: any case", okd, func(o Offer) string { _, rule := SingleOracle(o); return rule }, hasSingle,
		func(_ *rapid.T, i Impl, rule string, o Offer) outcome {
			want, _ := SingleOracle(o)
			return singleOf(i, o, chosen{Stream: want, Refused: want == ""}, rule)
		})
	byDefault := grouped("any case", all, func(o Offer) string { _, rule := DefaultOracle(o); return rule }, hasDefault,
		func(_ *rapid.T, i Impl, rule string, o Offer) outcome {
			want, _ := DefaultOracle(o)
			return defaultOf(i, o, chosen{Stream: want, Refused: want == ""}, rule)
		})
	plan := grouped("reconcile: any case", all, func(o Offer) string { _, _, rule := PlanOracle(o); return rule }, hasReconcile,
		func(t *rapid.T, i Impl, rule string, o Offer) outcome {
			if o.Stored != nil {
				o.Stored = o.Stored.DeepCopy()
				if rapid.Bool().Draw(t, "stored images of another release") {
					for n, s := range o.Stored.Status.AvailableStreams {
						o.Stored.Status.AvailableStreams[n] = SetFrom(s.Name, "old")
					}
				}
				// Upstream takes the annotation for the sign that all is done.
				if rule == "status-follows-the-release" || rapid.Bool().Draw(t, "annotated by another release") {
					o.Stored.Annotations = map[string]string{"theirs": "1", annotationVersion: "old", annotationImage: "old"}
				}
			}
			return leads(i, o, rule)
		})
	versions := property{Rule: "versions-compare-by-numbers", Name: "any two names", Implemented: hasSingle, Call: func(t *rapid.T, i Impl) outcome {
		names := VersionOrder()
		n := rapid.IntRange(1, len(names)-1).Draw(t, "higher")
		higher, lower := names[n], names[rapid.IntRange(0, n-1).Draw(t, "lower")]
		return singleOf(i, Offer{Flavor: OKD, Streams: Sets(higher, lower)}, chosen{Stream: higher}, "")
	}}
	others := property{Rule: "okd-offers-no-other", Name: "any release with streams", Implemented: hasReconcile, Call: func(t *rapid.T, i Impl) outcome {
		o := Offer{Flavor: OKD, Streams: DrawStreams(t, "streams", 2)}
		c := clusterOf(o, ReleaseVersion, ReleaseImage)
		settle(i.started(), c)
		return outcome{Input: o, Want: 1, Got: len(stateOf(c.Server.Stored()).Status.AvailableStreams)}
	}}
	choice := property{Rule: "retired-default-stays", Name: "each choice can be taken", Implemented: hasReconcile, Call: choiceIsTaken}
	return slices.Concat(single, byDefault, plan, []property{versions, others, choice})
}

// leads compares what the reconcile step leaves with the oracle.
func leads(i Impl, o Offer, rule string) outcome {
	want := stateOf(o.Stored)
	before := want
	want.Spec, want.Status, _ = PlanOracle(o)
	if len(want.Status.AvailableStreams) == 0 {
		want.Status.AvailableStreams = nil
	}
	if def, _ := DefaultOracle(o); def != "" {
		want.Annotations = annotated(want.Annotations, ReleaseVersion, ReleaseImage)
	}
	same := want.Spec == before.Spec && sameState(want.Status, before.Status) && maps.Equal(want.Annotations, before.Annotations)
	return reconcile(i, o, ReleaseVersion, ReleaseImage, want, !same, rule)
}

// choiceIsTaken has the user of a cluster whose default has left name one of the
// streams that are offered.
func choiceIsTaken(t *rapid.T, i Impl) outcome {
	o := Offer{Flavor: OCP, Stored: Stored("gone-8", "gone-8", Set("gone-8"), Set("rhel-9")), Streams: DrawStreams(t, "streams", 1)}
	choice := rapid.SampledFrom(namesOf(o.Streams)).Draw(t, "choice")
	in := struct {
		Offer  Offer
		Choice string
	}{o, choice}
	c := clusterOf(o, ReleaseVersion, ReleaseImage)
	settle(i.started(), c)
	kept := stateOf(c.Server.Stored())
	if kept.Status.DefaultStream != "gone-8" {
		return outcome{Input: in, Want: "gone-8", Got: kept.Status.DefaultStream}
	}
	named := c.Server.Stored()
	named.Spec.DefaultStream = choice
	if _, err := c.Server.Update(named); err != nil {
		return outcome{Input: in, Want: "the choice can be named", Got: err.Error()}
	}
	settle(i, c)
	want := mcfgv1.OSImageStreamStatus{DefaultStream: choice, AvailableStreams: byName(o.Streams)}
	return outcome{Input: in, Want: want, Got: stateOf(c.Server.Stored()).Status}
}

// PoolCombinations returns every combination of a pool's name, its own stream, the
// worker pool's and an OSImageStream of two streams.
func PoolCombinations() (all []PoolFacts) {
	asked := []string{"", "a", "b", "gone"}
	for _, name := range []string{"master", "worker", "arbiter", "infra"} {
		for _, own := range asked {
			for _, workers := range append([]string{"no worker"}, asked...) {
				for _, stored := range []*mcfgv1.OSImageStream{nil, Stored("a", ""), Stored("a", "a", Sets("a", "b")...), Stored("a", "b", Sets("a", "b")...)} {
					f := PoolFacts{Pool: Pool(name, own), Stored: stored}
					if workers != "no worker" {
						f.Worker = Pool("worker", workers)
					}
					all = append(all, f)
				}
			}
		}
	}
	return all
}

func poolProperties() []property {
	all := PoolCombinations()
	call := func(_ *rapid.T, i Impl, rule string, f PoolFacts) outcome {
		images, refused, _, _ := PoolOracle(f)
		return poolImages(i, f, resolved{images, refused}, rule)
	}
	images := grouped("any case", all, func(f PoolFacts) string { _, _, _, rule := PoolOracle(f); return rule }, hasPoolImages, call)
	found := slices.DeleteFunc(slices.Clone(all), func(f PoolFacts) bool { p, _, _, _ := PoolOracle(f); return p.OSImage == "" })
	streams := grouped("any case", found, func(f PoolFacts) string { _, _, rule, _ := PoolOracle(f); return rule }, hasPoolImages, call)
	var edits []editInput
	for _, f := range all {
		edits = append(edits, editInput{f.Pool, nil, f.Stored})
		for _, before := range []string{"", "a", "b", "gone"} {
			edits = append(edits, editInput{f.Pool, Pool(f.Pool.Name, before), f.Stored})
		}
	}
	valid := grouped("any case", edits, func(e editInput) string { _, rule := EditOracle(e.Pool, e.Old, e.Stored); return rule }, hasValidatePool,
		func(_ *rapid.T, i Impl, _ string, e editInput) outcome {
			refused, _ := EditOracle(e.Pool, e.Old, e.Stored)
			return edit(i, e, refused)
		})
	return slices.Concat(images, streams, valid, []property{
		{Rule: "last-config-wins", Name: "any machine configs", Implemented: hasPoolImages, Call: anyConfigs("")},
		{Rule: "image-beside-a-named-stream", Name: "any machine configs", Implemented: hasPoolImages, Call: anyConfigs("rhel-10")},
	})
}

// anyConfigs draws the machine configs of a custom pool that names the stream.
func anyConfigs(own string) func(*rapid.T, Impl) outcome {
	return func(t *rapid.T, i Impl) outcome {
		f := PoolFacts{Pool: Selecting("infra", own, "worker", "infra"), Worker: Pool("worker", ""), Stored: Stored("rhel-9", "rhel-9", Sets("rhel-10", "rhel-9")...)}
		names := []string{"00-a", "50-b", "50-infra", "99-c", "99-infra", "99-worker"}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID[string]).Draw(t, "names") {
			f.Configs = append(f.Configs, Config(name, rapid.SampledFrom([]string{"worker", "infra"}).Draw(t, "role"),
				rapid.SampledFrom([]string{"", "quay.io/me/os:1", "quay.io/me/os:2", PullSpec("rhel-10")}).Draw(t, "image")))
		}
		want := imagesOf(Set("rhel-9"))
		if own != "" {
			want = imagesOf(Set(own))
		}
		last := LastImage(f.Configs, want.OSImage)
		refused := own != "" && last != want.OSImage
		want.OSImage = last
		return poolImages(i, f, resolved{want, refused}, "last-config-wins")
	}
}
