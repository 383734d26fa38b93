package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	operatorv1 "github.com/openshift/api/operator/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	openshiftapiserver "github.com/polyarch/polyarch/examples/openshiftapiserver/controller"
)

// A brokenImportMode is an image registry operator that decides by itself what the
// payload's mode is.
type brokenImportMode struct {
	l    *lab
	mode func(reported configv1.ClusterVersionArchitecture, current configv1.ImportModeType) configv1.ImportModeType
}

func (b *brokenImportMode) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("broken-import-mode").
		For(&configv1.Image{}).Watches(&configv1.ClusterVersion{}, operator.ToCluster()).Complete(b)
}

func (b *brokenImportMode) Reconcile(ctx context.Context, _ reconcile.Request) (reconcile.Result, error) {
	image, cv := &configv1.Image{}, &configv1.ClusterVersion{}
	if err := b.l.client.Get(ctx, client.ObjectKey{Name: "cluster"}, image); err != nil {
		return reconcile.Result{}, err
	}
	if err := b.l.client.Get(ctx, client.ObjectKey{Name: "version"}, cv); err != nil {
		return reconcile.Result{}, err
	}
	mode := image.Spec.ImageStreamImportMode
	if mode == "" {
		mode = b.mode(cv.Status.Desired.Architecture, image.Status.ImageStreamImportMode)
	}
	if mode == image.Status.ImageStreamImportMode {
		return reconcile.Result{}, nil
	}
	image.Status.ImageStreamImportMode = mode
	return reconcile.Result{}, b.l.client.Status().Update(ctx, image)
}

// first has the operator act before the image config is read, so that however short
// the judge waits, it sees what the operator makes of things.
func (b *brokenImportMode) first(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/images/cluster") {
		// What fails, such as two that write at once, goes well the next time.
		for ; r.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
			if _, err := b.Reconcile(r.Context(), reconcile.Request{}); err == nil {
				break
			}
		}
	}
	return next.RoundTrip(r)
}

// comparesSpelling takes the word of the release metadata for that of the
// ClusterVersion, which is Multi.
func comparesSpelling(reported configv1.ClusterVersionArchitecture, _ configv1.ImportModeType) configv1.ImportModeType {
	if reported == "multi" {
		return configv1.ImportModePreserveOriginal
	}
	return configv1.ImportModeLegacy
}

// keepsOnEmpty takes the architecture that a single payload has for one that is not
// reported yet.
func keepsOnEmpty(reported configv1.ClusterVersionArchitecture, current configv1.ImportModeType) configv1.ImportModeType {
	switch {
	case reported == configv1.ClusterVersionArchitectureMulti:
		return configv1.ImportModePreserveOriginal
	case current != "":
		return current
	}
	return configv1.ImportModeLegacy
}

// An observesOnce is an operator of openshift-apiserver that observes the mode until
// there is one.
type observesOnce struct{ l *lab }

func (o *observesOnce) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("observes-once").
		For(&operatorv1.OpenShiftAPIServer{}).Watches(&configv1.Image{}, operator.ToCluster()).Complete(o)
}

func (o *observesOnce) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	apiserver := &operatorv1.OpenShiftAPIServer{}
	if err := o.l.client.Get(ctx, client.ObjectKey{Name: "cluster"}, apiserver); err != nil {
		return reconcile.Result{}, err
	}
	if strings.Contains(string(apiserver.Spec.ObservedConfig.Raw), "imageStreamImportMode") {
		return reconcile.Result{}, nil
	}
	return (&openshiftapiserver.Observe{Client: o.l.client, Events: &record.FakeRecorder{}}).Reconcile(ctx, req)
}

// neverReports is a cluster version operator that leaves the architecture out, as one
// does that does not know the gate.
func neverReports(c client.Client) client.Client {
	return interceptor.NewClient(withWatch{c}, interceptor.Funcs{
		SubResourceUpdate: func(ctx context.Context, c client.Client, sub string, obj client.Object, options ...client.SubResourceUpdateOption) error {
			if cv, ok := obj.(*configv1.ClusterVersion); ok {
				cv.Status.Desired.Architecture = ""
			}
			return c.SubResource(sub).Update(ctx, obj, options...)
		},
	})
}

// A transport is what stands between the judge and the server.
type transport func(next http.RoundTripper, r *http.Request) (*http.Response, error)

func (t transport) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) { return t(next, r) })
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// throughPassThrough has image streams go to the group whose strategy does not look
// at import modes.
func throughPassThrough(next http.RoundTripper, r *http.Request) (*http.Response, error) {
	const passThroughGroup = "passthrough.image.openshift.io"
	const group, passThrough = "/image.openshift.io/", "/" + passThroughGroup + "/"
	if !strings.Contains(r.URL.Path, group) || !strings.Contains(r.URL.Path, "/imagestreams") {
		return next.RoundTrip(r)
	}
	r = r.Clone(r.Context())
	r.URL.Path = strings.Replace(r.URL.Path, group, passThrough, 1)
	if err := edit(&r.Body, &r.ContentLength, func(body string) string {
		return strings.ReplaceAll(body, `"image.openshift.io/v1"`, `"`+passThroughGroup+`/v1"`)
	}); err != nil {
		return nil, err
	}
	response, err := next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	return response, edit(&response.Body, &response.ContentLength, func(body string) string {
		return strings.ReplaceAll(body, passThroughGroup, "image.openshift.io")
	})
}

// defaultsInDecoding is a server that fills in the cluster's mode in what it decodes,
// without a look at what is stored.
func (l *lab) defaultsInDecoding(t testing.TB) transport {
	return func(next http.RoundTripper, r *http.Request) (*http.Response, error) {
		if !strings.Contains(r.URL.Path, "/imagestreams") || r.Body == nil || r.Method == http.MethodDelete {
			return next.RoundTrip(r)
		}
		r = r.Clone(r.Context())
		err := edit(&r.Body, &r.ContentLength, func(body string) string {
			var stream map[string]any
			if err := json.Unmarshal([]byte(body), &stream); err != nil {
				t.Errorf("%s %s: %v", r.Method, r.URL, err)
				return body
			}
			spec, _ := stream["spec"].(map[string]any)
			tags, _ := spec["tags"].([]any)
			for _, tag := range tags {
				policy := tag.(map[string]any)["importPolicy"].(map[string]any)
				if policy["importMode"] == nil {
					policy["importMode"] = l.configured(t)
				}
			}
			edited, err := json.Marshal(stream)
			if err != nil {
				t.Error(err)
			}
			return string(edited)
		})
		if err != nil {
			return nil, err
		}
		return next.RoundTrip(r)
	}
}

// edit changes a body.
func edit(body *io.ReadCloser, length *int64, change func(string) string) error {
	if *body == nil {
		return nil
	}
	content, err := io.ReadAll(*body)
	if err != nil {
		return err
	}
	if err := (*body).Close(); err != nil {
		return err
	}
	content = []byte(change(string(content)))
	*body, *length = io.NopCloser(bytes.NewReader(content)), int64(len(content))
	return nil
}

// A withWatch is a client for an interceptor, which wants one that can watch.
// Nobody watches by it.
type withWatch struct{ client.Client }

func (withWatch) Watch(context.Context, client.ObjectList, ...client.ListOption) (watch.Interface, error) {
	return nil, errors.New("not by this client")
}
