package section

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/importmode"
)

var _ = report.Register(report.Code{Code: "imagestreams.ChildUsed", Level: report.Risk,
	Impact: "A pruner counts the uses of what the stream names, which is the list. When the list goes, this image goes too, and the pods cannot be started on another node.",
	Remedy: "Use the tag, or the digest of the list, in the place of the digest of one of its images."})

// A use is an image that pods name by an image stream and a digest.
type use struct {
	digest, pod string
	pods        int
}

// uses are those of the pods, by namespace and name of the image stream.
type uses struct {
	of    map[source.Key]map[string]*use
	count int
	// omitted counts those over the limit.
	omitted int
}

// maxUses is how many images by digest are looked after.
const maxUses = 10_000

// readUses goes through the pods.
func readUses(ctx context.Context, f *Facts) (*uses, error) {
	u := &uses{of: map[source.Key]map[string]*use{}}
	err := f.from.Stream(ctx, source.Pods, func(o source.Object) error {
		type container struct {
			Image string `json:"image"`
		}
		pod := into[struct {
			metav1.ObjectMeta `json:"metadata"`
			Spec              struct {
				InitContainers []container `json:"initContainers"`
				Containers     []container `json:"containers"`
			} `json:"spec"`
		}](f, source.Pods, o)
		if pod == nil {
			return nil
		}
		seen := map[string]bool{}
		for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			if !seen[c.Image] {
				seen[c.Image] = true
				u.add(c.Image, o.Key)
			}
		}
		return nil
	})
	return u, err
}

// add notes an image of the form host/namespace/name@digest, which is the one that a
// pruner takes for an image of a stream: analyzeImageReference in openshift/oc,
// pkg/cli/admin/prune/imageprune/prune.go at 1091d77.
func (u *uses) add(image string, pod source.Key) {
	name, digest, byDigest := strings.Cut(image, "@sha256:")
	parts := strings.Split(name, "/")
	if !byDigest || len(parts) != 3 {
		return
	}
	key := source.Key{Namespace: parts[1], Name: parts[2]}
	known := u.of[key]["sha256:"+digest]
	switch {
	case known != nil:
		known.pods++
	case u.count >= maxUses:
		u.omitted++
	default:
		u.count++
		if u.of[key] == nil {
			u.of[key] = map[string]*use{}
		}
		u.of[key]["sha256:"+digest] = &use{digest: "sha256:" + digest, pod: "pods[" + pod.Path() + "]", pods: 1}
	}
}

// A pendingUse waits for the images that the events of its stream name.
type pendingUse struct {
	object string
	use    *use
	named  []string
}

// maxNamed is how many images of one stream are looked at.
const maxNamed = 50

// used asks for the images of a stream of which something is used that no event names.
func (p *pass) used(stream *imagev1.ImageStream, object string) {
	of := p.uses.of[source.Key{Namespace: stream.Namespace, Name: stream.Name}]
	if len(of) == 0 {
		return
	}
	var named []string
	for _, t := range stream.Status.Tags {
		for _, event := range t.Items {
			named = append(named, event.Image)
		}
	}
	for _, digest := range slices.Sorted(maps.Keys(of)) {
		if slices.Contains(named, digest) {
			continue
		}
		for i, image := range named {
			if _, there := p.images[image]; !there && (i >= maxNamed || len(p.images) >= p.o.Images) {
				p.unlooked++
				continue
			}
			p.images[image] = nil
		}
		p.pendingUses = append(p.pendingUses, pendingUse{object, of[digest], named})
	}
}

// settleUses says of each image that goes with a list.
func (p *pass) settleUses(images map[string]*imageFacts) {
	for _, u := range p.pendingUses {
		var lists []importmode.Manifest
		for _, name := range u.named {
			if facts := images[name]; facts != nil && facts.list {
				lists = append(lists, facts.manifest(name))
			}
		}
		if list, ok := importmode.UsedChild(u.use.digest, u.named, lists); ok {
			p.entry(report.New("imagestreams.ChildUsed", u.object, "", fmt.Sprintf(
				"%s in the list %s is used by pods by its own digest: by %d, of which one is %s", u.use.digest, list, u.use.pods, u.use.pod)))
		}
	}
}
