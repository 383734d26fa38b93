package payloadarch_test

import (
	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/payloadarch"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

const (
	multi   = configv1.ClusterVersionArchitectureMulti
	v1, v2  = payloadarchtest.VersionA, payloadarchtest.VersionB
	imageA  = payloadarchtest.ImageA
	imageB  = payloadarchtest.ImageB
	desired = "clusterversions[version].status.desired"
	archAt  = "clusterversions[version].status.desired.architecture"
	stateAt = "clusterversions[version].status.history[0].state"
	gatesAt = "featuregates[cluster].status.featureGates"
)

var (
	clusterVersion = payloadarchtest.ClusterVersion
	completed      = payloadarchtest.Completed
	partial        = payloadarchtest.Partial
	featureGate    = payloadarchtest.FeatureGate
	enabled        = payloadarchtest.Enabled
	disabled       = payloadarchtest.Disabled
	document       = payloadarchtest.Document
)

// kindOf returns what the kit's kind is here.
func kindOf(k payloadarchtest.Kind) payloadarch.Kind {
	return map[payloadarchtest.Kind]payloadarch.Kind{payloadarchtest.KindSingle: payloadarch.Single,
		payloadarchtest.KindInstalling: payloadarch.Single, payloadarchtest.KindMulti: payloadarch.Multi}[k]
}
