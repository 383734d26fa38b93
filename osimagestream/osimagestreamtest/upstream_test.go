package osimagestreamtest_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/conformance"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

var upstreamRules = osimagestreamtest.Options{RuleSet: "v1", Strengths: []conformance.Strength{conformance.StrengthUpstream}}

var upstreamTags = regexp.MustCompile(`^(rhel|stream)[a-zA-Z0-9.-]*-coreos[a-zA-Z0-9.-]*(-extensions[a-zA-Z0-9.-]*)?$`)

// upstream is what openshift/machine-config-operator does, in the form of 2026: of
// pkg/osimagestream filterImageTag, GetImageData, GroupOSContainerImageMetadataToStream,
// the FetchStreams of both sources, collect, getDefaultStreamSet,
// GetBuiltinDefaultStreamName and newOSImageStream; of pkg/controller/osimagestream
// syncOSImageStream; and the admission policy of pools. Who inspects no image, and OKD's
// single stream, are not there.
func upstream() impl {
	return impl{
		ReadPayload: func(data []byte) (*imagev1.ImageStream, error) {
			var is imagev1.ImageStream
			if err := json.Unmarshal(data, &is); err != nil {
				return nil, err
			}
			if is.Kind != "ImageStream" || is.APIVersion != imagev1.GroupVersion.String() {
				return nil, errNo
			}
			return &is, nil
		},
		Candidate: upstreamCandidate,
		Images: func(s sources) (all []string) {
			for _, p := range upstreamPairs(s) {
				all = append(all, p.OSImage, p.OSExtensionsImage)
			}
			if s.Payload != nil {
				for _, tag := range s.Payload.Spec.Tags {
					if upstreamCandidate(tag) {
						all = append(all, tag.From.Name)
					}
				}
			}
			return all
		},
		Role: upstreamRole,
		Discover: func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
			return upstreamCollect(s), true, nil
		},
		Default: func(o offer) (string, error) {
			return upstreamDefault(o.Flavor, o.Streams, o.Stored, o.InstallVersion)
		},
		BuiltInDefault: upstreamBuiltIn,
		Reconcile:      upstreamSync,
		ValidatePool: func(pool, _ *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error {
			if stored == nil {
				return errNo // the policy has no parameter to go by
			}
			if pool == nil || pool.Spec.OSImageStream.Name == "" {
				return nil
			}
			if !slices.ContainsFunc(stored.Status.AvailableStreams, named(pool.Spec.OSImageStream.Name)) {
				return errNo
			}
			return nil
		},
	}
}

func named(name string) func(mcfgv1.OSImageStreamSet) bool {
	return func(s mcfgv1.OSImageStreamSet) bool { return s.Name == name }
}

func upstreamCandidate(tag imagev1.TagReference) bool {
	return tag.From != nil && tag.From.Kind == "DockerImage" &&
		(strings.Contains(tag.Annotations["io.openshift.build.source-location"], "github.com/openshift/os") || upstreamTags.MatchString(tag.Name))
}

func upstreamPairs(s sources) (pairs []osimagestreamtest.Pair) {
	if s.CLI != nil {
		pairs = append(pairs, *s.CLI)
	}
	if s.ConfigMap != nil {
		pairs = append(pairs, osimagestreamtest.Pair{OSImage: s.ConfigMap.Data["baseOSContainerImage"],
			OSExtensionsImage: s.ConfigMap.Data["baseOSExtensionsContainerImage"]})
	}
	return pairs
}

func upstreamRole(labels map[string]string) osimagestreamtest.Role {
	is := func(key string, values ...string) bool {
		return slices.ContainsFunc(values, func(v string) bool { return strings.EqualFold(labels[key], v) })
	}
	switch {
	case is(osimagestream.LabelOS, "true", "1"):
		return osimagestreamtest.OS
	case is(osimagestream.LabelExtensions, "true"):
		return osimagestreamtest.Extensions
	}
	return osimagestreamtest.NoRole
}

// upstreamGroup pairs images that have a stream and a role. The last one wins.
func upstreamGroup(s sources, images []string) map[string]mcfgv1.OSImageStreamSet {
	sets := map[string]mcfgv1.OSImageStreamSet{}
	for _, image := range images {
		labels := s.Labels[image]
		stream := labels[osimagestream.LabelStream]
		set := sets[stream]
		set.Name = stream
		switch upstreamRole(labels) {
		case osimagestreamtest.OS:
			set.OSImage = mcfgv1.ImageDigestFormat(image)
		case osimagestreamtest.Extensions:
			set.OSExtensionsImage = mcfgv1.ImageDigestFormat(image)
		default:
			continue
		}
		if stream != "" {
			sets[stream] = set
		}
	}
	maps.DeleteFunc(sets, func(_ string, s mcfgv1.OSImageStreamSet) bool { return s.OSImage == "" || s.OSExtensionsImage == "" })
	return sets
}

func upstreamCollect(s sources) (streams []mcfgv1.OSImageStreamSet) {
	all := map[string]mcfgv1.OSImageStreamSet{}
	for _, p := range upstreamPairs(s) {
		both := []string{p.OSImage, p.OSExtensionsImage}
		whole := !slices.ContainsFunc(both, func(image string) bool {
			l, inspected := s.Labels[image]
			return !inspected || l[osimagestream.LabelStream] == "" || upstreamRole(l) == osimagestreamtest.NoRole
		})
		if whole {
			maps.Copy(all, upstreamGroup(s, both))
		}
	}
	if s.Payload != nil {
		var images []string
		for _, tag := range s.Payload.Spec.Tags {
			if _, inspected := s.Labels[tagImage(tag)]; inspected && upstreamCandidate(tag) {
				images = append(images, tag.From.Name)
			}
		}
		maps.Copy(all, upstreamGroup(s, images))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		streams = append(streams, all[name])
	}
	return streams
}

func tagImage(tag imagev1.TagReference) string {
	if tag.From == nil {
		return ""
	}
	return tag.From.Name
}

func upstreamBuiltIn(f osimagestreamtest.Flavor, installVersion string) string {
	if f == osimagestreamtest.OKD {
		return "centos-10"
	}
	v, err := version.ParseGeneric(installVersion)
	if err != nil {
		v = version.MustParseGeneric("5.1.0") // the version of the build stands in
	}
	if v.Major() == 4 {
		return "rhel-9"
	}
	return "rhel-10"
}

func upstreamDefault(f osimagestreamtest.Flavor, streams []mcfgv1.OSImageStreamSet, stored *mcfgv1.OSImageStream, installVersion string) (string, error) {
	requested := ""
	if stored != nil {
		if requested = stored.Spec.DefaultStream; requested == "" {
			requested = stored.Status.DefaultStream
		}
	}
	if len(streams) == 0 {
		return "", errNo
	}
	if requested == "" {
		if len(streams) == 1 {
			return streams[0].Name, nil
		}
		requested = upstreamBuiltIn(f, installVersion)
	}
	if slices.ContainsFunc(streams, named(requested)) {
		return requested, nil
	}
	return "", errNo
}

func upstreamSync(c osimagestreamtest.Cluster) error {
	existing := c.Server.Stored()
	release := map[string]string{osimagestream.AnnotationReleaseVersion: c.Version, osimagestream.AnnotationReleaseImage: c.Image}
	if existing != nil && existing.Annotations[osimagestream.AnnotationReleaseVersion] == c.Version &&
		existing.Annotations[osimagestream.AnnotationReleaseImage] == c.Image {
		return upstreamFollow(c, existing)
	}
	s := sources{Labels: map[string]map[string]string{}}
	s.Payload, _ = c.Payload() // a source that fails is left out
	if s.Payload != nil {
		for _, tag := range s.Payload.Spec.Tags {
			if labels, err := c.Inspect(tagImage(tag)); err == nil {
				s.Labels[tagImage(tag)] = labels
			}
		}
	}
	streams := upstreamCollect(s)
	name, err := upstreamDefault(c.Flavor, streams, existing, c.InstallVersion)
	if err != nil {
		return err
	}
	var current *mcfgv1.OSImageStream
	if existing == nil {
		built := &mcfgv1.OSImageStream{Spec: mcfgv1.OSImageStreamSpec{DefaultStream: name}}
		built.Name, built.Annotations = "cluster", release
		current, err = c.Server.Create(built)
	} else {
		name = existing.Spec.DefaultStream
		desired := existing.DeepCopy()
		if desired.Annotations == nil {
			desired.Annotations = map[string]string{}
		}
		maps.Copy(desired.Annotations, release)
		current, err = c.Server.Update(desired)
	}
	if err != nil {
		return err
	}
	current.Status = mcfgv1.OSImageStreamStatus{DefaultStream: name, AvailableStreams: streams}
	_, err = c.Server.UpdateStatus(current)
	return err
}

// upstreamFollow takes over a default that a user named.
func upstreamFollow(c osimagestreamtest.Cluster, existing *mcfgv1.OSImageStream) error {
	requested := existing.Spec.DefaultStream
	if requested == "" || requested == existing.Status.DefaultStream {
		return nil
	}
	if !slices.ContainsFunc(existing.Status.AvailableStreams, named(requested)) {
		return errNo
	}
	existing.Status.DefaultStream = requested
	_, err := c.Server.UpdateStatus(existing)
	return err
}
