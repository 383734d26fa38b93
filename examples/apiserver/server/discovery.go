package server

import (
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apihelpers"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/tools/cache"
)

// listCRDGroups keeps the groups of CustomResourceDefinitions in the list at
// /apis. The apiextensions server leaves that to an aggregator, and tells of
// them in the aggregated form of discovery only, which older clients do not ask
// for. Groups of compiled-in types are not touched.
func listCRDGroups(server *apiextensionsapiserver.CustomResourceDefinitions, compiledIn []group) error {
	crds := server.Informers.Apiextensions().V1().CustomResourceDefinitions()
	update := func(obj any) {
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = tombstone.Obj
		}
		crd, ok := obj.(*apiextensionsv1.CustomResourceDefinition)
		if !ok || slices.ContainsFunc(compiledIn, func(g group) bool { return g.version.Group == crd.Spec.Group }) {
			return
		}
		// The lister of a running informer has no errors.
		all, _ := crds.Lister().List(labels.Everything())
		if versions := servedVersions(all, crd.Spec.Group); len(versions) > 0 {
			server.GenericAPIServer.DiscoveryGroupManager.AddGroup(metav1.APIGroup{Name: crd.Spec.Group, Versions: versions, PreferredVersion: versions[0]})
		} else {
			server.GenericAPIServer.DiscoveryGroupManager.RemoveGroup(crd.Spec.Group)
		}
	}
	_, err := crds.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    update,
		UpdateFunc: func(_, obj any) { update(obj) },
		DeleteFunc: update,
	})
	return err
}

// servedVersions returns the versions of a group, the most stable one first.
func servedVersions(crds []*apiextensionsv1.CustomResourceDefinition, group string) []metav1.GroupVersionForDiscovery {
	var names []string
	for _, crd := range crds {
		if crd.Spec.Group != group || !apihelpers.IsCRDConditionTrue(crd, apiextensionsv1.Established) {
			continue
		}
		for _, v := range crd.Spec.Versions {
			if v.Served && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return version.CompareKubeAwareVersionStrings(b, a) })
	var versions []metav1.GroupVersionForDiscovery
	for _, name := range names {
		versions = append(versions, metav1.GroupVersionForDiscovery{GroupVersion: group + "/" + name, Version: name})
	}
	return versions
}
