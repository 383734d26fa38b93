package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/openshift/api/image/docker10"
	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
)

// TestOcImports replays the imports that were recorded from an unmodified oc, on a
// cluster that preserves the original: as oc is, which sends Legacy unasked, and with
// the option that takes it for not given.
func TestOcImports(t *testing.T) {
	t.Parallel()
	host := startRegistry(t, nil)
	list := testimages.Multi(t, "of oc", "amd64", "arm64")
	for _, tag := range []string{"v1", "latest"} {
		testimages.Push(t, host+"/x/y:"+tag, list)
	}
	all, one := testimages.Digest(t, list), testimages.Entries(t, list)[0]
	asIs := boot(t, preserve, configured(t, "  maxImagesBulkImportedPerRepository: 3\n"))
	optedIn := boot(t, preserve, func(o *launch.Options) { o.Flags = append(o.Flags, "--ignore-legacy-from=oc/") })
	t.Run("a repository", func(t *testing.T) { testImportRepository(t, asIs) }) // counts the images, so it comes first
	for _, e := range []*env{asIs, optedIn} {
		e.trust(t, host)
	}

	head := func(name, rest string) string {
		return `{"kind":"ImageStreamImport","apiVersion":"image.openshift.io/v1","metadata":{"name":"` + name + `","namespace":"demo","creationTimestamp":null` + rest + `}`
	}
	image := func(name, rest, policy string) string {
		return head(name, rest) + `,"spec":{"import":true,"images":[{"from":{"kind":"DockerImage","name":"` + host + `/x/y:v1"},"to":{"name":"v1"},
			"importPolicy":{` + policy + `},"referencePolicy":{"type":"Source"}}]},"status":{}}`
	}
	const legacyUnasked, asked = `"importMode":"Legacy"`, `"importMode":"PreserveOriginal"`
	// IMAGE is the one that the tag b:v1 holds, as oc has read it.
	const following = `{"kind":"ImageStreamTag","apiVersion":"image.openshift.io/v1","metadata":{"name":"e:x","namespace":"demo","creationTimestamp":null},
		"tag":{"name":"x","annotations":null,"from":{"kind":"ImageStreamImage","namespace":"demo","name":"b@IMAGE"},"generation":0,
		"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Source"}},
		"generation":0,"lookupPolicy":{"local":false},"image":{"metadata":{"creationTimestamp":null},"dockerImageMetadata":null}}`
	type exchanged struct{ method, path, body string }
	post := func(body string) exchanged { return exchanged{http.MethodPost, "imagestreamimports", body} }
	// What a tag is stored with and what it holds then.
	type held struct{ mode, image string }
	kept, ignored := held{"Legacy", one}, held{"PreserveOriginal", all}
	for _, c := range []struct {
		command   string
		requests  []exchanged
		tag       string // stream:tag
		want, opt held
	}{
		{"oc import-image b:v1 --from=H/x/y:v1 --confirm", []exchanged{{http.MethodGet, "imagestreams/b", ""}, post(image("b", "", legacyUnasked))}, "b:v1", kept, ignored},
		{"oc import-image b:v1", []exchanged{{http.MethodGet, "imagestreams/b", ""}, post(image("b", `,"resourceVersion":"%s"`, legacyUnasked))}, "b:v1", kept, ignored},
		{"oc import-image p:v1 --from=H/x/y:v1 --confirm --import-mode=PreserveOriginal", []exchanged{post(image("p", "", asked))}, "p:v1", ignored, ignored},
		{"oc import-image s:v1 --from=H/x/y:v1 --confirm --scheduled", []exchanged{post(image("s", "", `"scheduled":true,`+legacyUnasked))}, "s:v1", kept, ignored},
		{"oc import-image c --from=H/x/y --confirm --all", []exchanged{{http.MethodGet, "imagestreams/c", ""}, post(head("c", "") +
			`,"spec":{"import":true,"repository":{"from":{"kind":"DockerImage","name":"` + host + `/x/y"},"importPolicy":{` + legacyUnasked + `},"referencePolicy":{"type":"Source"}}},"status":{}}`)}, "c:latest", kept, ignored},
		{"oc tag b:v1 e:x", []exchanged{{http.MethodGet, "imagestreams/b", ""}, {http.MethodPut, "imagestreamtags/e:x", following}, {http.MethodPost, "imagestreamtags", following}}, "e:x", kept, ignored},
	} {
		for name, ran := range map[string]struct {
			*env
			want held
		}{"as it is": {asIs, c.want}, "with --ignore-legacy-from": {optedIn, c.opt}} {
			t.Run(c.command+", "+name, func(t *testing.T) {
				e := ran.env
				var version string
				for _, r := range c.requests {
					body := r.body
					if strings.Contains(body, "%s") {
						body = fmt.Sprintf(body, version)
					}
					if body == following {
						body = strings.ReplaceAll(body, "IMAGE", ran.want.image)
					}
					x := e.oc(t, r.method, r.path, asJSON, body)
					var answer struct {
						Metadata struct{ ResourceVersion string }
					}
					if json.Unmarshal([]byte(x.body), &answer) == nil {
						version = answer.Metadata.ResourceVersion
					}
					if r.method == http.MethodPost && x.code != http.StatusCreated {
						t.Fatalf("%d %s", x.code, x.body)
					}
					warned := len(x.warnings) > 0 && strings.Contains(x.warnings[0], "Legacy")
					if r.method == http.MethodPost && warned != strings.Contains(body, "Legacy") {
						t.Errorf("warnings %q", x.warnings)
					}
				}
				streamName, tag, _ := strings.Cut(c.tag, ":")
				s := e.get(t, streamName)
				spec := s.Spec.Tags[0]
				for _, t := range s.Spec.Tags {
					if t.Name == tag {
						spec = t
					}
				}
				if h := historyOf(t, s, tag); string(spec.ImportPolicy.ImportMode) != ran.want.mode || len(h.Images) != 1 || h.Images[0] != ran.want.image {
					t.Errorf("%s is stored as %s and holds %v, want %+v", c.tag, spec.ImportPolicy.ImportMode, h.Images, ran.want)
				}
			})
		}
	}
	t.Run("oc new-app --image=H/x/y:v1", func(t *testing.T) {
		e := asIs
		x := e.oc(t, http.MethodPost, "imagestreamimports", asJSON, head("newapp", "")+
			`,"spec":{"import":false,"images":[{"from":{"kind":"DockerImage","name":"`+host+`/x/y:v1"},"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":""}}]},"status":{}}`)
		var answer imagev1.ImageStreamImport
		if err := json.Unmarshal([]byte(x.body), &answer); err != nil {
			t.Fatal(err)
		}
		var metadata docker10.DockerImage
		if err := json.Unmarshal(answer.Status.Images[0].Image.DockerImageMetadata.Raw, &metadata); err != nil {
			t.Fatal(err)
		}
		if metadata.Config == nil || metadata.Config.Cmd[0] != "/bin/amd64" || answer.Status.Import != nil {
			t.Errorf("%s", x.body)
		}
	})
	t.Run("oc describe istag, oc get isimage, oc adm top images", func(t *testing.T) {
		e := asIs
		for path, says := range map[string]string{
			"imagestreamtags/b:v1":                      `"kind":"DockerImage"`,
			"imagestreamimages/p@" + all:                `"dockerImageManifests":[`,
			"imagestreamimages/p@" + one:                `"dockerImageLayers":[`,
			"/apis/image.openshift.io/v1/images":        `"dockerImageReference":"` + host + `/x/y@` + all + `"`,
			"/apis/image.openshift.io/v1/images/" + one: `"image.openshift.io/dockerLayersOrder":"ascending"`,
		} {
			if x := e.oc(t, http.MethodGet, path, "", ""); x.code != http.StatusOK || !strings.Contains(x.body, says) {
				t.Errorf("%s: %d, no %s in %s", path, x.code, says, x.body)
			}
		}
	})
}
