package osimagestream

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ConfigMapName is the name of the ConfigMap from which machine config operators
// that know no streams take the OS images of the payload.
const ConfigMapName = "machine-config-osimageurl"

const (
	configMapOSImage    = "baseOSContainerImage"
	configMapExtensions = "baseOSExtensionsContainerImage"

	okdTag           = "stream-coreos"
	okdTagExtensions = "stream-coreos-extensions"
)

// Pair is an OS image with its extensions image, both by pull spec. The zero value
// names neither.
type Pair struct {
	OSImage           string
	OSExtensionsImage string
}

// Sources holds what Discover looks through. The zero value holds nothing.
type Sources struct {
	// CLI holds the images given on the command line, nil if none were.
	CLI *Pair
	// ConfigMap is machine-config-osimageurl, nil if there is none.
	ConfigMap *corev1.ConfigMap
	// Payload is the release's image-references, nil if it could not be read. A
	// release that has none is an empty one.
	Payload *imagev1.ImageStream
	// Labels holds the labels of each inspected image by its pull spec. An image
	// without labels has an empty entry; an image that could not be inspected has
	// no entry. Nil says that nobody inspects images.
	Labels map[string]map[string]string
	// AssumeStream is the name of the only stream, for callers that inspect no
	// image. It counts only if Labels is nil.
	AssumeStream string
}

// Images returns the pull specs of the images whose labels Discover wants, by
// rules 5 to 8.
func (s Sources) Images() []string {
	var images []string
	for _, p := range s.pairs() {
		if p.OSImage != "" && p.OSExtensionsImage != "" {
			images = append(images, p.OSImage, p.OSExtensionsImage)
		}
	}
	tags, _ := candidates(s.Payload)
	for _, tag := range tags {
		images = append(images, tag.From.Name)
	}
	slices.Sort(images)
	return slices.DeleteFunc(slices.Compact(images), func(s string) bool { return checkPullSpec(s) != "" })
}

// Discovery is what Discover found. The zero value is that nothing was found, and
// that not all was seen.
type Discovery struct {
	// Complete says that all was seen: the payload was read, and every image that
	// may be one half of a stream was inspected. An incomplete discovery may lack
	// streams that the release has, so Plan writes nothing after one.
	Complete bool
	// Streams is sorted by name. Each stream has both images, and the CRD takes it.
	Streams []mcfgv1.OSImageStreamSet
	// Problems lists the pull specs and stream names that the CRD does not take,
	// sorted by field and text.
	Problems field.ErrorList
	// Findings is sorted by path, code and detail.
	Findings []Finding
}

// Discover pairs the OS images and the extensions images of all sources into
// streams, by rules 14 to 32. The order of tags and of maps does not matter.
func Discover(s Sources) Discovery {
	d := discovery{labels: s.Labels, streams: map[string]offer{}, complete: true}
	assume := ""
	if s.Labels == nil {
		assume = s.AssumeStream
	}
	if assume != "" {
		path := field.NewPath("assumeStream")
		if msg := checkStreamName(assume); msg != "" {
			d.complete = false
			d.problems = append(d.problems, field.Invalid(path, cut(assume), msg))
			return d.result()
		}
		d.note(FindingNameAssumed, path, "no image was inspected; "+cut(assume)+" is taken for the only stream")
	} else if s.Payload == nil {
		d.complete = false
		d.note(FindingPayloadUnread, field.NewPath("image-references"), "the payload was not read, so its streams are not known")
	}
	for _, p := range s.pairs() {
		if p.OSImage == "" || p.OSExtensionsImage == "" {
			d.note(FindingSourceUnusable, p.path, "needs both "+p.keys[0]+" and "+p.keys[1])
			continue
		}
		images := []image{
			{path: p.path.Child(p.keys[0]), pullSpec: p.OSImage, stream: assume, role: RoleOS},
			{path: p.path.Child(p.keys[1]), pullSpec: p.OSExtensionsImage, stream: assume, role: RoleExtensions},
		}
		if images = d.usable(images); len(images) == 2 { // else rule 24
			d.merge(images, p.path)
		}
	}
	d.payload(s.Payload, assume)
	return d.result()
}

// payload adds the streams of the payload's candidates.
func (d *discovery) payload(payload *imagev1.ImageStream, assume string) {
	tags, findings := candidates(payload)
	d.findings = append(d.findings, findings...)
	images := make([]image, 0, len(tags))
	for _, tag := range tags {
		i := image{path: tagPath(tag.Name).Child("from", "name"), pullSpec: tag.From.Name, stream: assume}
		switch {
		case assume == "":
		case tag.Name == okdTag:
			i.role = RoleOS
		case tag.Name == okdTagExtensions:
			i.role = RoleExtensions
		default:
			continue
		}
		images = append(images, i)
	}
	d.merge(d.usable(images), field.NewPath("image-references"))
}

// An image may be one half of a stream.
type image struct {
	path     *field.Path
	pullSpec string
	stream   string
	role     Role
}

// An offer is a complete stream with the source that completes it.
type offer struct {
	set  mcfgv1.OSImageStreamSet
	path *field.Path
}

type discovery struct {
	labels   map[string]map[string]string
	streams  map[string]offer
	problems field.ErrorList
	findings []Finding
	complete bool
}

func (d *discovery) note(code FindingCode, path *field.Path, detail string) {
	d.findings = append(d.findings, Finding{code, path.String(), detail})
}

// usable fills in stream and role by the labels, unless they are assumed, and
// leaves out the images that rules 14 to 18 skip.
func (d *discovery) usable(images []image) []image {
	var good []image
	for _, i := range images {
		if i.stream == "" {
			labels, inspected := d.labels[i.pullSpec]
			if !inspected {
				if d.refuse(i) {
					continue // whatever its labels are
				}
				d.complete = false
				d.note(FindingNotInspected, i.path, "the labels of "+cut(i.pullSpec)+" are not known")
				continue
			}
			i.stream = labels[LabelStream]
			if i.stream == "" {
				d.note(FindingNoStream, i.path, cut(i.pullSpec)+" has no label "+LabelStream)
				continue
			}
			var both bool
			if i.role, both = RoleOf(labels); i.role == RoleNone {
				d.note(FindingUnknownRole, i.path, fmt.Sprintf("%s is of stream %s, but has neither label %s=true (or 1) nor %s=true",
					cut(i.pullSpec), cut(i.stream), LabelOS, LabelExtensions))
				continue
			}
			if both {
				d.note(FindingTwoRoles, i.path, cut(i.pullSpec)+" is labeled as an OS image and as an extensions image; it is taken for an OS image")
			}
			if msg := checkStreamName(i.stream); msg != "" {
				d.problems = append(d.problems, field.Invalid(i.path, cut(i.stream), "label "+LabelStream+" of the image: "+msg))
				continue
			}
		}
		if d.refuse(i) {
			continue
		}
		good = append(good, i)
	}
	return good
}

// refuse reports whether rule 18 skips the image, and adds its problem.
func (d *discovery) refuse(i image) bool {
	msg := checkPullSpec(i.pullSpec)
	if msg != "" {
		d.problems = append(d.problems, field.Invalid(i.path, cut(i.pullSpec), msg))
	}
	return msg != ""
}

// merge pairs the images of one source, in the order of their tags, by rules 19 to
// 21. A complete stream replaces that of an earlier source.
func (d *discovery) merge(images []image, source *field.Path) {
	halves := map[string]*[RoleExtensions + 1]*image{} // by stream, then role
	for i := range images {
		img := &images[i]
		h := halves[img.stream]
		if h == nil {
			h = new([RoleExtensions + 1]*image)
			halves[img.stream] = h
		}
		first := h[img.role]
		if first == nil {
			h[img.role] = img
			continue
		}
		if first.pullSpec != img.pullSpec {
			d.note(FindingDuplicateImage, img.path, fmt.Sprintf("%s is a further %s of stream %s; %s of %s is taken, whose tag comes first by name",
				cut(img.pullSpec), img.role, cut(img.stream), cut(first.pullSpec), first.path))
		}
	}
	for name, h := range halves {
		if h[RoleOS] == nil || h[RoleExtensions] == nil {
			have, lacks := h[RoleOS], RoleExtensions
			if have == nil {
				have, lacks = h[RoleExtensions], RoleOS
			}
			d.note(FindingIncompletePair, have.path, fmt.Sprintf("stream %s has %s, but no %s, so this source does not offer it", cut(name), cut(have.pullSpec), lacks))
			continue
		}
		set := mcfgv1.OSImageStreamSet{
			Name:              name,
			OSImage:           mcfgv1.ImageDigestFormat(h[RoleOS].pullSpec),
			OSExtensionsImage: mcfgv1.ImageDigestFormat(h[RoleExtensions].pullSpec),
		}
		if old, ok := d.streams[name]; ok && old.set != set {
			d.note(FindingOverridden, old.path, fmt.Sprintf("stream %s has %s and %s here; %s and %s of %s are taken, which is the later source",
				cut(name), cut(string(old.set.OSImage)), cut(string(old.set.OSExtensionsImage)),
				cut(string(set.OSImage)), cut(string(set.OSExtensionsImage)), source))
		}
		d.streams[name] = offer{set, source}
	}
}

func (d *discovery) result() Discovery {
	r := Discovery{Complete: d.complete, Problems: d.problems, Findings: d.findings}
	for _, name := range slices.Sorted(maps.Keys(d.streams)) {
		r.Streams = append(r.Streams, d.streams[name].set)
	}
	sortFindings(r.Findings)
	slices.SortFunc(r.Problems, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Error(), b.Error()))
	})
	return r
}

// A namedPair is a pair with the path and the keys of its source.
type namedPair struct {
	Pair
	path *field.Path
	keys [2]string
}

// pairs returns the sources that are pairs, the earliest first.
func (s Sources) pairs() []namedPair {
	var pairs []namedPair
	if s.CLI != nil {
		pairs = append(pairs, namedPair{*s.CLI, field.NewPath("cli"), [2]string{"osImage", "osExtensionsImage"}})
	}
	if s.ConfigMap != nil {
		pairs = append(pairs, namedPair{Pair{s.ConfigMap.Data[configMapOSImage], s.ConfigMap.Data[configMapExtensions]},
			field.NewPath("configmaps").Key(ConfigMapName).Child("data"), [2]string{configMapOSImage, configMapExtensions}})
	}
	return pairs
}
