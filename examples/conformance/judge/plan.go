package judge

import "github.com/polyarch/polyarch/examples/conformance/report"

// planName is what reports name the plan by.
const planName = "dynamic-imagestream-importmode-setting, Test Plan"

// A stage is what steps have in common that are run together.
type stage int

const (
	stageNow stage = iota
	stageOverride
	stageMoves
)

// A planned step is one that every report lists.
type planned struct {
	id    string // after the item's
	stage stage
	title string
}

// plan lists the items with their steps.
var plan = []struct {
	id, title string
	steps     []planned
}{
	{"observed-config", "The observed config of openshift-apiserver follows the status of the image config", []planned{
		{"now", stageNow, "it names the mode of the status"},
		{"override", stageOverride, "it follows when the status follows the override"},
		{"restored", stageOverride, "it follows when the override is set back"},
		{"multi", stageMoves, "it follows on the multi payload"},
		{"single", stageMoves, "it follows on the single payload"},
	}},
	{"apiserver", "openshift-apiserver gives new tags the mode of its configuration, and leaves stored ones", []planned{
		{"now", stageNow, "tags of a new image stream get the configured mode"},
		{"given", stageNow, "tags keep the mode that the request gives"},
		{"override", stageOverride, "new tags get the overriding mode"},
		{"existing", stageOverride, "an image stream that nobody writes stays as it is"},
		{"reapplied", stageOverride, "a manifest without modes, applied again, changes no mode"},
		{"restored", stageOverride, "new tags get the mode from before the override"},
		{"multi", stageMoves, "new tags get the configured mode on the multi payload"},
		{"single", stageMoves, "new tags get the configured mode on the single payload"},
	}},
	{"payload-type", "ClusterVersion reports the type of the payload on installs and upgrades", []planned{
		{"now", stageNow, "it reports the payload that is installed"},
		{"multi", stageMoves, "it reports Multi after the update to the multi payload"},
		{"single", stageMoves, "it reports nothing after the update to the single payload"},
	}},
	{"image-config-status", "The status of the image config is the spec's mode, or that of the reported payload", []planned{
		{"now", stageNow, "it is what spec and ClusterVersion ask for"},
		{"override", stageOverride, "it follows spec.imageStreamImportMode"},
		{"restored", stageOverride, "it follows when the override is set back"},
		{"multi", stageMoves, "it follows the reported payload to multi"},
		{"single", stageMoves, "it follows the reported payload to single"},
	}},
	{"new-image-streams", "On a multi payload, new image streams import manifest lists whole", []planned{
		{"multi", stageNow, "tags of a new image stream are PreserveOriginal"},
	}},
	{"single-multi-single", "After single to multi to single, new image streams have the payload's mode", []planned{
		{"multi", stageMoves, "new image streams are PreserveOriginal on the multi payload"},
		{"single", stageMoves, "new image streams are Legacy on the single payload"},
		{"existing", stageMoves, "image streams of before each move stay as they are"},
	}},
}

// items is the plan as a report that has not been run.
func items(reason func(stage) string) []report.Item {
	var all []report.Item
	for _, item := range plan {
		i := report.Item{ID: item.id, Title: item.title}
		for _, s := range item.steps {
			i.Steps = append(i.Steps, report.Step{ID: item.id + "/" + s.id, Title: s.title, State: report.StateNotRun, Detail: reason(s.stage)})
		}
		all = append(all, i)
	}
	return all
}
