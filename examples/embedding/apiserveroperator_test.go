package embedding_test

import (
	"errors"
	"fmt"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/importmode"
)

// configListers stands for configobservation.Listers.
type configListers struct {
	ImageConfigLister interface {
		Get(name string) (*configv1.Image, error)
	}
}

// ObserveImagestreamImportMode has the signature of library-go's
// ObserveConfigFunc, as far as that matters here.
func ObserveImagestreamImportMode(listers configListers, recorder recorder, existingConfig map[string]any) (map[string]any, []error) {
	image, err := listers.ImageConfigLister.Get("cluster")
	observed, err := importmode.Observe(image, err, existingConfig)
	if observed.Event != nil {
		recorder.Event(observed.Event.Reason, observed.Event.Message)
	}
	if err != nil {
		return observed.Config, []error{err}
	}
	return observed.Config, nil
}

// The observer of cluster-openshift-apiserver-operator, over a status that
// changes, one that holds a bad value, and a lister that fails.
func Example_apiserverOperator() {
	image := &configv1.Image{}
	images := lister[configv1.Image]{"cluster": image}
	config := map[string]any{}
	for _, status := range []configv1.ImportModeType{"", "PreserveOriginal", "Sometimes"} {
		image.Status.ImageStreamImportMode = status
		var errs []error
		config, errs = ObserveImagestreamImportMode(configListers{images}, recorder{}, config)
		fmt.Println(config, len(errs))
	}
	config, errs := ObserveImagestreamImportMode(configListers{broken{}}, recorder{}, config)
	fmt.Println(config, len(errs))
	// Output:
	// map[] 0
	// event ImageStreamImportModeChanged
	// map[imagePolicyConfig:map[imageStreamImportMode:PreserveOriginal]] 0
	// map[imagePolicyConfig:map[imageStreamImportMode:PreserveOriginal]] 1
	// map[imagePolicyConfig:map[imageStreamImportMode:PreserveOriginal]] 1
}

// A broken lister fails for another reason than that there is no object.
type broken struct{}

func (broken) Get(string) (*configv1.Image, error) { return nil, errors.New("cache is not synced") }
