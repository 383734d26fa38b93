package payloadarchtest

import (
	"slices"

	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
)

// TransitionFacts is a kind that was stored, the present one, and the history.
type TransitionFacts struct {
	Previous, Current Kind
	History           []configv1.UpdateHistory
}

// A TransitionCase is a row of a transition.
type TransitionCase struct {
	Rule, Name string
	Facts      TransitionFacts
	Change     Change
	InProgress bool
	Store      bool
}

// TransitionCases returns the rows of Transition and StoreKind.
func TransitionCases() []TransitionCase {
	updating := []configv1.UpdateHistory{Partial(VersionA, ImageB), Completed(VersionA, ImageA)}
	done := []configv1.UpdateHistory{Completed(VersionA, ImageB), Completed(VersionA, ImageA)}
	installing := []configv1.UpdateHistory{Partial(VersionA, ImageA)}
	return []TransitionCase{
		{"unknown-is-no-change", "both unknown", TransitionFacts{KindUnknown, KindUnknown, done}, NoChange, false, false},
		{"unknown-is-no-change", "the first kind seen", TransitionFacts{KindUnknown, KindMulti, done}, NoChange, false, true},
		{"unknown-is-no-change", "the first kind seen during an update", TransitionFacts{KindUnknown, KindSingle, updating}, NoChange, false, true},
		{"unknown-is-no-change", "not known now", TransitionFacts{KindMulti, KindUnknown, updating}, NoChange, false, false},
		{"unknown-is-no-change", "nothing is stored while the cluster is being installed", TransitionFacts{KindUnknown, KindInstalling, installing}, NoChange, false, false},
		{"unknown-is-no-change", "a ClusterVersion made anew reverts nothing", TransitionFacts{KindMulti, KindInstalling, installing}, NoChange, false, false},
		{"unknown-is-no-change", "a ClusterVersion made anew confirms nothing", TransitionFacts{KindSingle, KindInstalling, installing}, NoChange, false, false},
		{"same-kind-is-no-change", "the same version with another image is no evidence (a re-spin)", TransitionFacts{KindSingle, KindSingle, done}, NoChange, false, false},
		{"same-kind-is-no-change", "during an update", TransitionFacts{KindMulti, KindMulti, updating}, NoChange, false, false},
		{"single-to-multi", "in progress (OCPBUGS-10300)", TransitionFacts{KindSingle, KindMulti, updating}, SingleToMulti, true, false},
		{"single-to-multi", "complete", TransitionFacts{KindSingle, KindMulti, done}, SingleToMulti, false, true},
		{"single-to-multi", "no history", TransitionFacts{KindSingle, KindMulti, nil}, SingleToMulti, false, true},
		{"single-to-multi", "only the newest entry counts",
			TransitionFacts{KindSingle, KindMulti, []configv1.UpdateHistory{Completed(VersionA, ImageB), Partial(VersionA, ImageA)}}, SingleToMulti, false, true},
		{"multi-to-single", "in progress", TransitionFacts{KindMulti, KindSingle, updating}, MultiToSingle, true, false},
		{"multi-to-single", "complete", TransitionFacts{KindMulti, KindSingle, done}, MultiToSingle, false, true},
	}
}

func (f TransitionFacts) change(want Change, i Impl) outcome {
	got, _ := i.Transition(f.Previous, f.Current, slices.Clone(f.History))
	return outcome{Input: f, Want: want, Got: orNoChange(got)}
}

func (f TransitionFacts) inProgress(want bool, i Impl) outcome {
	_, got := i.Transition(f.Previous, f.Current, slices.Clone(f.History))
	return outcome{Input: f, Want: want, Got: got}
}

func (f TransitionFacts) store(want bool, i Impl) outcome {
	return outcome{Input: f, Want: want, Got: i.StoreKind(f.Previous, f.Current, slices.Clone(f.History))}
}

// A ReportedCase is a row of what is reported for a kind.
type ReportedCase struct {
	Rule string
	Kind Kind
	Want configv1.ClusterVersionArchitecture
}

// ReportedCases returns the rows of Reported.
func ReportedCases() []ReportedCase {
	return []ReportedCase{
		{"multi-is-reported", KindMulti, multi},
		{"others-report-nothing", KindSingle, ""},
		{"others-report-nothing", KindInstalling, ""},
		{"others-report-nothing", KindUnknown, ""},
	}
}

func transitionRows() (rows []row) {
	for _, c := range ReportedCases() {
		rows = append(rows, row{Rule: c.Rule, Name: string(c.Kind), Implemented: hasReported, Call: func(i Impl) outcome {
			return outcome{Input: c.Kind, Want: c.Want, Got: i.Reported(c.Kind)}
		}})
	}
	for _, c := range TransitionCases() {
		rows = append(rows,
			row{Rule: c.Rule, Name: c.Name, Implemented: hasTransition, Call: func(i Impl) outcome { return c.Facts.change(c.Change, i) }},
			row{Rule: "store-kind", Name: c.Rule + ": " + c.Name, Implemented: hasStoreKind, Call: func(i Impl) outcome { return c.Facts.store(c.Store, i) }})
		if c.Change != NoChange {
			rows = append(rows, row{Rule: "change-in-progress", Name: c.Rule + ": " + c.Name, Implemented: hasTransition,
				Call: func(i Impl) outcome { return c.Facts.inProgress(c.InProgress, i) }})
		}
	}
	return rows
}

func kinds() []Kind { return []Kind{KindUnknown, KindSingle, KindInstalling, KindMulti} }

// Transitions draws two kinds and a history.
func Transitions() *rapid.Generator[TransitionFacts] {
	return rapid.Custom(func(t *rapid.T) TransitionFacts {
		// Installing is never stored.
		return TransitionFacts{rapid.SampledFrom([]Kind{KindUnknown, KindSingle, KindMulti}).Draw(t, "previous"),
			rapid.SampledFrom(kinds()).Draw(t, "current"), Histories().Draw(t, "history")}
	})
}

func transitionProperties() (all []property) {
	add := func(rule string, make func(*rapid.T, *TransitionFacts)) {
		all = append(all, property{Rule: rule, Name: "any history", Implemented: hasTransition, Call: func(t *rapid.T, i Impl) outcome {
			f := Transitions().Draw(t, "facts")
			make(t, &f)
			want, _, _ := OracleTransition(f.Previous, f.Current, f.History)
			return f.change(want, i)
		}})
	}
	settled := rapid.SampledFrom([]Kind{KindSingle, KindMulti})
	add("unknown-is-no-change", func(t *rapid.T, f *TransitionFacts) {
		if f.Previous != KindUnknown && f.Current != KindInstalling {
			f.Current = KindUnknown
		}
	})
	add("same-kind-is-no-change", func(t *rapid.T, f *TransitionFacts) {
		f.Previous = settled.Draw(t, "kind")
		f.Current = f.Previous
	})
	add("single-to-multi", func(t *rapid.T, f *TransitionFacts) { f.Previous, f.Current = KindSingle, KindMulti })
	add("multi-to-single", func(t *rapid.T, f *TransitionFacts) { f.Previous, f.Current = KindMulti, KindSingle })
	return append(all,
		property{Rule: "change-in-progress", Name: "any history", Implemented: hasTransition, Call: func(t *rapid.T, i Impl) outcome {
			f := TransitionFacts{settled.Draw(t, "previous"), KindSingle, Histories().Draw(t, "history")}
			if f.Previous == KindSingle {
				f.Current = KindMulti
			}
			_, want, _ := OracleTransition(f.Previous, f.Current, f.History)
			return f.inProgress(want, i)
		}},
		property{Rule: "store-kind", Name: "any history", Implemented: hasStoreKind, Call: func(t *rapid.T, i Impl) outcome {
			f := Transitions().Draw(t, "facts")
			_, _, want := OracleTransition(f.Previous, f.Current, f.History)
			return f.store(want, i)
		}})
}
