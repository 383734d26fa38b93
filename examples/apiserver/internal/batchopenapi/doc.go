// Package batchopenapi holds the OpenAPI definitions of batch/v1, which a server
// needs for server-side apply. Those of core/v1 come with openshift/api; those
// of batch/v1 come with k8s.io/kubernetes only, which cannot be imported.
package batchopenapi

// The generator knows the model names of the types it generates for, and refers
// to all others by their Go names: the second line gives those their model names.
//
//go:generate go run k8s.io/kube-openapi/cmd/openapi-gen@v0.0.0-20260519202549-bbf5c5577288 --output-dir . --output-pkg github.com/polyarch/polyarch/examples/apiserver/internal/batchopenapi --output-file zz_generated.openapi.go --report-filename /dev/null k8s.io/api/batch/v1
//go:generate sed -i -E "/^import/,/^[)]/! s#\"k8s\\.io/(api/core|apimachinery/pkg/apis/meta)/v1\\.#\"io.k8s.\\1.v1.#g; s#io\\.k8s\\.api/core#io.k8s.api.core#g; s#io\\.k8s\\.apimachinery/pkg/apis/meta#io.k8s.apimachinery.pkg.apis.meta#g" zz_generated.openapi.go
