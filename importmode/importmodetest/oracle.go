package importmodetest

import (
	"errors"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"

	configv1 "github.com/openshift/api/config/v1"
	imagev1 "github.com/openshift/api/image/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"
)

// Oracle returns the decisions written down naively, tag by tag and look-up by
// look-up. It knows nothing of package importmode. It is right for streams in which
// no name is repeated, and has no Condition.
func Oracle() Impl {
	return Impl{
		Decide:                oracleDecide,
		Suggest:               oracleSuggest,
		Observe:               oracleObserve,
		Configure:             oracleConfigure,
		Convert:               oracleConvert,
		DefaultTag:            oracleTag,
		DefaultTagOfOldClient: oracleOldClient,
		ModeChanged:           func(a, b imagev1.ImportModeType) bool { return a != b && !(isLegacy(a) && isLegacy(b)) },
		ReadStream: func(stored *imagev1.ImageStream, _ imagev1.ImportModeType) *imagev1.ImageStream {
			return stored.DeepCopy()
		},
		CreateStream: func(request *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
			return oracleUpdate(request, nil, cluster)
		},
		UpdateStream:     oracleUpdate,
		PutTag:           oraclePut,
		ImportImages:     oracleImages,
		ImportRepository: oracleRepository,
		ValidateStream:   oracleValidateStream,
		ValidateTag:      oracleValidateTag,
		ValidateImport:   oracleValidateImport,
		Managed:          oracleManaged,
	}
}

var errOracle = errors.New("refused")

func isMode(m string) bool                   { return m == "Legacy" || m == "PreserveOriginal" }
func isLegacy(m imagev1.ImportModeType) bool { return m == "" || m == "Legacy" }

func oracleDecide(spec, current configv1.ImportModeType, payload Payload) (configv1.ImportModeType, error) {
	if !isMode(string(current)) {
		current = ""
	}
	if isMode(string(spec)) {
		return spec, nil
	}
	if spec != "" {
		return current, errOracle
	}
	if payload == PayloadMulti {
		return "PreserveOriginal", nil
	}
	if payload == PayloadSingle || payload == PayloadInstalling && current == "" {
		return "Legacy", nil
	}
	return current, nil
}

func oracleSuggest(spec configv1.ImportModeType, payload Payload, nodes []string, complete bool) bool {
	return spec == "" && payload == PayloadMulti && complete && len(nodes) == 1
}

func oracleObserve(image *configv1.Image, listErr error, existing map[string]any) (map[string]any, bool, error) {
	previous := ""
	if policy, ok := existing["imagePolicyConfig"]; ok && policy != nil {
		fields, ok := policy.(map[string]any)
		if !ok {
			return nil, false, errOracle
		}
		if mode := fields["imageStreamImportMode"]; mode != nil {
			if previous, ok = mode.(string); !ok {
				return nil, false, errOracle
			}
		}
	}
	mode, err := previous, error(nil)
	switch {
	case listErr != nil && !apierrors.IsNotFound(listErr):
		err = errOracle
	case listErr != nil || image == nil:
		mode = ""
	case image.Status.ImageStreamImportMode == "" || isMode(string(image.Status.ImageStreamImportMode)):
		mode = string(image.Status.ImageStreamImportMode)
	default:
		err = errOracle
	}
	if mode == "" {
		return nil, previous != "", err
	}
	return ObservedConfig(mode), mode != previous, err
}

func oracleConfigure(policy openshiftcontrolplanev1.ImagePolicyConfig) (imagev1.ImportModeType, error) {
	mode, err := oracleConvert(string(policy.ImageStreamImportMode))
	if err == nil && mode == "" {
		mode = "Legacy"
	}
	return mode, err
}

func oracleConvert(text string) (imagev1.ImportModeType, error) {
	if text != "" && !isMode(text) {
		return "", errOracle
	}
	return imagev1.ImportModeType(text), nil
}

func oracleTag(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType) {
	if !isMode(string(cluster)) {
		cluster = "Legacy"
	}
	switch {
	case given != "":
		store = given
	case isStored:
		store = stored
	default:
		store = cluster
	}
	switch {
	case store == "":
		return store, "Legacy"
	case isMode(string(store)):
		return store, store
	}
	return store, cluster
}

func oracleOldClient(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType) {
	if given == "Legacy" {
		given = ""
	}
	return oracleTag(given, stored, isStored, cluster)
}

// find looks a tag up the slow way.
func find(s *imagev1.ImageStream, name string) (imagev1.ImportModeType, bool) {
	if s != nil {
		for _, t := range s.Spec.Tags {
			if t.Name == name {
				return t.ImportPolicy.ImportMode, true
			}
		}
	}
	return "", false
}

func oracleUpdate(request, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStream {
	result := request.DeepCopy()
	for i := range result.Spec.Tags {
		t := &result.Spec.Tags[i]
		was, isStored := find(stored, t.Name)
		t.ImportPolicy.ImportMode, _ = oracleTag(t.ImportPolicy.ImportMode, was, isStored, cluster)
	}
	return result
}

func oraclePut(request *imagev1.ImageStreamTag, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) *imagev1.ImageStreamTag {
	result := request.DeepCopy()
	if result.Tag == nil {
		return result
	}
	name := result.Tag.Name
	if parts := strings.SplitN(result.Name, ":", 2); len(parts) == 2 && parts[1] != "" {
		name = parts[1]
	}
	was, isStored := find(stored, name)
	result.Tag.ImportPolicy.ImportMode, _ = oracleTag(result.Tag.ImportPolicy.ImportMode, was, isStored, cluster)
	return result
}

func oracleImages(request *imagev1.ImageStreamImport, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) (all []Imported) {
	for _, image := range request.Spec.Images {
		tag := ""
		if image.To != nil {
			tag = image.To.Name
		}
		if tag == "" {
			path := strings.Split(strings.Split(image.From.Name, "@")[0], "/")
			if parts := strings.SplitN(path[len(path)-1], ":", 2); len(parts) == 2 {
				tag = parts[1]
			}
		}
		all = append(all, oracleImport(tag, image.ImportPolicy.ImportMode, stored, cluster))
	}
	return all
}

func oracleRepository(request *imagev1.ImageStreamImport, tags []string, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) (all []Imported) {
	for _, tag := range tags {
		all = append(all, oracleImport(tag, request.Spec.Repository.ImportPolicy.ImportMode, stored, cluster))
	}
	return all
}

func oracleImport(tag string, given imagev1.ImportModeType, stored *imagev1.ImageStream, cluster imagev1.ImportModeType) Imported {
	if tag == "" {
		stored = nil
	}
	was, isStored := find(stored, tag)
	store, importBy := oracleTag(given, was, isStored, cluster)
	return Imported{tag, store, importBy}
}

// oracleManaged writes the tags of the manifest over those that exist.
func oracleManaged(manifest, existing *imagev1.ImageStream) *imagev1.ImageStream {
	result := manifest.DeepCopy()
	for i := range result.Spec.Tags {
		if mode := &result.Spec.Tags[i].ImportPolicy.ImportMode; *mode == "" {
			*mode = "PreserveOriginal"
		}
	}
	if existing != nil {
		for _, t := range existing.Spec.Tags {
			if _, ok := find(manifest, t.Name); !ok {
				result.Spec.Tags = append(result.Spec.Tags, t)
			}
		}
	}
	return result
}

func oracleValidate(given, stored imagev1.ImportModeType, at string) field.ErrorList {
	if given == "" || isMode(string(given)) || given == stored {
		return nil
	}
	return field.ErrorList{{Type: field.ErrorTypeNotSupported, Field: at + ".importPolicy.importMode"}}
}

func oracleValidateStream(request, stored *imagev1.ImageStream) (all field.ErrorList) {
	for _, t := range request.Spec.Tags {
		was, _ := find(stored, t.Name)
		all = append(all, oracleValidate(t.ImportPolicy.ImportMode, was, "spec.tags["+t.Name+"]")...)
	}
	return all
}

func oracleValidateTag(request, stored *imagev1.ImageStreamTag) field.ErrorList {
	if request.Tag == nil {
		return nil
	}
	var was imagev1.ImportModeType
	if stored != nil && stored.Tag != nil {
		was = stored.Tag.ImportPolicy.ImportMode
	}
	return oracleValidate(request.Tag.ImportPolicy.ImportMode, was, "tag")
}

func oracleValidateImport(request *imagev1.ImageStreamImport) (all field.ErrorList) {
	if r := request.Spec.Repository; r != nil {
		all = oracleValidate(r.ImportPolicy.ImportMode, "", "spec.repository")
	}
	for i, image := range request.Spec.Images {
		at := field.NewPath("spec", "images").Index(i).String()
		all = append(all, oracleValidate(image.ImportPolicy.ImportMode, "", at)...)
	}
	return all
}
