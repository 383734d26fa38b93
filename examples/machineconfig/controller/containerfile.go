package controller

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/manifestlist/buildplan"
)

// MachineConfigKey is where the ConfigMap of a job holds the rendered config as
// MachineConfigFile has it, and CurrentConfig where an image does.
const (
	MachineConfigKey = "machineconfig.json.gz"
	CurrentConfig    = "/etc/machine-config-daemon/currentconfig"
)

// userBegins is the line before the containerfile of the MachineOSConfig.
const userBegins = "# The containerfile of the MachineOSConfig begins here."

// Containerfile is what a job builds: the machine config operator's own steps, then
// those of the MachineOSConfig. It is modeled on openshift/machine-config-operator,
// pkg/controller/build/buildrequest/assets/Containerfile.on-cluster-build-template
// at commit c363b80d: the rendered config and the labels are embedded as there, at
// the same paths and under the same names, and the stage that a user goes on from
// has the same name. Left out is what needs an operating system in the base image:
// ignition's live-apply, extensions, kernels and the trust bundle.
func Containerfile(b buildplan.Build, i buildplan.Image) string {
	return fmt.Sprintf(`FROM %[1]s AS extract
COPY ./machineconfig/%[2]s /tmp/%[2]s
RUN mkdir -p /etc/machine-config-daemon && cat /tmp/%[2]s | base64 -d | gunzip - > %[3]s

FROM %[1]s AS configs
COPY --from=extract %[3]s %[3]s
LABEL machineconfig=%[4]s
LABEL machineconfigpool=%[5]s
LABEL baseOSContainerImage=%[1]s

%[6]s
%[7]s
`, i.Base.OS, MachineConfigKey, CurrentConfig, b.Rendered, b.Pool, userBegins, i.Containerfile)
}

// UserContainerfile returns the part of a Containerfile that the MachineOSConfig
// has.
func UserContainerfile(containerfile string) string {
	_, user, _ := strings.Cut(containerfile, userBegins+"\n")
	return strings.TrimSuffix(user, "\n")
}

// MachineConfigFile is the rendered config in gzip and base64, as the machine config
// operator puts it into a ConfigMap (buildRequestImpl.machineconfigToConfigMap),
// without what differs from one read to the next: equal inputs make equal images.
func MachineConfigFile(rendered *mcfgv1.MachineConfig) (string, error) {
	data, err := json.Marshal(&mcfgv1.MachineConfig{
		TypeMeta:   metav1.TypeMeta{APIVersion: mcfgv1.GroupVersion.String(), Kind: "MachineConfig"},
		ObjectMeta: metav1.ObjectMeta{Name: rendered.Name, Labels: rendered.Labels, Annotations: rendered.Annotations},
		Spec:       rendered.Spec,
	})
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
