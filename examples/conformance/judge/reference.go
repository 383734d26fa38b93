package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"
)

// referenceSuffix is how the version of the reference apiserver ends.
const referenceSuffix = "-polyarch"

// isReference reports whether the cluster is the reference apiserver, by its
// version or because it is said to be. A cluster that has what only a real one has
// is not, whatever is said: its payload does not move back.
func isReference(ctx context.Context, c client.Client, version string, said bool) (bool, error) {
	if strings.HasSuffix(version, referenceSuffix) {
		return true, nil
	}
	if !said {
		return false, nil
	}
	err := c.Get(ctx, client.ObjectKey{Name: "kube-apiserver"}, &configv1.ClusterOperator{})
	switch {
	case err == nil:
		return false, errors.New("it is said to be the reference apiserver, but has the ClusterOperator kube-apiserver, as real clusters have")
	case apierrors.IsNotFound(err), meta.IsNoMatchError(err):
		return true, nil
	}
	return false, fmt.Errorf("whether it is the reference apiserver: %w", err)
}

// serverVersion asks the API server for its version.
func serverVersion(ctx context.Context, config *rest.Config) (string, error) {
	c, err := rest.HTTPClientFor(config)
	if err != nil {
		return "", err
	}
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, base.JoinPath("/version").String(), nil)
	if err != nil {
		return "", err
	}
	response, err := c.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("GET /version: %s", response.Status)
	}
	var info version.Info
	if err := json.Unmarshal(body, &info); err != nil {
		return "", fmt.Errorf("GET /version: %w", err)
	}
	return info.GitVersion, nil
}
