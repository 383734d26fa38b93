package controller

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// GlobalPullSecret is the machine config operator's copy of the cluster's pull
// secret. Base images are pulled with it where a MachineOSConfig names no secret of
// its own: openshift/machine-config-operator, pkg/controller/build/buildrequest at
// commit 12e4d183, optsGetter.getOpts.
const GlobalPullSecret = "global-pull-secret-copy"

// pullSecret names the secret that base images are pulled with.
func pullSecret(config *mcfgv1.MachineOSConfig) string {
	if s := config.Spec.BaseImagePullSecret; s != nil {
		return s.Name
	}
	return GlobalPullSecret
}

// credentials are those for base images, and those for images that were pushed. An
// image that is to be copied may be in a registry that only the former know.
func (r *Builds) credentials(ctx context.Context, config *mcfgv1.MachineOSConfig) (base, pushed authn.Keychain, err error) {
	pull, err := operator.Credentials(ctx, r.Reader, client.ObjectKey{Namespace: buildplan.Namespace, Name: pullSecret(config)})
	if err != nil {
		return nil, nil, err
	}
	push, err := operator.Credentials(ctx, r.Reader, client.ObjectKey{Namespace: buildplan.Namespace, Name: config.Spec.RenderedImagePushSecret.Name})
	return pull, authn.NewMultiKeychain(push, pull), err
}

// Presence is what a registry says of an image.
type Presence string

const (
	// Present: the registry has it.
	Present Presence = "Present"
	// Gone: the registry says that it does not have it.
	Gone Presence = "Gone"
	// Unreadable: the registry refused, was in trouble or did not answer.
	Unreadable Presence = "Unreadable"
)

// patience is how long a registry may take to answer.
const patience = 30 * time.Second

// Look asks the registry for an image. Only "not found" means that it is gone: who
// is refused does not get to know, and a registry in trouble has lost nothing. The
// next look tries again, so this one does not.
func Look(ctx context.Context, pullSpec string, credentials authn.Keychain) (Presence, error) {
	ref, err := name.NewDigest(pullSpec)
	if err != nil {
		return "", err
	}
	asking, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	_, err = remote.Head(ref, remote.WithContext(asking), remote.WithAuthFromKeychain(credentials),
		remote.WithRetryBackoff(remote.Backoff{Steps: 1}))
	var answer *transport.Error
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err == nil:
		return Present, nil
	case errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound:
		return Gone, nil
	}
	return Unreadable, nil
}

// planned plans, and asks the registry, once each, for the images that the plan
// counts on. As long as one is not there it plans again without it.
func planned(ctx context.Context, f *buildplan.Facts, credentials authn.Keychain) (buildplan.Build, error) {
	asked := map[string]bool{}
	for {
		b, err := buildplan.Plan(*f)
		if err != nil {
			return b, err
		}
		news := false
		for _, image := range b.Verify {
			if asked[image] {
				continue
			}
			asked[image] = true
			presence, err := Look(ctx, image, credentials)
			if err != nil {
				return b, err
			}
			switch presence {
			case Gone:
				f.Gone, news = append(f.Gone, image), true
			case Unreadable:
				f.Unreadable, news = append(f.Unreadable, image), true
			}
		}
		if !news {
			return b, nil
		}
	}
}

// secretVolume mounts the credentials of a secret as the machine config operator
// does, under the name of the volume.
func secretVolume(volume, secret string, optional bool) corev1.Volume {
	return corev1.Volume{Name: volume, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{
		SecretName: secret, Optional: &optional,
		Items: []corev1.KeyToPath{{Key: corev1.DockerConfigJsonKey, Path: "config.json"}},
	}}}
}
