package embedding_test

import (
	"testing"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/importmode/importmodetest"
)

// An API server that keeps its own code is held to the same rules.
func TestImportModes(t *testing.T) {
	importmodetest.Conform(t, func(testing.TB) importmodetest.Impl {
		return importmodetest.Impl{DefaultTag: ownDefault, ModeChanged: ownChanged}
	}, importmodetest.Options{
		RuleSet: "v1",
		Deviations: []importmodetest.Deviation{
			{Rule: "effective-change", Row: "from empty to Legacy", Reason: "a mode that is spelled out imports again"},
		},
	})
}

// ownDefault and ownChanged stand for the operator's code.
func ownDefault(given, stored imagev1.ImportModeType, isStored bool, cluster imagev1.ImportModeType) (store, importBy imagev1.ImportModeType) {
	mode := func(m, otherwise imagev1.ImportModeType) imagev1.ImportModeType {
		if m == imagev1.ImportModeLegacy || m == imagev1.ImportModePreserveOriginal {
			return m
		}
		return otherwise
	}
	cluster = mode(cluster, imagev1.ImportModeLegacy)
	switch {
	case given != "":
		return given, mode(given, cluster)
	case !isStored:
		return cluster, cluster
	case stored == "":
		return "", imagev1.ImportModeLegacy
	}
	return stored, mode(stored, cluster)
}

func ownChanged(stored, requested imagev1.ImportModeType) bool {
	return stored != requested && !(stored == imagev1.ImportModeLegacy && requested == "")
}
