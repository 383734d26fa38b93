package importer

import (
	"context"
	"encoding/json"
	"time"

	"github.com/distribution/reference"
	"github.com/opencontainers/go-digest"
	imagev1 "github.com/openshift/api/image/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/openshift/api/image/docker10"
	"github.com/openshift/api/image/dockerpre012"
)

// metadataVersion is the version of dockerImageMetadata, and its apiVersion.
const metadataVersion = "1.0"

// pullSpec names an image of a repository by its digest, and the repository as the
// user did.
func pullSpec(from string, d digest.Digest) string {
	parsed, err := reference.Parse(from)
	if named, ok := parsed.(reference.Named); ok && err == nil {
		return reference.TrimNamed(named).Name() + "@" + d.String()
	}
	return from
}

// listImage is the Image of a list: manifestToImage of openshift-apiserver
// (pkg/image/apiserver/importer/image.go, 64c3ac2). It has no layers and no config.
func listImage(doc *document, from string, entries []imagev1.ImageManifest) *imagev1.Image {
	return &imagev1.Image{
		ObjectMeta:                   metav1.ObjectMeta{Name: doc.digest.String()},
		DockerImageReference:         pullSpec(from, doc.digest),
		DockerImageMetadata:          metadata(docker10.DockerImage{ID: doc.digest.String(), Created: metav1.NewTime(time.Now().UTC().Truncate(time.Second))}),
		DockerImageMetadataVersion:   metadataVersion,
		DockerImageManifest:          string(doc.content),
		DockerImageManifestMediaType: doc.mediaType,
		DockerImageManifests:         entries,
	}
}

// image is the Image of a single image: schema2OrOCIToImage there, with
// InternalImageWithMetadata (pkg/image/apiserver/internalimageutil/helpers.go,
// 0c44269) for layers, sizes and metadata.
func (s source) image(ctx context.Context, doc *document, from string) (*imagev1.Image, error) {
	content, err := s.config(ctx, doc.image.Config)
	if err != nil {
		return nil, err
	}
	var config dockerpre012.DockerImage
	if err := json.Unmarshal(content, &config); err != nil {
		return nil, &ContentError{"the config of the image is not valid"}
	}
	image := &imagev1.Image{
		ObjectMeta: metav1.ObjectMeta{
			Name:        doc.digest.String(),
			Annotations: map[string]string{imagev1.DockerImageLayersOrderAnnotation: imagev1.DockerImageLayersOrderAscending},
		},
		DockerImageReference:         pullSpec(from, doc.digest),
		DockerImageMetadataVersion:   metadataVersion,
		DockerImageManifest:          string(doc.content),
		DockerImageConfig:            string(content),
		DockerImageManifestMediaType: doc.mediaType,
	}
	size, counted := int64(len(content)), map[digest.Digest]bool{doc.image.Config.Digest: true}
	for _, layer := range doc.image.Layers {
		image.DockerImageLayers = append(image.DockerImageLayers, imagev1.ImageLayer{
			Name: layer.Digest.String(), LayerSize: layer.Size, MediaType: layer.MediaType,
		})
		if !counted[layer.Digest] {
			counted[layer.Digest] = true
			size += layer.Size
		}
	}
	of := docker10.DockerImage{
		ID: doc.image.Config.Digest.String(), Parent: config.Parent, Comment: config.Comment, Created: config.Created,
		Container: config.Container, ContainerConfig: docker10.DockerConfig(config.ContainerConfig), DockerVersion: config.DockerVersion,
		Author: config.Author, Architecture: config.Architecture, Size: size,
	}
	if config.Config != nil {
		c := docker10.DockerConfig(*config.Config)
		of.Config = &c
	}
	image.DockerImageMetadata = metadata(of)
	return image, nil
}

// metadata encodes as clients decode: oc reads it by kind and apiVersion.
func metadata(image docker10.DockerImage) runtime.RawExtension {
	image.TypeMeta = metav1.TypeMeta{Kind: "DockerImage", APIVersion: metadataVersion}
	raw, err := json.Marshal(image)
	if err != nil {
		return runtime.RawExtension{} // strings, numbers and times are always encoded
	}
	return runtime.RawExtension{Raw: raw}
}
