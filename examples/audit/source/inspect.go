package source

import (
	"fmt"
	"strings"
)

// InspectDir is where the commands write to.
const InspectDir = "audit.inspect"

// InspectCommand returns the command that fetches one kind with what the audit reads of
// it.
func InspectCommand(k *Kind) string {
	scope := "--all-namespaces "
	switch {
	case !k.Namespaced:
		scope = ""
	case k.Namespace != "":
		scope = "--namespace=" + k.Namespace + " "
	}
	if k == ConfigMaps {
		return inspectConfigMaps()
	}
	return fmt.Sprintf("oc adm inspect %s--dest-dir=%s %s", scope, InspectDir, k.Name())
}

// inspectConfigMaps fetches the configuration of openshift-apiserver, what the jobs of OS
// image builds report, and the configuration of each hosted openshift-apiserver, which is
// in the namespace of its control plane: that of the HostedCluster and its name. A cluster
// that hosts none has no such kind.
func inspectConfigMaps() string {
	return fmt.Sprintf(`oc adm inspect --namespace=%s --dest-dir=%s configmaps/%s; oc adm inspect --namespace=%s --dest-dir=%s configmaps; `+
		`for n in $(oc get %s --all-namespaces --output=jsonpath='{range .items[*]}{.metadata.namespace}-{.metadata.name} {end}' 2>/dev/null | tr . -); `+
		`do oc adm inspect --namespace=$n --dest-dir=%s configmaps/%s; done`,
		ServerConfig.Namespace, InspectDir, ServerConfig.Name, mcoNamespace, InspectDir,
		HostedClusters.Name(), InspectDir, hostedServer)
}

// InspectAll returns the one command that fetches all that the audit reads. oc adm
// inspect ends at the first kind that a cluster does not have, so the command asks for
// those that it has: a cluster without virtual machines has no DataSources.
func InspectAll() string {
	var names []string
	for _, k := range Kinds() {
		if !k.Picked || k == Images {
			names = append(names, "-e "+k.Name())
		}
	}
	return fmt.Sprintf(`oc adm inspect --all-namespaces --dest-dir=%s "$(oc api-resources --verbs=list -o name | grep -xF %s | paste -sd, -)"; %s`,
		InspectDir, strings.Join(names, " "), inspectConfigMaps())
}
