package importmodetest

import (
	corev1 "k8s.io/api/core/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

// A TagMode is a tag of a list, and its mode.
type TagMode struct {
	Name string
	Mode imagev1.ImportModeType
}

// ModesOf returns the modes of the tags of a stream, in their order.
func ModesOf(s *imagev1.ImageStream) []TagMode {
	if s == nil {
		return nil
	}
	var all []TagMode
	for i := range s.Spec.Tags {
		all = append(all, TagMode{s.Spec.Tags[i].Name, s.Spec.Tags[i].ImportPolicy.ImportMode})
	}
	return all
}

// modeOf returns the mode of the first tag of that name.
func modeOf(s *imagev1.ImageStream, name string) imagev1.ImportModeType {
	for _, t := range ModesOf(s) {
		if t.Name == name {
			return t.Mode
		}
	}
	return "(no such tag)"
}

// listOf makes a stream whose tags name no mode.
func listOf(names ...string) *imagev1.ImageStream {
	s := StreamOf()
	for _, n := range names {
		s.Spec.Tags = append(s.Spec.Tags, Tag(n, ""))
	}
	return s
}

// A StreamCase is a row of a list of tags, in a cluster that preserves.
type StreamCase struct {
	Rule, Name string
	Request    *imagev1.ImageStream
	Stored     *imagev1.ImageStream // nil at create
	Want       []TagMode
}

// StreamCases returns the rows of lists of tags.
func StreamCases() []StreamCase {
	stored := StreamOf(Tag("a", legacy), Tag("b", preserve), Tag("c", legacy))
	return []StreamCase{
		{"new-tag-gets-cluster-mode", "a stream that is created", listOf("a", "b"), nil, []TagMode{{"a", preserve}, {"b", preserve}}},
		{"new-tag-gets-cluster-mode", "the first tag of a stored stream", listOf("n"), StreamOf(), []TagMode{{"n", preserve}}},
		{"given-mode-stored", "a stream that is created", StreamOf(Tag("a", legacy), Tag("b", preserve)), nil, []TagMode{{"a", legacy}, {"b", preserve}}},
		{"tag-by-name", "same order", listOf("a", "b", "c"), stored, []TagMode{{"a", legacy}, {"b", preserve}, {"c", legacy}}},
		{"tag-by-name", "opposite order", listOf("c", "b", "a"), stored, []TagMode{{"c", legacy}, {"b", preserve}, {"a", legacy}}},
		{"tag-by-name", "one added in front", listOf("n", "a", "b"), stored, []TagMode{{"n", preserve}, {"a", legacy}, {"b", preserve}}},
		{"tag-by-name", "one added at the end", listOf("a", "b", "n"), stored, []TagMode{{"a", legacy}, {"b", preserve}, {"n", preserve}}},
		{"tag-by-name", "a name twice in the request goes with the same stored tag", listOf("a", "a", "b", "a"), stored,
			[]TagMode{{"a", legacy}, {"a", legacy}, {"b", preserve}, {"a", legacy}}},
		{"tag-by-name", "a name stored twice: the first", listOf("b", "a"), StreamOf(Tag("a", legacy), Tag("a", preserve), Tag("b", preserve)),
			[]TagMode{{"b", preserve}, {"a", legacy}}},
		{"tag-by-name", "a name stored twice and sent back alike", listOf("a", "a", "b"), StreamOf(Tag("a", legacy), Tag("a", preserve), Tag("b", legacy)),
			[]TagMode{{"a", legacy}, {"a", preserve}, {"b", legacy}}},
		{"tag-by-name", "a name stored twice: the one after the tag before it", listOf("b", "a"), StreamOf(Tag("a", legacy), Tag("b", legacy), Tag("a", preserve)),
			[]TagMode{{"b", legacy}, {"a", preserve}}},
		{"tag-by-name", "tags without a name", listOf("", "a", ""), StreamOf(Tag("a", legacy), Tag("", legacy)),
			[]TagMode{{"", legacy}, {"a", legacy}, {"", legacy}}},
		{"absent-tag-not-decided", "one removed", StreamOf(Tag("a", legacy), Tag("c", legacy)), stored, []TagMode{{"a", legacy}, {"c", legacy}}},
		{"absent-tag-not-decided", "all replaced", StreamOf(Tag("x", preserve)), stored, []TagMode{{"x", preserve}}},
		{"absent-tag-not-decided", "all removed", StreamOf(), stored, nil},
	}
}

type streamInput struct {
	Request, Stored *imagev1.ImageStream
	Cluster         imagev1.ImportModeType
}

// call returns what is stored, by the function that the input is for.
func (in streamInput) call(i Impl) *imagev1.ImageStream {
	if in.Stored == nil {
		return i.CreateStream(in.Request.DeepCopy(), in.Cluster)
	}
	return i.UpdateStream(in.Request.DeepCopy(), in.Stored.DeepCopy(), in.Cluster)
}

func (in streamInput) implemented(i Impl) bool {
	return in.Stored == nil && hasCreate(i) || in.Stored != nil && hasUpdate(i)
}

func streamRows() (rows []row) {
	for _, c := range StreamCases() {
		in := streamInput{c.Request, c.Stored, preserve}
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: in.implemented, Call: func(i Impl) outcome {
			return outcome{Input: in, Want: c.Want, Got: ModesOf(in.call(i))}
		}})
	}
	for _, kind := range tagKinds() {
		add := func(place string, stored bool, implemented func(Impl) bool) {
			rows = append(rows, row{Rule: "no-other-field", Name: kind.name + place, Implemented: implemented, Call: func(i Impl) outcome {
				in := streamInput{Request: StreamOf(Tag("v1", preserve)), Cluster: preserve}
				kind.set(&in.Request.Spec.Tags[0])
				if stored {
					in.Stored = in.Request.DeepCopy()
				}
				return outcome{Input: in, Want: withoutGenerations(in.Request), Got: withoutGenerations(in.call(i))}
			}})
		}
		add(", created", false, hasCreate)
		add(", updated", true, hasUpdate)
	}
	rows = append(rows, row{Rule: "stored-empty-stays", Name: "read out of storage", Implemented: hasRead, Call: func(i Impl) outcome {
		in := streamInput{Stored: StreamOf(Tag("a", ""), Tag("b", legacy)), Cluster: preserve}
		return outcome{Input: in, Want: ModesOf(in.Stored), Got: ModesOf(i.ReadStream(in.Stored.DeepCopy(), in.Cluster))}
	}})
	return append(rows, putRows()...)
}

// withoutGenerations leaves out what a server counts on its own account.
func withoutGenerations(s *imagev1.ImageStream) imagev1.ImageStreamSpec {
	if s == nil {
		return imagev1.ImageStreamSpec{}
	}
	spec := *s.Spec.DeepCopy()
	for i := range spec.Tags {
		spec.Tags[i].Generation = nil
	}
	return spec
}

// A tagKind makes one kind of tag out of one that imports an image.
type tagKind struct {
	name string
	set  func(*imagev1.TagReference)
}

// tagKinds returns what a tag can be besides an import. None of it decides.
func tagKinds() []tagKind {
	return []tagKind{
		{"reference", func(r *imagev1.TagReference) { r.Reference = true }},
		{"kind ImageStreamTag", func(r *imagev1.TagReference) { r.From = &corev1.ObjectReference{Kind: "ImageStreamTag", Name: "v0"} }},
		{"kind ImageStreamImage", func(r *imagev1.TagReference) {
			r.From = &corev1.ObjectReference{Kind: "ImageStreamImage", Name: "s@sha256:0"}
		}},
		{"without from", func(r *imagev1.TagReference) { r.From = nil }},
		{"scheduled and insecure", func(r *imagev1.TagReference) { r.ImportPolicy.Scheduled, r.ImportPolicy.Insecure = true, true }},
		{"with a local pull", func(r *imagev1.TagReference) { r.ReferencePolicy.Type = imagev1.LocalTagReferencePolicy }},
		{"with a preferred platform", func(r *imagev1.TagReference) {
			r.Annotations = map[string]string{"importer.image.openshift.io/prefer-arch": "arm64"}
		}},
	}
}

// A PutCase is a row of which tag an image stream tag is.
type PutCase struct {
	Rule, Name  string
	Object, Tag string // the names of the image stream tag and in its spec tag
	Want        imagev1.ImportModeType
}

// PutCases returns the rows of which tag an image stream tag is: v1 is stored with
// Legacy, v2 with PreserveOriginal, and the cluster preserves.
func PutCases() []PutCase {
	const rule = "tag-of-image-stream-tag"
	return []PutCase{
		{rule, "by the object's name", "s:v1", "v1", legacy},
		{rule, "the object's name wins over tag.name", "s:v9", "v1", preserve},
		{rule, "the tag needs no name of its own", "s:v1", "", legacy},
		{rule, "by tag.name if the object's name has no colon", "s", "v1", legacy},
		{rule, "by tag.name if nothing follows the colon", "s:", "v1", legacy},
	}
}

func putRows() (rows []row) {
	stored := StreamOf(Tag("v1", legacy), Tag("v2", preserve))
	for _, c := range PutCases() {
		rows = append(rows, row{Rule: c.Rule, Name: c.Name, Implemented: hasPutTag, Call: func(i Impl) outcome {
			in := struct {
				Object, Tag string
				Stored      *imagev1.ImageStream
			}{c.Object, c.Tag, stored}
			return outcome{Input: in, Want: c.Want, Got: putMode(i, c.Object, &imagev1.TagReference{Name: c.Tag}, stored.DeepCopy(), preserve)}
		}})
	}
	for _, object := range []string{"s:v1", "s:v7"} {
		rows = append(rows, row{Rule: "no-spec-tag", Name: "as of a push to " + object, Implemented: hasPutTag, Call: func(i Impl) outcome {
			return outcome{Input: object, Want: imagev1.ImportModeType("(no spec tag)"), Got: putMode(i, object, nil, stored.DeepCopy(), preserve)}
		}})
	}
	return rows
}
