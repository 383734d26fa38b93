package importmodetest

import (
	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

// Image makes an image of an import. An empty to names no tag.
func Image(from, to string, mode imagev1.ImportModeType) imagev1.ImageImportSpec {
	i := imagev1.ImageImportSpec{
		From:         corev1.ObjectReference{Kind: "DockerImage", Name: from},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}
	if to != "" {
		i.To = &corev1.LocalObjectReference{Name: to}
	}
	return i
}

func importOf(images ...imagev1.ImageImportSpec) *imagev1.ImageStreamImport {
	return &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Import: true, Images: images}}
}

func repositoryOf(mode imagev1.ImportModeType) *imagev1.ImageStreamImport {
	return &imagev1.ImageStreamImport{Spec: imagev1.ImageStreamImportSpec{Import: true, Repository: &imagev1.RepositoryImportSpec{
		From: corev1.ObjectReference{Kind: "DockerImage", Name: "h/x/y"}, ImportPolicy: imagev1.TagImportPolicy{ImportMode: mode},
	}}}
}

// An ImageCase is a row of which tag an image goes to. Tags v1 and latest are stored
// with Legacy, and the cluster preserves.
type ImageCase struct {
	Rule, Name string
	From, To   string
	Tag        string // that the image goes to, empty for none
}

// ImageCases returns the rows of which tag an image goes to.
func ImageCases() []ImageCase {
	const target, none = "image-target", "image-without-target"
	return []ImageCase{
		{target, "to.name", "h/x/y", "v1", "v1"},
		{target, "to.name before the tag of from", "h/x/y:v1", "v9", "v9"},
		{target, "tag of from", "h/x/y:v1", "", "v1"},
		{target, "tag of from behind a port", "h:5000/x/y:v1", "", "v1"},
		{target, "tag of from before a digest", "h/x/y:v1@sha256:0123", "", "v1"},
		{none, "a port is no tag", "h:5000/x/y", "", ""},
		{none, "a port that reads like a tag", "h:v1/x/y", "", ""},
		{none, "a digest is no tag", "h/x/y@sha256:v1", "", ""},
		{none, "a name without a tag goes to no tag, not to latest", "h/x/y", "", ""},
		{none, "empty name", "", "", ""},
		{none, "just a colon", ":", "", ""},
	}
}

func importRows() (rows []row) {
	stored := StreamOf(Tag("v1", legacy), Tag("latest", legacy))
	type input struct {
		Request *imagev1.ImageStreamImport
		Tags    []string
		Stored  *imagev1.ImageStream
		Cluster imagev1.ImportModeType
	}
	for _, c := range ImageCases() {
		add := func(name string, request *imagev1.ImageStreamImport) {
			rows = append(rows, row{Rule: c.Rule, Name: name, Implemented: hasImages, Call: func(i Impl) outcome {
				want := Imported{c.Tag, preserve, preserve}
				if c.Tag == "v1" {
					want = Imported{c.Tag, legacy, legacy}
				}
				return outcome{Input: input{request, nil, stored, preserve}, Want: []Imported{want}, Got: i.ImportImages(request.DeepCopy(), stored.DeepCopy(), preserve)}
			}})
		}
		request := importOf(Image(c.From, c.To, ""))
		add(c.Name, request)
		if c.To == "" {
			empty := request.DeepCopy()
			empty.Spec.Images[0].To = &corev1.LocalObjectReference{}
			add(c.Name+", beside an empty to.name", empty)
		}
	}
	return append(rows,
		row{Rule: "image-without-target", Name: "finds no tag without a name", Implemented: hasImages, Call: func(i Impl) outcome {
			in := input{importOf(Image("h/x/y", "", "")), nil, StreamOf(Tag("", legacy)), preserve}
			return outcome{Input: in, Want: []Imported{{"", preserve, preserve}}, Got: i.ImportImages(in.Request, in.Stored, in.Cluster)}
		}},
		row{Rule: "repository-per-tag", Name: "each tag on its own", Implemented: hasRepository, Call: func(i Impl) outcome {
			in := input{repositoryOf(""), []string{"c", "n", "b", "a", "b"}, StreamOf(Tag("a", legacy), Tag("b", preserve), Tag("c", "")), preserve}
			want := []Imported{{"c", "", legacy}, {"n", preserve, preserve}, {"b", preserve, preserve}, {"a", legacy, legacy}, {"b", preserve, preserve}}
			return outcome{Input: in, Want: want, Got: i.ImportRepository(in.Request, in.Tags, in.Stored, in.Cluster)}
		}})
}
