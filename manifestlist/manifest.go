package manifestlist

import (
	"strconv"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
)

// A manifest is what the bytes of a child say.
type manifest struct {
	ocispec.Manifest
	// as is the media type to hold the manifest against: the one that it declares,
	// or the descriptor's, or the one that its members tell (A1).
	as string
	// has are the members of the manifest.
	has fieldSet
}

// config is the descriptor of the config, or nil.
func (m *manifest) config() *ocispec.Descriptor {
	if m.has.contains(manifestConfig) {
		return &m.Config
	}
	return nil
}

// image tells an image from an artifact.
func (m *manifest) image() bool {
	return m.ArtifactType == "" && isImageConfig(m.Config.MediaType)
}

func isImageConfig(mediaType string) bool {
	return mediaType == ocispec.MediaTypeImageConfig || mediaType == dockerConfig
}

// readManifest is rules B1 to B4 for a manifest. described is the media type of its
// descriptor.
func readManifest(src []byte, described string, limit int) (manifest, *IndexError) {
	var m manifest
	compact, err := readDocument(src, limit, &m.Manifest, CodeNotManifest)
	if err != nil {
		return m, err
	}
	if compact[0] != '{' {
		return m, &IndexError{Code: CodeNotManifest, Want: "a JSON object"}
	}
	for member := range members(compact) {
		if _, err := m.has.add(objectManifest, member.name()); err != nil {
			return m, err
		}
	}
	m.as = m.mediaType(described)
	if err := m.check(); err != nil {
		return m, err
	}
	return m, m.inspect(compact)
}

func (m *manifest) mediaType(described string) string {
	switch {
	case m.MediaType != "":
		return m.MediaType
	case described != "":
		return described
	case m.has.contains(manifestManifests):
		return ocispec.MediaTypeImageIndex
	case m.has.contains(manifestConfig):
		return ocispec.MediaTypeImageManifest
	}
	return ""
}

// check is rules B3 and B4.
func (m *manifest) check() *IndexError {
	wrong := func(path, value, want string) *IndexError {
		return &IndexError{Code: CodeNotManifest, Path: path, Value: value, Want: want}
	}
	manifests := m.has.contains(manifestManifests)
	image, index := isImageManifest(m.as), isIndexType(m.as)
	switch {
	case manifests && (m.has.contains(manifestConfig) || m.has.contains(manifestLayers)):
		return &IndexError{Code: CodeAmbiguous, Want: "either manifests or config and layers"}
	case m.has.contains(manifestFSLayers):
		return &IndexError{Code: CodeAmbiguous, Path: "fsLayers", Want: "no such member: it is that of Docker's schema 1"}
	case m.has.contains(manifestHistory) && (image || index):
		return &IndexError{Code: CodeAmbiguous, Path: "history", Want: "no such member: it is that of Docker's schema 1"}
	case manifests && !index:
		return wrong("mediaType", m.as, ocispec.MediaTypeImageIndex+" or "+dockerList+", since there are manifests")
	case index && !manifests:
		return wrong("manifests", "", "the list of manifests that "+m.as+" has")
	case (image || index) && m.SchemaVersion != 2:
		return wrong("schemaVersion", strconv.Itoa(m.SchemaVersion), "2")
	case image && !m.has.contains(manifestConfig):
		return wrong("config", "", "the config that "+m.as+" has")
	case image && !m.has.contains(manifestLayers):
		return wrong("layers", "", "the list of layers that "+m.as+" has")
	case image:
		if errs, _ := check(&m.Config, false); errs != nil {
			errs[0].Path = "config." + errs[0].Path
			return errs[0]
		}
	}
	return nil
}

// inspect is rule B2 below the uppermost level.
func (m *manifest) inspect(compact []byte) *IndexError {
	for member := range members(compact) {
		var err *IndexError
		switch name := string(member.name()); name {
		case "config":
			if err = inspectDescriptor(member.value, &m.Config); err != nil {
				err.Path = "config." + err.Path
			}
		case "layers":
			if err = inspectDescriptors(member.value, m.Layers); err != nil {
				err.Path = "layers" + err.Path
			}
		case "subject":
			if err = inspectDescriptor(member.value, m.Subject); err != nil {
				err.Path = "subject." + err.Path
			}
		case "annotations":
			err = inspectAnnotations(member.value, m.Annotations)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readConfig is rules B1 and B2 for the config of an image.
func readConfig(src []byte, limit int) (ocispec.Platform, *IndexError) {
	var p ocispec.Platform
	compact, err := readDocument(src, limit, &p, CodeNotManifest)
	if err != nil {
		return ocispec.Platform{}, err
	}
	if compact[0] != '{' {
		return ocispec.Platform{}, &IndexError{Code: CodeNotManifest, Want: "a JSON object"}
	}
	var seen fieldSet
	for member := range members(compact) {
		n, err := seen.add(objectImage, member.name())
		if err == nil && n == imageRootFS {
			if err = inspectNames(member.value, objectRootFS); err != nil {
				err.Path = "rootfs." + err.Path
			}
		}
		if err != nil {
			return ocispec.Platform{}, err
		}
	}
	return p, nil
}
