package section

import (
	"context"
	"fmt"
	"strings"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

var _ = report.Register(
	report.Code{Code: "imagestreams.StaysLegacy", Level: report.Risk,
		Impact: "The tag holds the image for one architecture. Pods that use it fail on nodes of another one, or are kept off them.",
		Remedy: "Give the tag PreserveOriginal; it is imported again then. oc import-image would send Legacy again unless it is told otherwise."},
	report.Code{Code: "imagestreams.NotForNodes", Level: report.Risk,
		Impact: "Pods that use the tag fail on the nodes of these architectures.",
		Remedy: "Build or push the image for the architecture too, or keep the pods off these nodes."},
	report.Code{Code: "imagestreams.PayloadLegacy", Level: report.Note,
		Impact: "A stream of the release payload holds the image for one architecture, although the payload has all.",
		Remedy: "The cluster version operator of today sets Legacy at each sync, so that a patch does not last; use the images of the release by digest."},
	report.Code{Code: "imagestreams.ModeUnknown", Level: report.Risk,
		Impact: "The tag is imported by the mode of the cluster, whichever that is.",
		Remedy: "Set importPolicy.importMode of the tag to Legacy or PreserveOriginal."},
	report.Code{Code: "imagestreams.ModeChanges", Level: report.Note,
		Impact: "The tag is imported by another mode after the change.",
		Remedy: "Set the mode that it is to have."},
)

// StreamOptions bounds what is read and said of image streams.
type StreamOptions struct {
	// Limit is how many entries of one code, and how many rows of a table, a report has.
	Limit int
	// Images is how many Image objects are read.
	Images int
	// AssumeChildren is how many children a list that nobody knows is taken to have, for
	// an estimate; 0 for none.
	AssumeChildren int
	// Apply keeps the streams that have a patch, for files to apply.
	Apply bool
}

// DefaultStreamOptions holds for reports that people read.
var DefaultStreamOptions = StreamOptions{Limit: 10_000, Images: 1000}

// payloadAnnotation begins the annotations by which a manifest of the release payload
// says where it is for; the cluster version operator applies them with it.
const payloadAnnotation = "include.release.openshift.io/"

// StreamSections goes once through all image streams, and makes a section for each of
// the facts: those of the cluster, and those of a change of it. Before is the mode that
// tags are imported by today.
func StreamSections(ctx context.Context, o StreamOptions, all ...*Facts) ([]report.Section, error) {
	before := convert(all[0].currentMode())
	pods, err := readUses(ctx, all[0])
	if err != nil {
		return nil, err
	}
	var passes []*pass
	for _, f := range all {
		passes = append(passes, newPass(f, before, pods, o))
	}
	from := all[0].from
	err = from.Stream(ctx, source.ImageStreams, func(object source.Object) error {
		stream := into[imagev1.ImageStream](all[0], source.ImageStreams, object)
		if stream == nil {
			return nil
		}
		for _, p := range passes {
			p.read, p.apply = object, nil
			p.add(stream)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	wanted := map[string]*imageFacts{}
	for _, p := range passes {
		for name, facts := range p.images {
			wanted[name] = facts
		}
	}
	if err := readImages(ctx, from, all[0], wanted); err != nil {
		return nil, err
	}
	var sections []report.Section
	for _, p := range passes {
		sections = append(sections, p.section(wanted))
	}
	return sections, nil
}

// currentMode is the mode that the status of the image configuration names.
func (f *Facts) currentMode() configv1.ImportModeType {
	if f.Image == nil {
		return ""
	}
	return f.Image.Status.ImageStreamImportMode
}

// convert returns the mode in the type of image streams; one that is no mode as it is,
// since importmode says what that means.
func convert(mode configv1.ImportModeType) imagev1.ImportModeType {
	return imagev1.ImportModeType(mode)
}

// A pass is what is gathered for one section.
type pass struct {
	o      StreamOptions
	f      *Facts
	s      report.Section
	effect importmode.Effect
	// assumed is the same with made up lists, if somebody asked for an estimate.
	assumed *importmode.Effect
	nodes   payloadarch.Set

	// read is the stream as it was read, apply the same to be applied: made of the first
	// tag that has a patch.
	read  source.Object
	apply *report.Applicable

	tags []importmode.TagEffect
	// counts are the entries of each code, with those that are left out.
	counts  map[string]int
	pending []pendingTag
	// uses are what pods use by digest.
	uses        *uses
	pendingUses []pendingUse
	images      map[string]*imageFacts
	unlooked    int
	table       report.Table
	// cannot counts, by namespace and architecture, the tags that cannot run there.
	cannot map[string]map[string]int
}

// A pendingTag waits for its image.
type pendingTag struct {
	object, field, image, namespace string
	// entry is the one that it has already, -1 if it has none; row is its own of the
	// table, -1 if that is full.
	entry, row int
}

func newPass(f *Facts, before imagev1.ImportModeType, pods *uses, o StreamOptions) *pass {
	nodes := f.NodeArch.Workload
	if nodes.Len() == 0 {
		nodes = f.NodeArch.All
	}
	after := before
	if f.Mode.Mode != "" {
		after = convert(f.Mode.Mode)
	}
	p := &pass{
		o: o, f: f, nodes: nodes, uses: pods, counts: map[string]int{}, images: map[string]*imageFacts{}, cannot: map[string]map[string]int{},
		s:      report.Section{Name: "imagestreams", Title: "Image streams"},
		effect: importmode.Effect{From: before, To: after, Nodes: nodes},
		table: report.Table{Name: "tags", Title: "tags", JSONOnly: true,
			Columns: []string{"namespace", "stream", "tag", "mode", "reason", "image", "architectures", "cannot run on"}},
	}
	if o.AssumeChildren > 0 {
		p.assumed = &importmode.Effect{From: before, To: after, Nodes: nodes}
	}
	return p
}

// add judges the tags of a stream.
func (p *pass) add(stream *imagev1.ImageStream) {
	p.tags = p.effect.Add(p.tags[:0], stream, nil)
	if p.assumed != nil {
		_ = p.assumed.Add(nil, stream, assume(stream, p.o.AssumeChildren))
	}
	managed := false
	for key := range stream.Annotations {
		managed = managed || strings.HasPrefix(key, payloadAnnotation)
	}
	object := fmt.Sprintf("imagestreams[%s/%s]", stream.Namespace, stream.Name)
	events := newestImages(stream)
	for i := range p.tags {
		p.tag(stream, object, &p.tags[i], events[p.tags[i].Name], managed)
	}
	p.used(stream, object)
}

// newestImages returns, by tag, the image that its newest event names.
func newestImages(stream *imagev1.ImageStream) map[string]string {
	images := make(map[string]string, len(stream.Status.Tags))
	for _, t := range stream.Status.Tags {
		if len(t.Items) > 0 {
			images[t.Tag] = t.Items[0].Image
		}
	}
	return images
}

// assume returns lists of n children for the tags of a stream: one of them is the image
// that a Legacy import has taken out of it.
func assume(stream *imagev1.ImageStream, n int) []importmode.Manifest {
	images := newestImages(stream)
	all := make([]importmode.Manifest, len(stream.Spec.Tags))
	for i, t := range stream.Spec.Tags {
		all[i] = importmode.Manifest{Digest: "list", Children: make([]importmode.Child, n)}
		for c := range all[i].Children {
			all[i].Children[c].Digest = fmt.Sprintf("child %d", c)
		}
		if image := images[t.Name]; image != "" {
			all[i].Children[0].Digest = image
		}
	}
	return all
}

// tag puts into the report what is worth it of one tag.
func (p *pass) tag(stream *imagev1.ImageStream, object string, d *importmode.TagEffect, image string, managed bool) {
	field := "status.tags[" + d.Name + "]"
	if d.Index >= 0 {
		field = "spec.tags[" + d.Name + "].importPolicy.importMode"
	}
	entry := -1
	if d.Reason == importmode.ReasonModeUnknown {
		p.entry(report.New("imagestreams.ModeUnknown", object, field,
			fmt.Sprintf("%q is no mode, and the mode of the cluster counts", stream.Spec.Tags[d.Index].ImportPolicy.ImportMode)))
	}
	if d.Changed {
		p.entry(report.New("imagestreams.ModeChanges", object, field, "becomes "+string(d.Mode)))
	}
	switch {
	case managed && d.Index >= 0 && p.f.Payload.Kind == payloadarch.Multi && d.Mode != "":
		stored := stream.Spec.Tags[d.Index].ImportPolicy.ImportMode
		if m := importmode.DefaultManagedTag("", stored, true); m.Changed {
			entry = p.entry(report.New("imagestreams.PayloadLegacy", object, field,
				fmt.Sprintf("should be %s unless the manifest of the payload names a mode (%s)", m.Store, m.Reason)))
		}
	case d.Fix != importmode.PatchNone:
		e := report.New("imagestreams.StaysLegacy", object, field,
			fmt.Sprintf("%s (%s), and nodes are %s", d.Mode, d.Reason, list(p.nodes)))
		e.Patches = []report.Patch{p.patch(stream, d)}
		e.Commands = []string{e.Patches[0].Command()}
		entry = p.entry(e)
	}
	row := p.row(stream, d, image)
	// A tag that follows another holds what that holds.
	if p.nodes.Len() < 2 || image == "" || d.Reason == importmode.ReasonFollows {
		return
	}
	p.want(pendingTag{object, field, image, stream.Namespace, entry, row})
}

// patch is the fix of a tag, which goes back by the reverse that importmode names.
func (p *pass) patch(stream *imagev1.ImageStream, d *importmode.TagEffect) report.Patch {
	if p.o.Apply && p.apply == nil {
		p.apply = report.NewApplicable(p.read.JSON())
	}
	return report.Patch{
		APIVersion: "image.openshift.io/v1", Kind: "ImageStream", Resource: "imagestreams",
		Namespace: stream.Namespace, Name: stream.Name, Type: "json",
		Does: fmt.Sprintf("sets the import mode of tag %s to PreserveOriginal, and it is imported again", d.Name),
		Body: d.JSONPatch(d.Fix), Revert: d.JSONPatch(d.Reverse),
		Apply: p.apply,
	}
}

// entry adds an entry, unless there are too many of its code, and returns its place.
func (p *pass) entry(e report.Entry) int {
	if p.counts[e.Code]++; p.counts[e.Code] > p.o.Limit {
		return -1
	}
	p.s.Entries = append(p.s.Entries, e)
	return len(p.s.Entries) - 1
}

func (p *pass) row(stream *imagev1.ImageStream, d *importmode.TagEffect, image string) int {
	if len(p.table.Rows) >= p.o.Limit {
		p.table.Omitted++
		return -1
	}
	p.table.Rows = append(p.table.Rows, []string{stream.Namespace, stream.Name, d.Name, string(d.Mode), d.Reason.String(), image, "", ""})
	return len(p.table.Rows) - 1
}

// want asks for the image of a tag, within the bounds.
func (p *pass) want(t pendingTag) {
	if _, there := p.images[t.image]; !there {
		if len(p.images) >= p.o.Images {
			p.unlooked++
			return
		}
		p.images[t.image] = nil
	}
	if len(p.pending) >= 10*p.o.Images {
		p.unlooked++
		return
	}
	p.pending = append(p.pending, t)
}
