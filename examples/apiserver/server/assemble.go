package server

import (
	"net"

	imagev1 "github.com/openshift/api/image/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/server/dynamiccertificates"
)

// PassThroughGroup has image streams that importmode does not look into.
const PassThroughGroup = "passthrough.image.openshift.io"

// assemble makes the server and installs on it the groups of compiled-in types.
func assemble(o Options, imports imports, cluster imagev1.ImportModeType, listener net.Listener, id identity, serving dynamiccertificates.CertKeyContentProvider) (*genericapiserver.GenericAPIServer, error) {
	images, passThrough := imageGroup(imagev1.GroupName), imageGroup(PassThroughGroup)
	core, batch := bareGroup(corev1.SchemeGroupVersion, coreResources), bareGroup(batchv1.SchemeGroupVersion, batchResources)
	groups := []group{images, passThrough, core, batch}
	crds, etcd, err := newServer(o, listener, id, serving, groups)
	if err != nil {
		return nil, err
	}
	if err := listCRDGroups(crds, groups); err != nil {
		return nil, err
	}
	server := crds.GenericAPIServer

	info, err := bareResources(core, restOptions(etcd, core.storageCodec()), coreResources)
	if err != nil {
		return nil, err
	}
	if err := server.InstallLegacyAPIGroup(genericapiserver.DefaultLegacyAPIPrefix, info); err != nil {
		return nil, err
	}
	batchInfo, err := bareResources(batch, restOptions(etcd, batch.storageCodec()), batchResources)
	if err != nil {
		return nil, err
	}
	if imports.reader, err = ownReader(server.LoopbackClientConfig); err != nil {
		return nil, err
	}
	imageInfo, err := imageStreams(images, restOptions(etcd, images.storageCodec()), cluster, imports)
	if err != nil {
		return nil, err
	}
	infos := []*genericapiserver.APIGroupInfo{batchInfo, imageInfo}
	if o.PassThrough {
		info, err := passThroughStreams(passThrough, restOptions(etcd, passThrough.storageCodec()))
		if err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return server, server.InstallAPIGroups(infos...)
}
