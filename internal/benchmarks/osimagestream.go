package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	imagev1 "github.com/openshift/api/image/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/polyarch/polyarch/osimagestream"
)

// osimagestreamClaims holds that finding the streams of a release costs little
// more than reading its list of images: parsing is part of ours.
func osimagestreamClaims() []claim {
	return []claim{
		{name: "discover_300", limit: 1.5, setup: func() (func() error, func() error, error) {
			data, discover, err := imageReferences(300)
			if err != nil {
				return nil, nil, err
			}
			floor := func() error {
				var is imagev1.ImageStream
				return json.Unmarshal(data, &is)
			}
			return discover, floor, nil
		}},
		{name: "discover_growth", limit: 12, setup: func() (func() error, func() error, error) {
			_, ours, err := imageReferences(3000)
			if err != nil {
				return nil, nil, err
			}
			_, floor, err := imageReferences(300)
			return ours, floor, err
		}},
	}
}

// imageReferences returns the image-references of a release of n tags, four of them
// the images of two streams, and the discovery of these.
func imageReferences(n int) ([]byte, func() error, error) {
	pull := func(name string) string {
		return fmt.Sprintf("quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:%x", sha256.Sum256([]byte(name)))
	}
	is := imagev1.ImageStream{
		TypeMeta:   metav1.TypeMeta{APIVersion: imagev1.GroupVersion.String(), Kind: "ImageStream"},
		ObjectMeta: metav1.ObjectMeta{Name: "5.0.0"},
	}
	labels := map[string]map[string]string{}
	add := func(name string) {
		is.Spec.Tags = append(is.Spec.Tags, imagev1.TagReference{
			Name: name,
			Annotations: map[string]string{
				"io.openshift.build.commit.id":       "0123456789abcdef0123456789abcdef01234567",
				"io.openshift.build.commit.ref":      "main",
				"io.openshift.build.source-location": "https://github.com/openshift/" + name,
			},
			From: &corev1.ObjectReference{Kind: "DockerImage", Name: pull(name)},
		})
	}
	for _, s := range []struct{ tag, stream string }{{"rhel-coreos", "rhel-9"}, {"rhel-coreos-10", "rhel-10"}} {
		add(s.tag)
		add(s.tag + "-extensions")
		labels[pull(s.tag)] = map[string]string{osimagestream.LabelStream: s.stream, osimagestream.LabelOS: "1"}
		labels[pull(s.tag+"-extensions")] = map[string]string{osimagestream.LabelStream: s.stream, osimagestream.LabelExtensions: "true"}
	}
	for i := len(is.Spec.Tags); i < n; i++ {
		add(fmt.Sprintf("component-%04d", i))
	}
	data, err := json.Marshal(is)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error {
		payload, err := osimagestream.ParseImageReferences(data)
		if err != nil {
			return err
		}
		d := osimagestream.Discover(osimagestream.Sources{Payload: payload, Labels: labels})
		if len(d.Streams) != 2 || len(d.Problems) != 0 || len(d.Findings) != 0 {
			return fmt.Errorf("discovered %+v", d)
		}
		return nil
	}, nil
}
