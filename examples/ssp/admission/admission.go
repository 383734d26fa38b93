// Package admission refuses the DataImportCrons that CDI's webhook refuses, with
// the answer that a client of a cluster with CDI gets.
//
// It is a model of what kubevirt/containerized-data-importer does in
// pkg/apiserver/webhooks as of August 2026: Admit and validateDataImportCronSpec
// in dataimportcron-validate.go, validateDataVolumeSpec and validateStorageSize in
// datavolume-validate.go, validateDataVolumeSourceRegistry in
// populators-validate.go. What it leaves out: whether the claim of a PVC source
// exists, and claims that something other than CDI populates.
package admission

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/admission"
	webhookerrors "k8s.io/apiserver/pkg/admission/plugin/webhook/errors"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"
)

// Webhook is the name by which CDI's refusals begin.
const Webhook = "dataimportcron-validate.cdi.kubevirt.io"

// DataImportCrons is an admission plugin. It has no side effects, so it judges a
// dry run like any other write.
type DataImportCrons struct{ *admission.Handler }

var _ admission.ValidationInterface = &DataImportCrons{}

// New returns the plugin.
func New() *DataImportCrons {
	return &DataImportCrons{admission.NewHandler(admission.Create, admission.Update)}
}

// Validate judges a write to a DataImportCron, and lets all others pass.
func (p *DataImportCrons) Validate(_ context.Context, a admission.Attributes, _ admission.ObjectInterfaces) error {
	if a.GetResource().GroupResource() != (schema.GroupResource{Group: cdiv1beta1.SchemeGroupVersion.Group, Resource: "dataimportcrons"}) || a.GetSubresource() != "" {
		return nil
	}
	cron, err := toCron(a.GetObject())
	if err != nil {
		return err
	}
	var old *cdiv1beta1.DataImportCron
	if a.GetOperation() == admission.Update {
		if old, err = toCron(a.GetOldObject()); err != nil {
			return err
		}
	}
	if cause := Refuse(cron, old); cause != nil {
		return denied(cause)
	}
	return nil
}

// Refuse returns the first thing that CDI refuses of a cron that is created, or,
// where there is an old one, updated. CDI names one at a time.
func Refuse(cron, old *cdiv1beta1.DataImportCron) *field.Error {
	if err := tooLong(field.NewPath("metadata", "name"), cron.Name); err != nil {
		return err
	}
	spec := field.NewPath("spec")
	if old == nil {
		return refuseSpec(&cron.Spec, spec)
	}
	if !equality.Semantic.DeepEqual(cron.Spec, old.Spec) {
		return field.Forbidden(spec, "the spec of a DataImportCron cannot be changed")
	}
	return nil
}

// denied is what the API server makes of a webhook's refusal: CDI answers with a
// code and a message, and without a reason.
func denied(cause *field.Error) error {
	return webhookerrors.ToStatusErr(Webhook, &metav1.Status{
		Code:    http.StatusUnprocessableEntity,
		Message: cause.Field + ": " + cause.Detail,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{
			{Type: metav1.CauseType(cause.Type), Field: cause.Field, Message: cause.Detail},
		}},
	})
}

// toCron converts what the handler of custom resources has.
func toCron(o runtime.Object) (*cdiv1beta1.DataImportCron, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a DataImportCron of type %T", o)
	}
	cron := new(cdiv1beta1.DataImportCron)
	return cron, runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, cron)
}
