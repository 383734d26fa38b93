package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/dictexpand"
	ssp "github.com/polyarch/polyarch/examples/ssp/controller"
	"github.com/polyarch/polyarch/payloadarch/nodearch"
)

// crons is which crons there are of a template: the architectures, and "as written"
// for one without.
func (c *virtCluster) crons(template string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var list cdiv1beta1.DataImportCronList
		err := c.w.client.List(ctx, &list, client.InNamespace(ssp.GoldenImages))
		var all []string
		for _, cron := range list.Items {
			switch arch := cron.Labels[dictexpand.LabelArchitecture]; {
			case cron.Name == template:
				all = append(all, "as written")
			case cron.Name == template+"-"+arch:
				all = append(all, arch)
			}
		}
		if len(all) == 0 {
			return "none", err
		}
		return strings.Join(all, ", "), err
	}
}

// uid tells one object from the next of its name.
func (c *virtCluster) uid(ctx context.Context, cron string) (any, error) {
	var got cdiv1beta1.DataImportCron
	err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: cron}, &got)
	return got.UID, err
}

// leads is where a DataSource leads that is a reference, and "an image" where it is
// none.
func (c *virtCluster) leads(name string) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		var ds cdiv1beta1.DataSource
		if err := c.w.client.Get(ctx, client.ObjectKey{Namespace: ssp.GoldenImages, Name: name}, &ds); err != nil {
			return nil, err
		}
		if ref := ds.Spec.Source.DataSource; ref != nil {
			return ref.Name, nil
		}
		return "an image", nil
	}
}

// outcomes asks what becomes of each template, and why, of what the operator reads.
func (c *virtCluster) outcomes(ctx context.Context) (any, error) {
	var list corev1.NodeList
	if err := c.w.client.List(ctx, &list); err != nil {
		return nil, err
	}
	nodes := nodearch.FromNodes(list.Items)
	workload := slices.Collect(nodes.Workload.All())
	expansion := dictexpand.Expand(c.templates, dictexpand.Options{
		MultiArch: c.multiArch, Namespace: ssp.GoldenImages,
		Architectures: append(slices.Collect(nodes.ControlPlane.All()), workload...), WorkloadArchitectures: workload,
	})
	var all []string
	for _, o := range expansion.Outcomes {
		all = append(all, o.Template+" "+string(o.Reason))
	}
	return strings.Join(all, ", "), nil
}

// condition is the status and the reason of the operator's condition.
func (c *virtCluster) condition(ctx context.Context) (any, error) {
	u := c.ssp()
	if err := c.w.client.Get(ctx, client.ObjectKeyFromObject(u), u); err != nil {
		return nil, err
	}
	all, _, err := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, condition := range all {
		if m, _ := condition.(map[string]any); m["type"] == ssp.ConditionType {
			return fmt.Sprint(m["status"], " ", m["reason"]), nil
		}
	}
	return "none", err
}

// told tells whether an event of that reason names the text.
func (c *virtCluster) told(reason, text string) func(context.Context) (any, error) {
	return c.w.recorded(func(e corev1.Event) bool { return e.Reason == reason && strings.Contains(e.Message, text) })
}

// schedules reads the schedule out of a stored cron.
func schedules(stored []byte) (string, error) {
	if len(stored) == 0 {
		return "deleted", nil
	}
	var cron cdiv1beta1.DataImportCron
	err := json.Unmarshal(stored, &cron)
	return cron.Spec.Schedule, err
}
