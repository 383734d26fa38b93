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

// The ConfigMap that carries the payload's OS images in machine config operators
// that know no streams.
const (
	ConfigMapName          = "machine-config-osimageurl"
	configMapOSImage       = "baseOSContainerImage"
	configMapExtensions    = "baseOSExtensionsContainerImage"
	okdTag, okdTagExtended = "stream-coreos", "stream-coreos-extensions"
)

// Pair is an OS image with its extensions image, both by pull spec.
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
	// Payload is the release's image-references, nil if it could not be read.
	Payload *imagev1.ImageStream
	// Labels holds the labels of each image that was inspected, by pull spec. An
	// image that has no labels has an empty entry; one that could not be inspected
	// has none.
	Labels map[string]map[string]string
	// AssumeStream is the name of the only stream there is, for callers that
	// inspect no image. It counts only while Labels is empty.
	AssumeStream string
}

// Images returns the pull specs of the images whose labels Discover wants, sorted,
// each once.
func (s Sources) Images() []string {
	var images []string
	for _, p := range s.pairs() {
		images = append(images, p.OSImage, p.OSExtensionsImage)
	}
	tags, _ := candidates(s.Payload)
	for _, tag := range tags {
		images = append(images, tag.From.Name)
	}
	slices.Sort(images)
	return slices.DeleteFunc(slices.Compact(images), func(s string) bool { return s == "" })
}

// Discovery is what Discover found.
type Discovery struct {
	// Streams is sorted by name. Each has both images, and the CRD takes it.
	Streams []mcfgv1.OSImageStreamSet
	// Problems are the pull specs and stream names that the CRD does not take.
	Problems field.ErrorList
	// Findings is sorted by path, code and detail.
	Findings []Finding
}

// Discover pairs the OS and extensions images of all sources into streams. The
// rules are those of the package comment. The order of tags and of maps does not
// matter.
func Discover(s Sources) Discovery {
	d := discovery{labels: s.Labels, streams: map[string]offer{}}
	assume := ""
	if len(s.Labels) == 0 {
		assume = s.AssumeStream
	}
	if assume != "" {
		path := field.NewPath("assumeStream")
		if msg := checkStreamName(assume); msg != "" {
			d.problems = append(d.problems, field.Invalid(path, assume, msg))
			return d.result()
		}
		d.find(FindingNameAssumed, path, "no image was inspected; stream "+assume+" is taken for the only one")
	}
	for _, p := range s.pairs() {
		if p.OSImage == "" || p.OSExtensionsImage == "" {
			d.find(FindingSourceUnusable, p.path, "needs both "+p.keys[0]+" and "+p.keys[1])
			continue
		}
		images := []image{
			{path: p.path.Child(p.keys[0]), pullSpec: p.OSImage, stream: assume, role: osImage},
			{path: p.path.Child(p.keys[1]), pullSpec: p.OSExtensionsImage, stream: assume, role: extensionsImage},
		}
		// One bad half makes the other one useless: a pair is given as a pair.
		if images = d.usable(images); len(images) == 2 {
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
			i.role = osImage
		case tag.Name == okdTagExtended:
			i.role = extensionsImage
		default:
			continue
		}
		images = append(images, i)
	}
	d.merge(d.usable(images), field.NewPath("image-references"))
}

// An image is one that may be a half of a stream.
type image struct {
	path     *field.Path
	pullSpec string
	stream   string
	role     role
}

// An offer is a complete stream and the source it is from.
type offer struct {
	set  mcfgv1.OSImageStreamSet
	path *field.Path
}

type discovery struct {
	labels   map[string]map[string]string
	streams  map[string]offer
	problems field.ErrorList
	findings []Finding
}

func (d *discovery) find(code FindingCode, path *field.Path, detail string) {
	d.findings = append(d.findings, Finding{code, path.String(), detail})
}

// usable fills in stream and role by the labels where the caller assumes none, and
// leaves out what is no half of any stream.
func (d *discovery) usable(images []image) []image {
	var good []image
	for _, i := range images {
		if i.stream == "" {
			labels, inspected := d.labels[i.pullSpec]
			if !inspected {
				d.find(FindingNotInspected, i.path, "labels of "+i.pullSpec+" are not known")
				continue
			}
			i.stream = labels[LabelStream]
			if i.stream == "" {
				d.find(FindingNoStream, i.path, i.pullSpec+" has no label "+LabelStream)
				continue
			}
			var both bool
			if i.role, both = roleOf(labels); i.role == noRole {
				d.find(FindingUnknownRole, i.path, fmt.Sprintf("%s is of stream %s, but neither has label %s true or 1 nor %s true",
					i.pullSpec, i.stream, LabelOS, LabelExtensions))
				continue
			}
			if both {
				d.find(FindingTwoRoles, i.path, i.pullSpec+" claims to be an OS image and an extensions image; taken for an OS image")
			}
			if msg := checkStreamName(i.stream); msg != "" {
				d.problems = append(d.problems, field.Invalid(i.path, i.stream, "label "+LabelStream+" of the image: "+msg))
				continue
			}
		}
		if msg := checkPullSpec(i.pullSpec); msg != "" {
			d.problems = append(d.problems, field.Invalid(i.path, i.pullSpec, msg))
			continue
		}
		good = append(good, i)
	}
	return good
}

// merge pairs the images of one source, in the order of their tags, and lets the
// complete streams override those of earlier sources.
func (d *discovery) merge(images []image, source *field.Path) {
	halves := map[string]*[3]*image{} // by stream, then role
	for i := range images {
		img := &images[i]
		h := halves[img.stream]
		if h == nil {
			h = new([3]*image)
			halves[img.stream] = h
		}
		first := h[img.role]
		if first == nil {
			h[img.role] = img
			continue
		}
		if first.pullSpec != img.pullSpec {
			d.find(FindingDuplicateImage, img.path, fmt.Sprintf("a further %s of stream %s, %s: %s of %s won, it comes first in the order of tags",
				img.role, img.stream, img.pullSpec, first.pullSpec, first.path))
		}
	}
	for name, h := range halves {
		if h[osImage] == nil || h[extensionsImage] == nil {
			have, lacks := h[osImage], extensionsImage
			if have == nil {
				have, lacks = h[extensionsImage], osImage
			}
			d.find(FindingIncompletePair, have.path, fmt.Sprintf("stream %s has %s, but no %s: not offered from here", name, have.pullSpec, lacks))
			continue
		}
		set := mcfgv1.OSImageStreamSet{
			Name:              name,
			OSImage:           mcfgv1.ImageDigestFormat(h[osImage].pullSpec),
			OSExtensionsImage: mcfgv1.ImageDigestFormat(h[extensionsImage].pullSpec),
		}
		if old, ok := d.streams[name]; ok && old.set != set {
			d.find(FindingOverridden, old.path, fmt.Sprintf("stream %s of %s and %s: %s and %s of %s won, it is the later source",
				name, old.set.OSImage, old.set.OSExtensionsImage, set.OSImage, set.OSExtensionsImage, source))
		}
		d.streams[name] = offer{set, source}
	}
}

func (d *discovery) result() Discovery {
	r := Discovery{Problems: d.problems, Findings: d.findings}
	for _, name := range slices.Sorted(maps.Keys(d.streams)) {
		r.Streams = append(r.Streams, d.streams[name].set)
	}
	sortFindings(r.Findings)
	slices.SortFunc(r.Problems, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Error(), b.Error()))
	})
	return r
}

// A namedPair is a pair with the source it is from.
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
			field.NewPath(ConfigMapName, "data"), [2]string{configMapOSImage, configMapExtensions}})
	}
	return pairs
}
