// Package importer reads images out of registries, as an image stream import
// wants them: whole manifest lists, or one image out of each.
//
//	1  Legacy: of a list, the one image that manifestlist's OpenShiftLegacy chooses
//	   (importer.go, importManifest and manifestFromManifestList)
//	2  PreserveOriginal: of a list, the list and every entry of it. If one entry
//	   cannot be had, the list cannot, and the error names the entry
//	   (importSubManifests)
//	3  a single image is the same in both modes
//	4  the wanted platform is that of the tag's annotations, and counts where the
//	   image is named by a tag; what it leaves out is the host's
//	5  an attestation in a list is an image like any other, and is noted
//	6  a list in a list gives way to the one image that Legacy would choose of it,
//	   in the list's entry as well, and is noted. Upstream leaves the inner list's
//	   digest in the entry, under which there is no image
//	7  the Image of a list has identity, creation time and dockerImageManifests; that
//	   of an image has layers, oldest first, sizes and the metadata of its config
//	8  an image is requested by 1 manifest and 1 config, a list by 1 manifest more;
//	   what several images of an import share is requested once
//
// The functions in parentheses are of openshift-apiserver, pkg/image/apiserver/
// importer, at 026247d; schema 1, which it still reads, is refused here.
//
// # What a registry can do
//
//	 9  what is asked for by digest has that digest, or the import fails
//	10  sizes, entries of a list, tags, requests at a time and time are bounded (Limits)
//	11  certificates are verified and plain HTTP is refused, unless the policy says of
//	    that very host that it is insecure
//	12  credentials go to the registry they are for and the token server it names; a
//	    redirect takes none to another host
//	13  no credential, and no text of a registry, becomes part of an error
//	14  401 in spite of credentials: once more without. If that is refused as well, the
//	    first answer stands (Create of registry/imagestreamimport/rest.go, 08af395)
//
// Mirrors (ImageContentSourcePolicy, ImageDigestMirrorSet) are out of scope: images
// are read from where they are named.
package importer
