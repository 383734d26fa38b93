package manifestlisttest_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/manifestlist"
	"github.com/polyarch/polyarch/manifestlist/manifestlisttest"
)

func defects() []defect {
	return slices.Concat(assembleDefects(), documentDefects(), bytesDefects(), selectDefects())
}

// assembleDefects are those of tools that put an index together.
func assembleDefects() []defect {
	return []defect{
		{"go-containerregistry takes md5:zz and a size of −5", "descriptors-well-formed",
			ofDescriptors(manifestlist.CodeInvalidDigest, manifestlist.CodeInvalidSize)},
		{"the JSON schema of image-spec takes empty platform strings", "platforms-spelled-as-go",
			codes(".os", manifestlist.CodeInvalidPlatform)},
		{"the JSON schema of image-spec takes a short digest", "descriptors-well-formed",
			ofDescriptors(manifestlist.CodeInvalidDigest)},
		{"regctl leaves out the platform that it cannot read", "platforms-spelled-as-go",
			codes("platform", manifestlist.CodeInvalidPlatform)},
		{"go-containerregistry and podman keep two images for one platform", "one-child-for-each-platform",
			codes("", manifestlist.CodeDuplicatePlatform)},
		{"manifest-tool takes arm64 and arm64/v8 for two platforms", "one-child-for-each-platform",
			letsThrough(func(children []child, e *manifestlist.IndexError) bool {
				return e.Code == manifestlist.CodeDuplicatePlatform &&
					!reflect.DeepEqual(children[e.Child.Position].Descriptor.Platform, children[e.Other.Position].Descriptor.Platform)
			})},
		{"go-containerregistry writes annotations into a Docker list", "docker-list-holds-docker-images",
			codes("annotations", manifestlist.CodeNotRepresentable)},
		{"buildx drops the annotations of a Docker list without a word", "docker-list-holds-docker-images", func(i *impl) {
			right := i.Assemble
			i.Assemble = func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
				if o.Format == manifestlisttest.Docker {
					o.Annotations = nil
				}
				return right(children, o)
			}
		}},
		{"registries take any size and media type of a child", "bytes-decide",
			letsThrough(func(children []child, e *manifestlist.IndexError) bool {
				return e.Code == manifestlist.CodeMismatch && children[e.Child.Position].Manifest != nil &&
					(e.Path == e.Child.String()+".size" || strings.HasSuffix(e.Path, ".mediaType"))
			})},
		{"nobody looks for the platforms that are required", "required-platforms-are-there",
			codes("", manifestlist.CodeMissingPlatform)},
		{"go-containerregistry puts an artifactType on every image", "bytes-decide config-names-the-platform",
			rewrites(func(children []child, x *ocispec.Index) {
				for i := range x.Manifests {
					if len(children) == 1 && children[0].Manifest != nil && x.Manifests[i].ArtifactType == "" {
						x.Manifests[i].ArtifactType = ocispec.MediaTypeImageConfig
					}
				}
			})},
		{"buildx and manifest-tool panic without a platform", "platforms-spelled-as-go canonical-order canonical-bytes",
			rewrites(func(children []child, x *ocispec.Index) {
				for _, c := range children {
					if c.Manifest != nil {
						return // its platform is in its config
					}
				}
				for i := range x.Manifests {
					x.Manifests[i].Platform.OS = strings.ToLower(x.Manifests[i].Platform.OS)
				}
			})},
		{"attestations that lost their annotation count as images", "attestations-refer-to-an-image attestations-known-either-way", func(i *impl) {
			right := i.Assemble
			i.Assemble = func(children []child, o options) ([]byte, ocispec.Descriptor, error) {
				if o.Attestations == "" && slices.ContainsFunc(children, func(c child) bool {
					p := c.Descriptor.Platform
					return c.Descriptor.Annotations == nil && p != nil && p.OS == "unknown" && p.Architecture == "unknown"
				}) {
					o.Attestations = manifestlisttest.KeepAttestations
					return described(manifestlisttest.AssembleOracle(children, o), nil)
				}
				return right(children, o)
			}
		}},
	}
}

// documentDefects are those of the document.
func documentDefects() []defect {
	return []defect{
		{"go-containerregistry writes null for no manifests", "canonical-bytes",
			retypes(func(b []byte) []byte {
				return []byte(strings.Replace(string(b), `"manifests":[]`, `"manifests":null`, 1))
			})},
		{"oc indents by three spaces", "canonical-bytes", retypes(indented)},
		{"podman and buildah write images in the order that they came in", "canonical-order", rewrites(asGiven)},
		{"buildx writes attestations in the order of a map", "canonical-order",
			rewrites(func(_ []child, x *ocispec.Index) {
				first := slices.IndexFunc(x.Manifests, manifestlisttest.IsAttestation)
				if first >= 0 {
					slices.Reverse(x.Manifests[first:])
				}
			})},
		{"oc loses annotations, subject and artifactType of an index", "index-stays-as-it-is annotations-cleared-on-demand",
			updates(func(x map[string]json.RawMessage, _ bool) {
				delete(x, "annotations")
				delete(x, "subject")
				delete(x, "artifactType")
			})},
		{"oc writes an empty platform where there is none", "other-entries-keep-their-bytes",
			updates(func(x map[string]json.RawMessage, joined bool) {
				var entries []ocispec.Descriptor
				_ = json.Unmarshal(x["manifests"], &entries) // it is an index
				if !joined || !slices.ContainsFunc(entries, func(d ocispec.Descriptor) bool { return d.Platform == nil }) {
					return
				}
				for i := range entries {
					if entries[i].Platform == nil {
						entries[i].Platform = &ocispec.Platform{}
					}
				}
				x["manifests"], _ = json.Marshal(entries)
			})},
		{"oc keeps the old digest of an index that it filtered", "canonical-bytes", func(i *impl) {
			right := i.Update
			i.Update = func(index []byte, children []child, o options) ([]byte, ocispec.Descriptor, error) {
				b, d, err := right(index, children, o)
				d.Digest = digest.FromBytes(index)
				return b, d, err
			}
		}},
		{"what was edited after reading is dropped", "edits-count unknown-members-stay-with-their-entry", func(i *impl) {
			right := i.Edit
			i.Edit = func(index []byte, _ func(*ocispec.Index)) ([]byte, error) {
				return right(index, func(*ocispec.Index) {})
			}
		}},
		{"what was edited after reading is written unchecked", "edits-count", func(i *impl) {
			i.Edit = func(index []byte, edit func(*ocispec.Index)) ([]byte, error) {
				x, err := manifestlist.Parse(index)
				if err != nil {
					return nil, err
				}
				edit(&x.Index)
				return x.Append(nil), nil
			}
		}},
		{"members that image-spec does not name are dropped", "other-entries-keep-their-bytes unknown-members-stay", func(i *impl) {
			right := i.Update
			i.Update = func(index []byte, children []child, o options) ([]byte, ocispec.Descriptor, error) {
				b, _, err := right(index, children, o)
				if err != nil {
					return nil, ocispec.Descriptor{}, err
				}
				var x ocispec.Index
				if err := json.Unmarshal(b, &x); err != nil {
					return nil, ocispec.Descriptor{}, err
				}
				return described(json.Marshal(x))
			}
		}},
	}
}

// bytesDefects are those of reading, of this library as it was.
func bytesDefects() []defect {
	foreign := []string{"config", "layers", "fsLayers", "history"}
	return []defect{
		{"Config and LAYERS beside manifests are read as nothing", "index-is-read-one-way",
			parses(func(e *manifestlist.IndexError) bool {
				return e.Code == manifestlist.CodeAmbiguous && !slices.Contains(foreign, e.Path) &&
					slices.ContainsFunc(foreign, func(f string) bool { return strings.EqualFold(f, e.Path) })
			})},
		{"a manifest that is not what it declares passes as an artifact", "child-is-what-it-declares",
			letsThrough(func(_ []child, e *manifestlist.IndexError) bool {
				return e.Code == manifestlist.CodeNotManifest && e.Err == nil && strings.HasPrefix(e.Path, e.Child.String()+".manifest.")
			})},
		{"text that is no UTF-8 becomes other text", "descriptors-well-formed",
			codes("", manifestlist.CodeInvalidText)},
		{"members of a manifest or config are there twice", "child-is-read-one-way",
			letsThrough(func(_ []child, e *manifestlist.IndexError) bool {
				if e.Code != manifestlist.CodeAmbiguous {
					return false
				}
				path := strings.TrimPrefix(e.Path, e.Child.String()+".manifest")
				return !slices.Contains([]string{"", ".fsLayers", ".history", ".Manifests"}, path)
			})},
		{"a manifest or config need not be JSON", "child-is-one-json-object",
			codes("", manifestlist.CodeNotJSON, manifestlist.CodeTooDeep)},
		{"a config is believed without its manifest", "config-needs-its-manifest",
			letsThrough(func(children []child, e *manifestlist.IndexError) bool {
				return e.Code == manifestlist.CodeMismatch && children[e.Child.Position].Manifest == nil && strings.HasSuffix(e.Path, ".config")
			})},
		{"what is made with a larger limit cannot be read", "index-is-one-json-document", func(i *impl) {
			right := i.Parse
			i.Parse = func(index []byte, _ int) (ocispec.Index, error) { return right(index, 0) }
		}},
	}
}

// selectDefects are the choices of one tool where those of another are wanted, as
// they were measured, and what is easily got wrong.
func selectDefects() []defect {
	none := errors.New("nothing for it")
	return []defect{
		{"go-containerregistry chooses in the place of Strict", "strict-is-exact host-stands-in", func(i *impl) {
			i.Strict = firstThat(func(p *ocispec.Platform, wanted ocispec.Platform) bool {
				if p == nil {
					p = &ocispec.Platform{OS: "linux", Architecture: "amd64"}
				}
				return satisfies(p, wanted)
			})
		}},
		{"oras chooses in the place of Strict", "strict-is-exact host-stands-in", func(i *impl) { i.Strict = firstThat(satisfies) }},
		{"regclient chooses in the place of Strict", "strict-is-exact", func(i *impl) {
			right := i.Strict
			i.Strict = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				wanted.Architecture = usual(wanted.Architecture)
				return right(spelled(index), wanted, host)
			}
		}},
		{"import mode Legacy chooses in the place of Strict", "strict-is-exact host-stands-in", func(i *impl) { i.Strict = i.OpenShiftLegacy }},
		{"containerd chooses in the place of Strict", "strict-is-exact", func(i *impl) { i.Strict = i.Containerd }},
		{"containers/image chooses in the place of Strict", "strict-is-exact host-stands-in", func(i *impl) { i.Strict = i.ContainersImage }},
		{"import mode Legacy falls back to nothing", "openshift-legacy-falls-back", func(i *impl) {
			right := i.OpenShiftLegacy
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				n, err := right(index, wanted, host)
				if err == nil {
					p := index.Manifests[n].Platform
					if p == nil {
						p = &ocispec.Platform{}
					}
					if wanted.OS != "" && p.OS != wanted.OS || wanted.Architecture != "" && p.Architecture != wanted.Architecture {
						return -1, none
					}
				}
				return n, err
			}
		}},
		{"import mode Legacy falls back to the first before linux/amd64", "openshift-legacy-falls-back", func(i *impl) {
			right := i.OpenShiftLegacy
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				n, err := right(index, wanted, host)
				if err == nil && wanted.Architecture != "" && wanted.Architecture != "amd64" {
					if p := index.Manifests[n].Platform; p != nil && p.Architecture == "amd64" {
						return 0, nil
					}
				}
				return n, err
			}
		}},
		{"import mode Legacy skips attestations", "openshift-legacy-falls-back", func(i *impl) {
			i.OpenShiftLegacy = without(i.OpenShiftLegacy, manifestlisttest.IsAttestation)
		}},
		{"import mode Legacy knows aliases", "openshift-legacy-falls-back", func(i *impl) {
			right := i.OpenShiftLegacy
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				return right(spelled(index), wanted, host)
			}
		}},
		{"import mode Legacy looks at the variant", "openshift-legacy-falls-back", func(i *impl) {
			right, exact := i.OpenShiftLegacy, i.Strict
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				if n, err := exact(index, wanted, host); err == nil {
					if strings.HasPrefix(index.Manifests[n].MediaType, "application/vnd.oci.image.manifest") {
						return n, nil
					}
				}
				return right(index, wanted, host)
			}
		}},
		{"import mode Legacy takes a nested index for an image", "openshift-legacy-falls-back", func(i *impl) {
			right := i.OpenShiftLegacy
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				index.Manifests = slices.Clone(index.Manifests)
				for n := range index.Manifests {
					index.Manifests[n].MediaType = ocispec.MediaTypeImageManifest
				}
				return right(index, wanted, host)
			}
		}},
		{"import mode Legacy prefers linux/amd64 where nothing is preferred", "host-stands-in", func(i *impl) {
			right := i.OpenShiftLegacy
			i.OpenShiftLegacy = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				if host.Architecture != "" {
					host = ocispec.Platform{OS: "linux", Architecture: "amd64"}
				}
				return right(index, wanted, host)
			}
		}},
		{"import mode Legacy skips what has no platform", "openshift-legacy-falls-back", func(i *impl) {
			i.OpenShiftLegacy = without(i.OpenShiftLegacy, func(d ocispec.Descriptor) bool { return d.Platform == nil })
		}},
		{"containerd takes the first variant, not the best", "containerd-ranks", func(i *impl) {
			right := i.Containerd
			i.Containerd = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				n, err := right(index, wanted, host)
				if err != nil || index.Manifests[n].Platform == nil {
					return n, err
				}
				for m := range n {
					one := ocispec.Index{Manifests: index.Manifests[m : m+1]}
					if _, err := right(one, wanted, host); err == nil && one.Manifests[0].Platform != nil {
						return m, nil
					}
				}
				return n, nil
			}
		}},
		{"containerd chooses nothing without a platform", "containerd-ranks", func(i *impl) {
			i.Containerd = without(i.Containerd, func(d ocispec.Descriptor) bool { return d.Platform == nil })
		}},
		{"containers/image chooses in the place of containerd", "containerd-ranks host-stands-in", func(i *impl) { i.Containerd = i.ContainersImage }},
		{"containerd chooses in the place of containers/image", "containers-image-ranks host-stands-in", func(i *impl) { i.ContainersImage = i.Containerd }},
		{"containers/image takes arm64/v8 for another platform than arm64", "containers-image-ranks", func(i *impl) {
			right := i.ContainersImage
			i.ContainersImage = func(index ocispec.Index, wanted, host ocispec.Platform) (int, error) {
				n, err := right(index, wanted, host)
				if err == nil && wanted.Architecture == "arm64" {
					if p := index.Manifests[n].Platform; p != nil && p.Variant != wanted.Variant {
						return -1, none
					}
				}
				return n, err
			}
		}},
	}
}
