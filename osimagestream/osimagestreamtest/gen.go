package osimagestreamtest

import (
	"fmt"
	"slices"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
)

// StreamNames are names that meet often, so that streams collide and leave.
func StreamNames() []string {
	return []string{"centos-9", "centos-10", "centos-11", "rhel-9", "rhel-10", "rhel-10.2"}
}

// DrawStreams draws at most four distinct streams in any order, their images from two
// releases.
func DrawStreams(t *rapid.T, label string, least int) (streams []mcfgv1.OSImageStreamSet) {
	for _, n := range rapid.SliceOfNDistinct(rapid.SampledFrom(StreamNames()), least, 4, rapid.ID[string]).Draw(t, label) {
		streams = append(streams, SetFrom(n, rapid.SampledFrom([]string{"", "2"}).Draw(t, label+" release")))
	}
	return streams
}

// DrawStored draws what an API server can hold: nothing, an object before its first
// status, one with a status, and each of them with the empty spec of old versions.
func DrawStored(t *rapid.T) *mcfgv1.OSImageStream {
	spec := rapid.SampledFrom(append([]string{""}, StreamNames()...)).Draw(t, "stored spec")
	switch rapid.IntRange(0, 3).Draw(t, "stored") {
	case 0:
		return nil
	case 1:
		return Stored(spec, "")
	}
	streams := DrawStreams(t, "stored streams", 1)
	o := Stored(spec, rapid.SampledFrom(namesOf(streams)).Draw(t, "stored default"), streams...)
	if rapid.Bool().Draw(t, "stored of another release") {
		o.Annotations[annotationVersion] = "old"
	}
	return o
}

// DrawOffer draws what the default is decided from. All was seen.
func DrawOffer(t *rapid.T) Offer {
	return Offer{
		Flavor:         rapid.SampledFrom([]Flavor{OCP, OKD}).Draw(t, "flavor"),
		Streams:        DrawStreams(t, "streams", 0),
		Stored:         DrawStored(t),
		InstallVersion: rapid.SampledFrom([]string{"", "4.18.0", "5.0.0"}).Draw(t, "install version"),
	}
}

// Odd says what is odd about the sources that are drawn.
type Odd struct {
	Uninspected bool // an image in six could not be inspected
	Duplicates  bool // several images for one role of one stream
	Sources     bool // the command line and the ConfigMap have pairs, too
	Names       bool // names of streams that the CRD refuses
	PullSpecs   bool // pull specs that the CRD refuses
	Labels      bool // no stream, no role, both roles, other letter cases
	Tags        bool // tags that are no images, or no candidates
}

// Everything is all of it.
func Everything() Odd { return Odd{true, true, true, true, true, true, true} }

// DrawSources draws payloads of up to eight tags out of six images, in which halves
// of streams are missing.
func DrawSources(t *rapid.T, odd Odd) Sources {
	const byTag = "quay.io/okd/content:latest"
	images := []string{PullSpec("a"), PullSpec("b"), PullSpec("c"), PullSpec("d"), PullSpec("e"), PullSpec("f")}
	s := Sources{Labels: map[string]map[string]string{}, Payload: Payload()}
	labels := map[string]map[string]string{byTag: OSLabels("rhel-9")}
	for _, image := range images {
		labels[image] = drawLabels(t, odd)
	}
	for image, l := range labels {
		s.Labels[image] = l
	}
	if odd.Uninspected {
		for _, image := range images {
			if rapid.IntRange(0, 5).Draw(t, "inspected") == 0 {
				delete(s.Labels, image)
			}
		}
	}
	if odd.PullSpecs {
		images = append(images, byTag)
	} else {
		delete(s.Labels, byTag)
	}
	image := rapid.SampledFrom(images)
	if odd.Sources && rapid.Bool().Draw(t, "cli") {
		s.CLI = &Pair{image.Draw(t, "cli os"), image.Draw(t, "cli extensions")}
	}
	if odd.Sources && rapid.Bool().Draw(t, "config map") {
		s.ConfigMap = ConfigMap(image.Draw(t, "cm os"), image.Draw(t, "cm extensions"))
	}
	names := []string{"rhel-coreos", "rhel-coreos-extensions", "stream-coreos"}
	if odd.Tags {
		names = append(names, "centos-10-coreos", "etcd")
	}
	taken := map[string]string{} // by stream and role
	for n := range rapid.IntRange(0, 8).Draw(t, "tags") {
		name := rapid.SampledFrom(names).Draw(t, "tag")
		if rapid.Bool().Draw(t, "numbered") {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		tag := Tag(name, image.Draw(t, "image"))
		l := labels[tag.From.Name]
		half := l[labelStream] + " " + string(RoleOracle(l))
		if other, ok := taken[half]; ok && other != tag.From.Name && !odd.Duplicates {
			continue
		}
		taken[half] = tag.From.Name
		if odd.Tags && rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			tag.From.Kind = "ImageStreamTag"
		}
		s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag)
	}
	return s
}

func drawLabels(t *rapid.T, odd Odd) map[string]string {
	streams := []string{"rhel-9", "rhel-9", "rhel-10"}
	if odd.Names {
		streams = append(streams, "Bad_Name")
	}
	if odd.Labels {
		streams = append(streams, "")
	}
	stream := rapid.SampledFrom(streams).Draw(t, "stream")
	if !odd.Labels {
		if rapid.Bool().Draw(t, "os") {
			return OSLabels(stream)
		}
		return ExtensionsLabels(stream)
	}
	labels := map[string]string{labelStream: stream}
	if rapid.Bool().Draw(t, "os") {
		labels[labelOS] = rapid.SampledFrom([]string{"true", "1", "TRUE", "no"}).Draw(t, "os value")
	}
	if rapid.Bool().Draw(t, "extensions") {
		labels[labelExtensions] = rapid.SampledFrom([]string{"true", "1", "True"}).Draw(t, "extensions value")
	}
	return labels
}

// Shuffled returns the sources with their tags in another order.
func Shuffled(t *rapid.T, s Sources) Sources {
	p := *s.Payload
	p.Spec.Tags = rapid.Permutation(slices.Clone(p.Spec.Tags)).Draw(t, "order of tags")
	s.Payload = &p
	return s
}

// DrawTag draws a tag with one of the prefixes; half of them are named like an OS
// image, the others almost.
func DrawTag(t *rapid.T, prefixes ...string) imagev1.TagReference {
	name := rapid.SampledFrom(prefixes).Draw(t, "prefix")
	if rapid.Bool().Draw(t, "like an OS image") {
		name += rapid.StringMatching(`[a-z0-9.-]{0,4}-coreos[a-z0-9.-]{0,4}(-extensions)?`).Draw(t, "rest")
	} else {
		name += rapid.StringMatching(`[a-zA-Z0-9._ -]{0,4}-?core-?os[a-zA-Z0-9._ -]{0,4}`).Draw(t, "rest")
	}
	return Tag(name, PullSpec("a"))
}

// DrawClusterVersion draws up to six updates, one in four partial, one in four without a
// completion time, the newest first. They are completed at so many different times; 0
// is an hour for each.
func DrawClusterVersion(t *rapid.T, times int) *configv1.ClusterVersion {
	cv := &configv1.ClusterVersion{}
	cv.Status.Desired.Version = "5.1.0"
	for n := range rapid.IntRange(0, 6).Draw(t, "entries") {
		e := configv1.UpdateHistory{Version: fmt.Sprintf("4.%d.0", 20-n), State: configv1.CompletedUpdate}
		if rapid.IntRange(0, 3).Draw(t, "partial") == 0 {
			e.State = configv1.PartialUpdate
		}
		if rapid.IntRange(0, 3).Draw(t, "unfinished") != 0 {
			hour := n
			if times > 0 {
				hour = rapid.IntRange(0, times-1).Draw(t, "hour")
			}
			e.CompletionTime = &metav1.Time{Time: time.Date(2026, 7, 1, 23-hour, 0, 0, 0, time.UTC)}
		}
		cv.Status.History = append(cv.Status.History, e)
	}
	return cv
}
