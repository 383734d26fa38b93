// Package many makes clusters with any number of image streams, as files and as the
// answers of an API server, without holding them.
package many

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Tags is how many tags each stream has.
const Tags = 10

// perNamespace is how many streams a namespace has.
const perNamespace = 100

func namespace(i int) string { return fmt.Sprintf("ns-%05d", i/perNamespace) }

// stream writes the image stream of a number: its tags are Legacy.
func stream(b *bytes.Buffer, i int) {
	fmt.Fprintf(b, `{"apiVersion":"image.openshift.io/v1","kind":"ImageStream","metadata":{"name":"app-%d","namespace":%q,"resourceVersion":"%d"},"spec":{"tags":[`, i, namespace(i), i+1)
	for t := range Tags {
		if t > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"name":"v%d","from":{"kind":"DockerImage","name":"quay.io/ns/app-%d:v%d"},"importPolicy":{"importMode":"Legacy"},"referencePolicy":{"type":"Source"}}`, t, i, t)
	}
	b.WriteString(`]},"status":{"dockerImageRepository":"","tags":[`)
	for t := range Tags {
		if t > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `{"tag":"v%d","items":[{"created":"2026-11-01T10:00:00Z","dockerImageReference":"quay.io/ns/app-%d@sha256:%064x","image":"sha256:%064x","generation":1}]}`, t, i, i*Tags+t, i*Tags+t)
	}
	b.WriteString(`]}}`)
}

// The rest of the cluster: two architectures, a multi payload.
var rest = map[string]string{
	"/apis/config.openshift.io/v1/clusterversions": `{"apiVersion":"config.openshift.io/v1","kind":"ClusterVersion","metadata":{"name":"version"},"status":{"desired":{"version":"4.20.1","image":"quay.io/release@sha256:0","architecture":"Multi"}}}`,
	"/apis/config.openshift.io/v1/featuregates":    `{"apiVersion":"config.openshift.io/v1","kind":"FeatureGate","metadata":{"name":"cluster"}}`,
	"/apis/config.openshift.io/v1/images":          `{"apiVersion":"config.openshift.io/v1","kind":"Image","metadata":{"name":"cluster"},"status":{"imageStreamImportMode":"PreserveOriginal"}}`,
	"/api/v1/nodes": `{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"kubernetes.io/arch":"amd64","kubernetes.io/os":"linux"}}},` +
		`{"apiVersion":"v1","kind":"Node","metadata":{"name":"b","labels":{"kubernetes.io/arch":"arm64","kubernetes.io/os":"linux"}}}`,
}

// WriteTar writes a must-gather with n image streams, a list for each namespace.
func WriteTar(w io.Writer, n int) error {
	archive := tar.NewWriter(w)
	put := func(name string, text []byte) error {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err := archive.Write(text)
		return err
	}
	for path, items := range rest {
		if err := put(path[1:]+".json", []byte(`{"apiVersion":"v1","items":[`+items+`],"kind":"List"}`)); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	for i := 0; i < n; {
		b.Reset()
		b.WriteString(`{"apiVersion":"image.openshift.io/v1","items":[`)
		name := namespace(i)
		for first := true; i < n && namespace(i) == name; i++ {
			if !first {
				b.WriteByte(',')
			}
			first = false
			stream(&b, i)
		}
		b.WriteString(`],"kind":"ImageStreamList"}`)
		if err := put("namespaces/"+name+"/image.openshift.io/imagestreams.json", b.Bytes()); err != nil {
			return err
		}
	}
	return archive.Close()
}

// Handler answers as the API server of a cluster with n image streams does.
func Handler(n int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/apis/image.openshift.io/v1/imagestreams" {
			items, ok := rest[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			fmt.Fprintf(w, `{"apiVersion":"v1","items":[%s],"kind":"List","metadata":{}}`, items)
			return
		}
		limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
		if err != nil {
			http.Error(w, "no limit", http.StatusBadRequest)
			return
		}
		from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		to, next := min(from+limit, n), ""
		if to < n {
			next = strconv.Itoa(to)
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, `{"apiVersion":"image.openshift.io/v1","kind":"ImageStreamList","metadata":{"continue":%q},"items":[`, next)
		for i := from; i < to; i++ {
			if i > from {
				b.WriteByte(',')
			}
			stream(&b, i)
		}
		b.WriteString("]}")
		_, _ = w.Write(b.Bytes())
	})
}
