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
		return inspectConfigMap(ServerConfig) + " && " + inspectConfigMap(OSImageURL)
	}
	return fmt.Sprintf("oc adm inspect %s--dest-dir=%s %s", scope, InspectDir, k.Name())
}

func inspectConfigMap(key Key) string {
	return fmt.Sprintf("oc adm inspect --namespace=%s --dest-dir=%s configmaps/%s", key.Namespace, InspectDir, key.Name)
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
	return fmt.Sprintf(`oc adm inspect --all-namespaces --dest-dir=%s "$(oc api-resources --verbs=list -o name | grep -xF %s | paste -sd, -)"; %s; %s`,
		InspectDir, strings.Join(names, " "), inspectConfigMap(ServerConfig), inspectConfigMap(OSImageURL))
}
