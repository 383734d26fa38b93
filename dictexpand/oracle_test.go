package dictexpand_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand/dictexpandtest"
	"github.com/polyarch/polyarch/dictexpand/internal/ours"
)

// subsets yields every selection of the names, in their order.
func subsets(names ...string) [][]string {
	all := [][]string{nil}
	for _, n := range names {
		for _, s := range all {
			all = append(all, append(slices.Clone(s), n))
		}
	}
	return all
}

// agree reports how the expansion differs from that of the oracle.
func agree(templates []dictexpandtest.Template, c dictexpandtest.Cluster) string {
	return cmp.Diff(dictexpandtest.Summary(dictexpandtest.Oracle().Expand(templates, c)), dictexpandtest.Summary(ours.Impl().Expand(templates, c)))
}

// TestOracle goes through every combination of a small world.
func TestOracle(t *testing.T) {
	template := dictexpandtest.TemplateOf
	n := 0
	for _, listed := range subsets("amd64", " arm64", "x86_64", "ppc64le") {
		for _, cluster := range [][]string{nil, {"amd64"}, {"arm64"}, {"amd64", "arm64"}, {"arm64", "amd64", "arm64", "ppc64le"}} {
			for _, workload := range [][]string{nil, {"amd64"}, {"arm64"}} {
				for _, made := range [][]string{nil, {"arm64"}, {"amd64", "arm64"}} {
					for _, own := range [][]string{nil, {"m"}, {"m-amd64"}, {"m-arm64", "n"}} {
						for _, platform := range []string{"", "arm64"} {
							for _, second := range []dictexpandtest.Template{
								template("y", "n", ""), template("y", "m", ""), template("y", "m", "amd64"), template("x-amd64", "n", "arm64"), template("x", "m-arm64", ""),
							} {
								c := dictexpandtest.Cluster{
									MultiArch: true, Namespace: "ns", Architectures: cluster, Workload: workload, Supported: []string{"amd64", "arm64"},
								}
								if made != nil {
									c.Made = map[string][]string{"m": made}
								}
								for _, name := range own {
									c.OwnImages = append(c.OwnImages, key("ns", name))
								}
								x := template("x", "m", strings.Join(listed, ","))
								if platform != "" {
									x.Spec.Template.Spec.Source.Registry.Platform = &cdiv1beta1.PlatformOptions{Architecture: platform}
								}
								for _, c.MultiArch = range []bool{true, false} {
									n++
									if diff := agree([]dictexpandtest.Template{x, second}, c); diff != "" {
										t.Fatalf("templates %s(%s) %q %s(%s) %q platform %q\ncluster %+v\n-oracle +got:\n%s", x.Name, x.Spec.ManagedDataSource,
											listed, second.Name, second.Spec.ManagedDataSource, second.Annotations, platform, c, diff)
									}
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d combinations", n)
}

// And whatever the templates and the cluster are.
func TestOracleProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		templates, c := dictexpandtest.AnyTemplates().Draw(t, "templates"), dictexpandtest.AnyCluster().Draw(t, "cluster")
		if diff := agree(templates, c); diff != "" {
			t.Fatalf("-oracle +got:\n%s", diff)
		}
	})
}
