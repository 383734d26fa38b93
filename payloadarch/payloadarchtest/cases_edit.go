package payloadarchtest

import (
	"pgregory.net/rapid"

	configv1 "github.com/openshift/api/config/v1"
)

// An Edit is an edit of spec.desiredUpdate. Either update is nil where there is none.
type Edit struct {
	Stored, Proposed *configv1.Update
	Current          Kind
}

// An EditCase is a row of an edit. Want says that somebody is told of it.
type EditCase struct {
	Rule, Name string
	Edit       Edit
	Want       bool
}

// EditCases returns the rows of AlreadyMulti.
func EditCases() []EditCase {
	toMulti := &configv1.Update{Architecture: multi, Version: VersionA}
	return []EditCase{
		{"edit-no-update", "on a multi cluster", Edit{toMulti, nil, KindMulti}, false},
		{"edit-multi-not-asked", "another version", Edit{nil, &configv1.Update{Version: VersionB}, KindMulti}, false},
		{"edit-multi-not-asked", "another spelling", Edit{nil, &configv1.Update{Architecture: "multi"}, KindMulti}, false},
		{"edit-asked-before", "kept", Edit{toMulti, toMulti, KindMulti}, false},
		{"edit-asked-before", "kept for the next version", Edit{toMulti, &configv1.Update{Architecture: multi, Version: VersionB}, KindMulti}, false},
		{"edit-payload-unknown", "Multi", Edit{nil, toMulti, KindUnknown}, false},
		{"edit-migration", "Multi on a single cluster", Edit{nil, toMulti, KindSingle}, false},
		{"edit-already-multi", "Multi on a multi cluster (OCPBUGS-8247)", Edit{nil, toMulti, KindMulti}, true},
		{"edit-already-multi", "in place of another update", Edit{&configv1.Update{Version: VersionA, Image: ImageA}, toMulti, KindMulti}, true},
	}
}

func (e Edit) outcome(want bool, i Impl) outcome {
	return outcome{Input: e, Want: want, Got: i.AlreadyMulti(e.Stored.DeepCopy(), e.Proposed.DeepCopy(), e.Current)}
}

func editRows() (rows []row) {
	for _, c := range EditCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasAlreadyMulti, Call: func(i Impl) outcome { return c.Edit.outcome(c.Want, i) }})
	}
	return rows
}

// Updates draws no update, or one that asks for Multi or for something else.
func Updates() *rapid.Generator[*configv1.Update] {
	return rapid.Custom(func(t *rapid.T) *configv1.Update {
		if rapid.IntRange(0, 3).Draw(t, "there") == 0 {
			return nil
		}
		return &configv1.Update{
			Architecture: rapid.SampledFrom([]configv1.ClusterVersionArchitecture{"", multi, "multi"}).Draw(t, "architecture"),
			Version:      rapid.SampledFrom([]string{"", VersionA, VersionB}).Draw(t, "version"),
			Image:        rapid.SampledFrom([]string{"", ImageA}).Draw(t, "image"),
			Force:        rapid.Bool().Draw(t, "force"),
		}
	})
}

func editProperties() (all []property) {
	asks := func(u *configv1.Update) bool { return u != nil && u.Architecture == multi }
	for _, rule := range []string{"edit-no-update", "edit-multi-not-asked", "edit-asked-before", "edit-payload-unknown", "edit-migration", "edit-already-multi"} {
		all = append(all, property{Rule: rule, Name: "any edit", Implemented: hasAlreadyMulti, Call: func(t *rapid.T, i Impl) outcome {
			e := Edit{Updates().Draw(t, "stored"), &configv1.Update{Architecture: multi, Version: rapid.SampledFrom([]string{"", VersionA}).Draw(t, "version")}, KindMulti}
			if rule != "edit-asked-before" && asks(e.Stored) && rule != "edit-no-update" {
				e.Stored.Architecture = ""
			}
			switch rule {
			case "edit-no-update":
				e.Proposed = nil
			case "edit-multi-not-asked":
				e.Proposed.Architecture = rapid.SampledFrom([]configv1.ClusterVersionArchitecture{"", "multi"}).Draw(t, "architecture")
			case "edit-asked-before":
				e.Stored = &configv1.Update{Architecture: multi}
			case "edit-payload-unknown":
				e.Current = KindUnknown
			case "edit-migration":
				e.Current = KindSingle
			}
			return e.outcome(OracleAlreadyMulti(e.Stored, e.Proposed, e.Current), i)
		}})
	}
	return all
}
