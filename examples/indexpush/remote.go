package main

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"path"
	"strings"

	"github.com/docker/cli/cli/config"
	"github.com/docker/cli/cli/config/configfile"
	"github.com/docker/cli/cli/config/types"
	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/polyarch/polyarch/examples/indexpush/push"
)

// transport is that of go-containerregistry, which gives up on what stalls and
// verifies certificates of all but the insecure registries.
func (a *arguments) transport() http.RoundTripper {
	verifying, ok := remote.DefaultTransport.(*http.Transport)
	if !ok {
		return push.Stall(remote.DefaultTransport, a.stall)
	}
	trusting := verifying.Clone()
	if trusting.TLSClientConfig == nil {
		trusting.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	trusting.TLSClientConfig.InsecureSkipVerify = true //nolint:gosec // only for the hosts of --insecure
	return push.Stall(byHost{a.insecure, trusting, verifying}, a.stall)
}

type byHost struct {
	insecure            insecure
	trusting, verifying http.RoundTripper
}

func (t byHost) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.insecure.trusts(r.URL.Host) {
		return t.trusting.RoundTrip(r)
	}
	return t.verifying.RoundTrip(r)
}

// keychain is that of --authfile, or the default one of go-containerregistry.
func (a *arguments) keychain() (authn.Keychain, error) {
	if a.authFile == "" {
		return authn.DefaultKeychain, nil
	}
	f, err := os.Open(a.authFile)
	if err != nil {
		return nil, fmt.Errorf("--authfile: %w", err)
	}
	defer f.Close()
	c, err := config.LoadFromReader(f)
	if err != nil {
		return nil, fmt.Errorf("--authfile: %s: %w", a.authFile, err)
	}
	return authFile{c}, nil
}

// An authFile finds credentials as podman does: those of the repository before
// those of what is above it, and of the registry last. The default keychain of
// go-containerregistry cannot be pointed at a file.
type authFile struct{ config *configfile.ConfigFile }

func (f authFile) Resolve(target authn.Resource) (authn.Authenticator, error) {
	for key := target.String(); key != "." && key != "/"; key = path.Dir(key) {
		found, err := f.lookUp(key)
		if err != nil {
			return nil, err
		}
		if found != (types.AuthConfig{}) {
			return authn.FromConfig(authn.AuthConfig{
				Username: found.Username, Password: found.Password, Auth: found.Auth,
				IdentityToken: found.IdentityToken, RegistryToken: found.RegistryToken,
			}), nil
		}
	}
	return authn.Anonymous, nil
}

// lookUp knows Docker Hub by the names that docker login and podman login write.
func (f authFile) lookUp(key string) (types.AuthConfig, error) {
	found, err := f.config.GetAuthConfig(key)
	found.ServerAddress = "" // is set even where nothing is found
	if below, hub := strings.CutPrefix(key, name.DefaultRegistry); hub && found == (types.AuthConfig{}) {
		found = f.config.AuthConfigs["docker.io"+below]
		found.ServerAddress = ""
	}
	return found, err
}
