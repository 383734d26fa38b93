package payloadarchtest

import (
	"iter"
	"slices"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
)

// The oracles are slow and plain: they ask each rule's question of the whole input,
// and share nothing with package payloadarch.

// OracleCluster returns the id of the rule that decides, and the answer.
func OracleCluster(c Cluster) (rule string, want Answer) {
	if c.ClusterVersion == nil {
		return "no-cluster-version", Answer{Kind: KindUnknown}
	}
	d, history := c.ClusterVersion.Status.Desired, c.ClusterVersion.Status.History
	legal := d.Architecture == "" || d.Architecture == "Multi"
	observed := d.Version != "" || d.Image != ""
	entries, enables := 0, 0
	if c.FeatureGate != nil {
		for _, e := range c.FeatureGate.Status.FeatureGates {
			if e.Version == d.Version {
				entries++
				for _, g := range e.Enabled {
					if g.Name == "ImageStreamImportMode" {
						enables++
					}
				}
			}
		}
	}
	complete := len(history) > 0 && history[0].State == "Completed" && history[0].Image == d.Image
	installing := len(history) == 1 && history[0].State != "Completed" && history[0].Image == d.Image
	empty := legal && observed && d.Architecture == ""
	gateFine := entries > 0 && enables > 0

	// Every answer with all that must hold for it; exactly one must fit.
	fits := map[string]bool{
		"unrecognized-architecture": !legal,
		"nothing-desired":           legal && !observed,
		"reported-multi":            legal && observed && d.Architecture == "Multi",
		"gate-not-observed":         empty && c.FeatureGate == nil,
		"gate-version-unknown":      empty && c.FeatureGate != nil && entries == 0,
		"gate-disabled":             empty && entries > 0 && enables == 0,
		"installing-is-single":      empty && gateFine && installing,
		"updating-is-unknown":       empty && gateFine && !installing && !complete,
		"settled-is-single":         empty && gateFine && complete,
	}
	for id, fit := range fits {
		if fit && rule != "" {
			panic("the oracle is not a partition: " + rule + " and " + id)
		}
		if fit {
			rule = id
		}
	}
	kinds := map[string]Kind{"reported-multi": KindMulti, "installing-is-single": KindInstalling, "settled-is-single": KindSingle}
	return rule, Answer{orUnknown(kinds[rule]), !legal}
}

// OracleWithoutGates is the answer where the FeatureGate cannot be read: that of a
// cluster whose gate is enabled, but for an installation, which is an update.
func OracleWithoutGates(cv *configv1.ClusterVersion) Answer {
	c := Cluster{ClusterVersion: cv}
	if cv != nil {
		c.FeatureGate = FeatureGate(Enabled(cv.Status.Desired.Version))
	}
	_, want := OracleCluster(c)
	if want.Kind == KindInstalling {
		want.Kind = KindUnknown
	}
	return want
}

// EveryCluster yields a cluster for everything that the rules can tell apart.
func EveryCluster() iter.Seq[Cluster] {
	gates := []*configv1.FeatureGate{nil, FeatureGate(), FeatureGate(Enabled(VersionA)), FeatureGate(Disabled(VersionA)), FeatureGate(Enabled(VersionB)),
		FeatureGate(Disabled(VersionA), Enabled(VersionB)), FeatureGate(Enabled(VersionA), Disabled(VersionB)), FeatureGate(Enabled("")),
		FeatureGate(configv1.FeatureGateDetails{Version: VersionA})}
	histories := [][]configv1.UpdateHistory{nil}
	for _, newest := range []configv1.UpdateHistory{Completed(VersionA, ImageA), Completed(VersionA, ImageB), Partial(VersionA, ImageA),
		Partial(VersionB, ImageB), {Image: ImageA}, Completed(VersionA, "")} {
		histories = append(histories, []configv1.UpdateHistory{newest}, []configv1.UpdateHistory{newest, Completed(VersionA, ImageA)})
	}
	return func(yield func(Cluster) bool) {
		for _, g := range gates {
			if !yield(Cluster{nil, g}) {
				return
			}
			for _, arch := range []configv1.ClusterVersionArchitecture{"", multi, "multi", "amd64"} {
				for _, version := range []string{"", VersionA, VersionB} {
					for _, image := range []string{"", ImageA, ImageB} {
						for _, h := range histories {
							if !yield(Cluster{ClusterVersion(arch, version, image, h...), g}) {
								return
							}
						}
					}
				}
			}
		}
	}
}

// OracleHostedCluster returns the answer for status.payloadArch.
func OracleHostedCluster(payloadArch string) Answer {
	switch payloadArch {
	case "":
		return Answer{Kind: KindUnknown}
	case "Multi":
		return Answer{Kind: KindMulti}
	case "AMD64", "ARM64", "PPC64LE", "S390X":
		return Answer{Kind: KindSingle}
	}
	return Answer{KindUnknown, true}
}

// OracleHosted returns the answer for both sources, and what somebody is told.
func OracleHosted(payloadArch string, c Cluster) (want Answer, conflict, ownReport bool) {
	_, own := OracleCluster(c)
	if payloadArch == "" {
		return own, false, c.ClusterVersion != nil
	}
	want = OracleHostedCluster(payloadArch)
	single := own.Kind == KindSingle || own.Kind == KindInstalling
	conflict = want.Kind == KindMulti && single || want.Kind == KindSingle && own.Kind == KindMulti
	return want, conflict, false
}

// OracleIndex returns the kind of a payload whose index has these entries.
func OracleIndex(entries []*Platform) Kind {
	distinct := map[string]bool{}
	for _, p := range entries {
		if p == nil || p.OS != "linux" {
			continue
		}
		for name, others := range spellings() {
			if p.Architecture == name || slices.Contains(others, p.Architecture) {
				distinct[name] = true
			}
		}
	}
	if len(distinct) >= 2 {
		return KindMulti
	}
	return KindSingle
}

// OracleTransition returns what changes, whether that is in progress, and whether the
// present kind is to be stored.
func OracleTransition(previous, current Kind, history []configv1.UpdateHistory) (c Change, inProgress, store bool) {
	changes := map[Kind]map[Kind]Change{
		KindSingle: {KindMulti: SingleToMulti},
		KindMulti:  {KindSingle: MultiToSingle},
	}
	c = orNoChange(changes[previous][current])
	inProgress = c != NoChange && len(history) > 0 && history[0].State == "Partial"
	settled := current == KindSingle || current == KindMulti
	return c, inProgress, settled && current != previous && !inProgress
}

// OracleAlreadyMulti reports whether an edit asks for what there is: Multi is newly
// asked for where the payload is multi.
func OracleAlreadyMulti(stored, proposed *configv1.Update, current Kind) bool {
	asks := func(u *configv1.Update) bool { return u != nil && u.Architecture == "Multi" }
	return asks(proposed) && !asks(stored) && current == KindMulti
}

// OracleSet returns the names that a text form or a list of names holds.
func OracleSet(names ...string) []string {
	all := map[string]bool{}
	for _, part := range strings.Split(strings.Join(names, ","), ",") {
		all[strings.TrimSpace(part)] = true
	}
	delete(all, "")
	sorted := []string{}
	for name := range all {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return sorted
}
