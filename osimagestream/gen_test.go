package osimagestream

import (
	"fmt"
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"pgregory.net/rapid"
)

// Names that meet often, so that streams collide and leave.
var streamNames = []string{"centos-9", "centos-10", "centos-11", "rhel-9", "rhel-10", "rhel-10.2"}

// genStreams draws distinct streams in any order, their images from two releases.
func genStreams(t *rapid.T, label string, least int) []mcfgv1.OSImageStreamSet {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom(streamNames), least, 4, rapid.ID[string]).Draw(t, label)
	var s []mcfgv1.OSImageStreamSet
	for _, n := range names {
		s = append(s, setFrom(n, rapid.SampledFrom([]string{"", "2"}).Draw(t, label+" release")))
	}
	return s
}

// genStored draws what an API server can hold: nothing, an object before its first
// status, one with a status, and each of them with the empty spec of old versions.
func genStored(t *rapid.T) *mcfgv1.OSImageStream {
	spec := rapid.SampledFrom(append([]string{""}, streamNames...)).Draw(t, "stored spec")
	switch rapid.IntRange(0, 3).Draw(t, "stored") {
	case 0:
		return nil
	case 1:
		return stored(spec, "")
	}
	streams := genStreams(t, "stored streams", 1)
	o := stored(spec, rapid.SampledFrom(nameList(streams)).Draw(t, "stored default"), streams...)
	if rapid.Bool().Draw(t, "stored of another release") {
		o.Annotations[AnnotationReleaseVersion] = "old"
	}
	return o
}

func genCluster(t *rapid.T) Cluster {
	return Cluster{
		Flavor:         rapid.SampledFrom([]Flavor{OCP, OKD}).Draw(t, "flavor"),
		Discovery:      complete(genStreams(t, "streams", 0)...),
		Stored:         genStored(t),
		InstallVersion: rapid.SampledFrom([]string{"", "x", "4.18.0", "5.0.0"}).Draw(t, "install version"),
		Release:        release,
	}
}

// genSources draws payloads in which names, roles and digests collide, together
// with the other sources.
func genSources(t *rapid.T) Sources {
	images := []string{"a", "b", "c", "d", "e"}
	s := Sources{Labels: map[string]map[string]string{}}
	for _, content := range images {
		if rapid.IntRange(0, 5).Draw(t, "inspected") == 0 {
			continue
		}
		labels := map[string]string{LabelStream: rapid.SampledFrom([]string{"rhel-9", "rhel-9", "rhel-10", "", "Bad_Name"}).Draw(t, "stream")}
		if rapid.Bool().Draw(t, "os") {
			labels[LabelOS] = rapid.SampledFrom([]string{"true", "1", "TRUE", "no"}).Draw(t, "os value")
		}
		if rapid.Bool().Draw(t, "extensions") {
			labels[LabelExtensions] = rapid.SampledFrom([]string{"true", "1", "True"}).Draw(t, "extensions value")
		}
		s.Labels[pull(content)] = labels
	}
	image := rapid.Custom(func(t *rapid.T) string {
		content := rapid.SampledFrom(append(images, "")).Draw(t, "content")
		if content == "" {
			return "quay.io/okd/content:latest"
		}
		return pull(content)
	})
	if rapid.Bool().Draw(t, "cli") {
		s.CLI = &Pair{image.Draw(t, "cli os"), image.Draw(t, "cli extensions")}
	}
	if rapid.Bool().Draw(t, "config map") {
		s.ConfigMap = configMap(image.Draw(t, "cm os"), image.Draw(t, "cm extensions"))
	}
	s.Payload = payload()
	for i := range rapid.IntRange(0, 8).Draw(t, "tags") {
		name := rapid.SampledFrom([]string{"rhel-coreos", "rhel-coreos-extensions", "stream-coreos", "centos-10-coreos", "etcd"}).Draw(t, "tag")
		if rapid.Bool().Draw(t, "numbered") {
			name = fmt.Sprintf("%s-%d", name, i)
		}
		tag := tag(name, image.Draw(t, "image"))
		if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			tag.From.Kind = "ImageStreamTag"
		}
		s.Payload.Spec.Tags = append(s.Payload.Spec.Tags, tag)
	}
	s.AssumeStream = rapid.SampledFrom([]string{"", "centos-10"}).Draw(t, "assume")
	return s
}

// shuffled returns the sources with their tags in another order.
func shuffled(t *rapid.T, s Sources) Sources {
	p := *s.Payload
	p.Spec.Tags = rapid.Permutation(slices.Clone(p.Spec.Tags)).Draw(t, "order of tags")
	s.Payload = &p
	return s
}
