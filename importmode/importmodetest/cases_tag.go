package importmodetest

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

const (
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// A TagCase is a row of a tag "v1". It is shown to every function that decides a tag:
// on bare modes, in a stream, as an image stream tag, as an image and as a repository
// that are imported to it.
type TagCase struct {
	Rule, Name    string
	Given, Stored imagev1.ImportModeType
	IsStored      bool
	Cluster       imagev1.ImportModeType
	Store, Import imagev1.ImportModeType
}

// TagCases returns the rows of a tag.
func TagCases() []TagCase {
	return []TagCase{
		{"given-mode-stored", "Legacy at create", legacy, "", false, preserve, legacy, legacy},
		{"given-mode-stored", "PreserveOriginal at create", preserve, "", false, legacy, preserve, preserve},
		{"given-mode-stored", "over another stored mode", preserve, legacy, true, legacy, preserve, preserve},
		{"given-mode-stored", "Legacy over PreserveOriginal", legacy, preserve, true, preserve, legacy, legacy},
		{"given-mode-stored", "as stored", preserve, preserve, true, legacy, preserve, preserve},
		{"given-mode-stored", "over a stored value that is no mode", legacy, "Whole", true, preserve, legacy, legacy},
		{"new-tag-gets-cluster-mode", "PreserveOriginal", "", "", false, preserve, preserve, preserve},
		{"new-tag-gets-cluster-mode", "Legacy", "", "", false, legacy, legacy, legacy},
		{"new-tag-gets-cluster-mode", "a cluster without a mode is Legacy", "", "", false, "", legacy, legacy},
		{"stored-mode-stays", "Legacy under a cluster that preserves", "", legacy, true, preserve, legacy, legacy},
		{"stored-mode-stays", "PreserveOriginal under a Legacy cluster", "", preserve, true, legacy, preserve, preserve},
		{"stored-empty-stays", "under a cluster that preserves", "", "", true, preserve, "", legacy},
		{"stored-empty-stays", "under a Legacy cluster", "", "", true, legacy, "", legacy},
		{"import-mode", "a tag that is stored empty goes by Legacy", "", "", true, preserve, "", legacy},
		{"import-mode", "a stored mode", "", preserve, true, legacy, preserve, preserve},
		{"import-mode", "a given mode", legacy, preserve, true, preserve, legacy, legacy},
		{"import-mode", "a stored value that is no mode goes by the cluster's", "", "Whole", true, preserve, "Whole", preserve},
		{"import-mode", "the same where the cluster has no mode", "", "Whole", true, "", "Whole", legacy},
		{"import-mode", "a given value that is no mode goes by the cluster's", "Whole", "", false, preserve, "Whole", preserve},
		{"unknown-given-refused", "left for validation on a new tag", "Whole", "", false, preserve, "Whole", preserve},
		{"unknown-given-refused", "left for validation on a stored tag", "Whole", legacy, true, preserve, "Whole", preserve},
		{"unknown-stored-kept", "the request omits the mode", "", "Whole", true, preserve, "Whole", preserve},
		{"unknown-stored-kept", "the request sends it back", "Whole", "Whole", true, preserve, "Whole", preserve},
		{"unknown-cluster-is-legacy", "on a new tag", "", "", false, "Whole", legacy, legacy},
		{"unknown-cluster-is-legacy", "does not matter to a stored mode", "", preserve, true, "Whole", preserve, preserve},
	}
}

// OldClientCases returns the rows of a client that sends Legacy unasked.
func OldClientCases() []TagCase {
	const rule = "sent-legacy-omitted"
	return []TagCase{
		{rule, "new tag", legacy, "", false, preserve, preserve, preserve},
		{rule, "stored PreserveOriginal", legacy, preserve, true, legacy, preserve, preserve},
		{rule, "stored empty", legacy, "", true, preserve, "", legacy},
		{rule, "stored value that is no mode", legacy, "Whole", true, preserve, "Whole", preserve},
		{rule, "PreserveOriginal is never ignored", preserve, "", false, legacy, preserve, preserve},
		{rule, "omitted as ever", "", "", false, preserve, preserve, preserve},
	}
}

// Tag makes a spec tag that imports an image.
func Tag(name string, mode imagev1.ImportModeType) imagev1.TagReference {
	return imagev1.TagReference{
		Name:         name,
		From:         &corev1.ObjectReference{Kind: "DockerImage", Name: "quay.example.com/x/y:" + name},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}
}

// StreamOf makes a stream of tags.
func StreamOf(tags ...imagev1.TagReference) *imagev1.ImageStream {
	return &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Name: "s"}, Spec: imagev1.ImageStreamSpec{Tags: tags}}
}

type tagInput struct {
	Given, Stored imagev1.ImportModeType
	IsStored      bool
	Cluster       imagev1.ImportModeType
}

// modes is what becomes of a tag. A rule looks at Store, import-mode at Import, and
// unknown-cluster-is-legacy at both.
type modes struct{ Store, Import imagev1.ImportModeType }

func (m modes) of(rule string) modes {
	switch rule {
	case "import-mode":
		m.Store = ""
	case "unknown-cluster-is-legacy", "sent-legacy-omitted":
	default:
		m.Import = ""
	}
	return m
}

// storedStream returns the stream that holds the stored tag, among others.
func (in tagInput) storedStream() *imagev1.ImageStream {
	if !in.IsStored {
		return StreamOf(Tag("v0", legacy))
	}
	return StreamOf(Tag("v0", legacy), Tag("v1", in.Stored))
}

func tagRows() (all []row) {
	for _, c := range TagCases() {
		in := tagInput{c.Given, c.Stored, c.IsStored, c.Cluster}
		want := modes{c.Store, c.Import}
		add := func(place string, implemented func(Impl) bool, got func(i Impl, stored *imagev1.ImageStream) modes) {
			all = append(all, row{Rule: c.Rule, Name: c.Name + place, Implemented: implemented, Call: func(i Impl) outcome {
				return outcome{Input: in, Want: want.of(c.Rule), Got: got(i, in.storedStream()).of(c.Rule)}
			}})
		}
		add("", hasDefaultTag, func(i Impl, _ *imagev1.ImageStream) (m modes) {
			m.Store, m.Import = i.DefaultTag(c.Given, c.Stored, c.IsStored, c.Cluster)
			return m
		})
		if c.Rule == "import-mode" {
			add(", of an image", hasImages, imageModes(c))
			add(", of a repository", hasRepository, repositoryModes(c))
			continue
		}
		if c.Rule != "unknown-cluster-is-legacy" {
			add(", in a stream", hasUpdate, func(i Impl, stored *imagev1.ImageStream) modes {
				return modes{Store: modeOf(i.UpdateStream(StreamOf(Tag("v0", legacy), Tag("v1", c.Given)), stored, c.Cluster), "v1")}
			})
			add(", of an image stream tag", hasPutTag, func(i Impl, stored *imagev1.ImageStream) modes {
				return modes{Store: putMode(i, "s:v1", &imagev1.TagReference{Name: "v1", ImportPolicy: imagev1.TagImportPolicy{ImportMode: c.Given}}, stored, c.Cluster)}
			})
		}
		add(", of an image", hasImages, imageModes(c))
		add(", of a repository", hasRepository, repositoryModes(c))
	}
	for _, c := range OldClientCases() {
		all = append(all, row{Rule: c.Rule, Name: c.Name, Implemented: hasOldClient, Call: func(i Impl) outcome {
			var got modes
			got.Store, got.Import = i.DefaultTagOfOldClient(c.Given, c.Stored, c.IsStored, c.Cluster)
			return outcome{Input: tagInput{c.Given, c.Stored, c.IsStored, c.Cluster}, Want: modes{c.Store, c.Import}, Got: got}
		}})
	}
	return append(all, changedRows()...)
}

func imageModes(c TagCase) func(Impl, *imagev1.ImageStream) modes {
	return func(i Impl, stored *imagev1.ImageStream) modes {
		return one(i.ImportImages(importOf(Image("h/x/y:v5", "v1", c.Given)), stored, c.Cluster))
	}
}

func repositoryModes(c TagCase) func(Impl, *imagev1.ImageStream) modes {
	return func(i Impl, stored *imagev1.ImageStream) modes {
		return one(i.ImportRepository(repositoryOf(c.Given), []string{"v1"}, stored, c.Cluster))
	}
}

// one returns the modes of an import of one image, or what cannot be right.
func one(all []Imported) modes {
	if len(all) != 1 {
		return modes{"(not one result)", "(not one result)"}
	}
	return modes{all[0].Store, all[0].Import}
}

// putMode returns the mode that an image stream tag is stored with.
func putMode(i Impl, object string, tag *imagev1.TagReference, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) imagev1.ImportModeType {
	request := &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Name: object}, Tag: tag}
	got := i.PutTag(request, stored, cluster)
	if got == nil || got.Tag == nil {
		return "(no spec tag)"
	}
	return got.Tag.ImportPolicy.ImportMode
}

// A ChangedCase is a row of the comparison of modes.
type ChangedCase struct {
	Stored, Requested imagev1.ImportModeType
	Want              bool
}

// ChangedCases returns the rows of the comparison of modes, rule effective-change:
// every pair of the modes, the empty one and one that is none.
func ChangedCases() []ChangedCase {
	const t, f = true, false
	return []ChangedCase{
		{"", "", f}, {"", legacy, f}, {"", preserve, t}, {"", "Whole", t},
		{legacy, "", f}, {legacy, legacy, f}, {legacy, preserve, t}, {legacy, "Whole", t},
		{preserve, "", t}, {preserve, legacy, t}, {preserve, preserve, f}, {preserve, "Whole", t},
		{"Whole", "", t}, {"Whole", legacy, t}, {"Whole", preserve, t}, {"Whole", "Whole", f},
	}
}

func changedRows() (rows []row) {
	for _, c := range ChangedCases() {
		name := "from " + modeName(c.Stored) + " to " + modeName(c.Requested)
		rows = append(rows, row{Rule: "effective-change", Name: name, Implemented: hasModeChanged, Call: func(i Impl) outcome {
			in := struct{ Stored, Requested imagev1.ImportModeType }{c.Stored, c.Requested}
			return outcome{Input: in, Want: c.Want, Got: i.ModeChanged(c.Stored, c.Requested)}
		}})
	}
	return rows
}

func modeName(m imagev1.ImportModeType) string {
	if m == "" {
		return "empty"
	}
	return string(m)
}
