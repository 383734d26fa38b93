// Package controller is how HyperShift would embed payloadarch and importmode: it
// writes the import mode of image streams into the configuration that HyperShift
// generates for the openshift-apiserver of a hosted cluster, where nobody writes it
// today.
package controller

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	configv1 "github.com/openshift/api/config/v1"
	openshiftcontrolplanev1 "github.com/openshift/api/openshiftcontrolplane/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// HostedClusterKind is the kind that is read, without HyperShift's Go types.
var HostedClusterKind = schema.GroupVersionKind{Group: "hypershift.openshift.io", Version: "v1beta1", Kind: "HostedCluster"}

// NewHostedCluster returns an empty HostedCluster.
func NewHostedCluster() *unstructured.Unstructured {
	hc := &unstructured.Unstructured{}
	hc.SetGroupVersionKind(HostedClusterKind)
	return hc
}

// ImportMode writes imagePolicyConfig.imageStreamImportMode of the configuration of a
// hosted openshift-apiserver.
type ImportMode struct {
	// Client is that of the management cluster.
	Client client.Client
	Events record.EventRecorder
	// Hosted returns a reader of the hosted cluster's own API, or nil if there is none
	// yet. It is asked only while the HostedCluster has no status.payloadArch: a hosted
	// API server that is down is no reason to hold anything up.
	Hosted func(ctx context.Context, hostedCluster types.NamespacedName) (client.Reader, error)
	// Poll is how soon the hosted API is asked again, which is not watched; 0 stands
	// for a minute.
	Poll time.Duration

	mu   sync.Mutex
	told map[types.NamespacedName][]string // what was said of each the last time
}

// SetupWithManager adds the controller to mgr.
func (r *ImportMode) SetupWithManager(mgr manager.Manager) error {
	return builder.ControllerManagedBy(mgr).Named("hosted-import-mode").
		For(NewHostedCluster()).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(r.ownerOf)).
		Complete(r)
}

// ownerOf leads from the ConfigMap, which HyperShift renders anew at will, to the
// HostedCluster. The name of a namespace does not say where its two parts meet.
func (r *ImportMode) ownerOf(ctx context.Context, configMap client.Object) []reconcile.Request {
	if configMap.GetName() != ConfigMapName {
		return nil
	}
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(HostedClusterKind.GroupVersion().WithKind(HostedClusterKind.Kind + "List"))
	if err := r.Client.List(ctx, list); err != nil {
		return nil // the cache answers, and each HostedCluster comes by itself when it is filled
	}
	var requests []reconcile.Request
	for _, hc := range list.Items {
		if key := client.ObjectKeyFromObject(&hc); ConfigMapOf(key) == client.ObjectKeyFromObject(configMap) {
			requests = append(requests, reconcile.Request{NamespacedName: key})
		}
	}
	return requests
}

// Reconcile fetches the facts, decides, and writes the decision if the configuration
// would change.
func (r *ImportMode) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	hc := NewHostedCluster()
	if err := r.Client.Get(ctx, req.NamespacedName, hc); err != nil {
		r.forget(req.NamespacedName)
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	configMap, err := operator.Lookup(ctx, r.Client, ConfigMapOf(req.NamespacedName), &corev1.ConfigMap{})
	if err != nil || configMap == nil {
		return reconcile.Result{}, err // not rendered yet; its creation is an event
	}
	rendered, err := parseConfig(configMap.Data[ConfigKey])
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("configmaps[%s].data[%s]: %w", ConfigMapName, ConfigKey, err)
	}
	text, err := rendered.mode()
	if err != nil {
		return reconcile.Result{}, fmt.Errorf("configmaps[%s].data[%s]: %w", ConfigMapName, ConfigKey, err)
	}
	// A mode that is none counts as empty: the server refuses to start with it.
	current, unknown := importmode.Convert[configv1.ImportModeType](text)
	payloadArch, _, err := unstructured.NestedString(hc.Object, "status", "payloadArch")
	if err != nil {
		return reconcile.Result{}, err
	}
	// HyperShift copies spec.configuration.image to the spec of the hosted cluster's
	// image configuration (ReconcileImageConfig in openshift/hypershift,
	// support/globalconfig), so this is the one that administrators of both write.
	spec, _, err := unstructured.NestedString(hc.Object, "spec", "configuration", "image", "imageStreamImportMode")
	if err != nil {
		return reconcile.Result{}, err
	}
	var result reconcile.Result
	var version *configv1.ClusterVersion
	var gates *configv1.FeatureGate
	if payloadArch == "" {
		if version, gates, err = r.hosted(ctx, req.NamespacedName); err != nil {
			return reconcile.Result{}, fmt.Errorf("the hosted cluster's own API: %w", err)
		}
		if result.RequeueAfter = r.Poll; result.RequeueAfter == 0 {
			result.RequeueAfter = time.Minute
		}
	}

	payload := payloadarch.FromHosted(payloadArch, version, gates)
	decision := importmode.Decide(importmode.Input{
		Spec:    configv1.ImportModeType(spec),
		Payload: payload,
		Current: current,
	})
	if decision.StatusChanges {
		mode, err := importmode.Convert[openshiftcontrolplanev1.ImportModeType](decision.Mode)
		if err != nil {
			return reconcile.Result{}, err
		}
		if configMap.Data[ConfigKey], err = rendered.with(mode); err != nil {
			return reconcile.Result{}, err
		}
		if err := r.Client.Update(ctx, configMap); err != nil {
			return reconcile.Result{}, err
		}
		r.Events.Event(hc, corev1.EventTypeNormal, string(decision.Reason),
			fmt.Sprintf("the hosted openshift-apiserver rolls out: its import mode %q is now %q; the payload is %s (%s)",
				current, mode, payload.Kind, payload.Reason))
	}
	r.tell(hc, payload, decision, unknown)
	return result, nil
}

// hosted reads what the hosted cluster says about its payload; what is not there is
// nil.
func (r *ImportMode) hosted(ctx context.Context, key types.NamespacedName) (*configv1.ClusterVersion, *configv1.FeatureGate, error) {
	if r.Hosted == nil {
		return nil, nil, nil
	}
	reader, err := r.Hosted(ctx, key)
	if err != nil || reader == nil {
		return nil, nil, err
	}
	version, err := operator.Lookup(ctx, reader, client.ObjectKey{Name: "version"}, &configv1.ClusterVersion{})
	if err != nil {
		return nil, nil, err
	}
	gates, err := operator.Lookup(ctx, reader, client.ObjectKey{Name: "cluster"}, &configv1.FeatureGate{})
	return version, gates, err
}

// tell records what is wrong or odd, and nothing that it recorded the last time.
func (r *ImportMode) tell(hc *unstructured.Unstructured, payload payloadarch.Verdict, decision importmode.Decision, unknown error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := client.ObjectKeyFromObject(hc)
	var telling []string
	say := func(kind, reason, text string) {
		telling = append(telling, text)
		if !slices.Contains(r.told[key], text) {
			r.Events.Event(hc, kind, reason, text)
		}
	}
	for _, p := range payload.Problems {
		say(corev1.EventTypeWarning, string(payload.Reason), p.Error())
	}
	for _, p := range decision.Problems {
		say(corev1.EventTypeWarning, string(decision.Reason), "the image configuration of the hosted cluster: "+p.Error())
	}
	for _, f := range payload.Findings {
		say(corev1.EventTypeNormal, string(f.Code), f.String())
	}
	if unknown != nil {
		say(corev1.EventTypeNormal, string(importmode.FindingUnknownCurrent), "the configuration of the hosted openshift-apiserver: "+unknown.Error())
	}
	for _, f := range decision.Findings {
		say(corev1.EventTypeNormal, string(f.Code), f.String())
	}
	if r.told == nil {
		r.told = map[types.NamespacedName][]string{}
	}
	r.told[key] = telling
}

func (r *ImportMode) forget(key types.NamespacedName) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.told, key)
}
