package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

const (
	// importPairs is how many imports of each side are timed, one by one. One takes a
	// fifth of a second.
	importPairs = 25
	// importLatency is that of each answer of the registry.
	importLatency = 20 * time.Millisecond
	// importChildren is how many images the imported manifest list has.
	importChildren = 4
)

// importClaim is about how long the reference apiserver takes to read a manifest list
// and its images, as PreserveOriginal does, from a registry that is not near: as many
// requests at a time as it makes by default, against one after the other. Nothing is
// stored.
func importClaim() paired {
	ours, floor := new(apiserver), &apiserver{flags: []string{"--import-parallel=1"}}
	var far *httptest.Server
	return paired{
		claim: claim{
			name: "import_parallel", limit: 0.5,
			setup: func() (func() error, func() error, error) {
				delay := time.Duration(0)
				next := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
				far = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					time.Sleep(delay)
					next.ServeHTTP(w, r)
				}))
				image := strings.TrimPrefix(far.URL, "http://") + "/x/y:v1"
				index, err := random.Index(256, 1, importChildren)
				if err != nil {
					return nil, nil, err
				}
				ref, err := name.ParseReference(image)
				if err != nil {
					return nil, nil, err
				}
				if err := remote.WriteIndex(ref, index); err != nil {
					return nil, nil, err
				}
				delay = importLatency
				for _, s := range []*apiserver{ours, floor} {
					if err := s.start(); err != nil {
						return nil, nil, err
					}
				}
				return ours.importing(image), floor.importing(image), nil
			},
		},
		pairs: importPairs,
		cleanup: func() error {
			if far != nil {
				far.Close()
			}
			err := ours.stop()
			if e := floor.stop(); err == nil {
				err = e
			}
			return err
		},
	}
}

// importing returns the operation that reads the image and all that it lists, and
// checks that it is all there.
func (s *apiserver) importing(image string) func() error {
	body := `{"apiVersion":"image.openshift.io/v1","kind":"ImageStreamImport","metadata":{"name":"x"},"spec":{"import":false,"images":[
		{"from":{"kind":"DockerImage","name":"` + image + `"},"importPolicy":{"importMode":"PreserveOriginal","insecure":true}}]}}`
	return func() error {
		answer, code, err := s.post("/apis/image.openshift.io/v1/namespaces/bench/imagestreamimports", body)
		if err != nil {
			return err
		}
		if got := bytes.Count(answer, []byte(`"dockerImageLayers":`)); code != http.StatusCreated || got != importChildren {
			return fmt.Errorf("import: %d, %d images, want %d: %s", code, got, importChildren, answer)
		}
		return nil
	}
}

// post sends a request and returns what is answered.
func (s *apiserver) post(path, body string) ([]byte, int, error) {
	request, err := http.NewRequest(http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	request.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return answer, response.StatusCode, err
}
