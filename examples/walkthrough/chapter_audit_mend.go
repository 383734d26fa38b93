package main

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// auditAfter migrates, and holds the audit against what it foretold.
func (c *auditChapter) auditAfter(ctx context.Context) {
	c.w.step("Migrated: the audit says of the cluster what it had foretold", func(s *step) error {
		if err := c.migrate(ctx); err != nil {
			return err
		}
		s.eventually(ctx, "architecture reported", c.architecture, configv1.ClusterVersionArchitectureMulti)
		if err := c.startCVO(ctx, multi420); err != nil {
			return err
		}
		if err := c.addNode(ctx, "arm64"); err != nil {
			return err
		}
		c.expectHops(ctx, s, allHops, settled(multi420, configv1.ImportModePreserveOriginal),
			because(payloadarch.ReasonReported, importmode.ReasonMultiPayload, importmode.ReasonObserved))
		s.eventually(ctx, "kind of the payload, as foretold", c.audited(payloadKind), c.after("payload", "kind"))
		s.eventually(ctx, "mode of the cluster, as foretold", c.audited(clusterMode), c.after("importmode", "mode of the cluster"))
		s.eventually(ctx, "hops of the mode", c.audited(way), []string{
			"override empty AsExpected", "cluster's mode PreserveOriginal AsExpected",
			"observed configuration PreserveOriginal AsExpected", "openshift-apiserver empty Unknown",
		})
		r, err := c.audit(ctx)
		if err != nil {
			return err
		}
		return s.says(r, "kind: ", "oc adm upgrade --to-multi-arch: ", "mode of the cluster: ", "-> ")
	})
}

// staysSingle looks at what the migration has left behind.
func (c *auditChapter) staysSingle(ctx context.Context) {
	c.w.step("The audit finds the tags that stayed single; a new tag is whole", func(s *step) error {
		if err := c.addTag(ctx, "app", c.tag("app", "after", "v1")); err != nil {
			return err
		}
		s.eventually(ctx, "app:after", c.holds("app:after"), "a list for amd64, arm64, ppc64le; runs on amd64, arm64")
		s.eventually(ctx, "tags that stay Legacy", c.audited(entries(staysLegacy)), legacyTags)
		s.eventually(ctx, "which the report counts as", c.audited(stayLegacy), "2")
		s.eventually(ctx, "exit status with --fail-on=risk", c.audited(status), report.ExitFound)
		r, err := c.audit(ctx)
		if err != nil {
			return err
		}
		return s.says(r, "risk "+staysLegacy)
	})
}

// mend applies the patches of the audit as they are.
func (c *auditChapter) mend(ctx context.Context) {
	c.w.step("Its patches are applied: the tags are imported whole, and the audit is clean of them", func(s *step) error {
		r, err := c.audit(ctx)
		if err != nil {
			return err
		}
		applied := 0
		for _, section := range r.Sections {
			for _, e := range section.Entries {
				if e.Code != staysLegacy {
					continue
				}
				for _, p := range e.Patches {
					if err := c.w.patch(ctx, p); err != nil {
						return err
					}
					s.note("%s %s/%s: %s", p.Resource, p.Namespace, p.Name, p.Does)
					applied++
				}
			}
		}
		s.expect("patches applied", applied, len(legacyTags))
		for _, tag := range []string{"ancient:latest", "app:before", "app:after"} {
			s.eventually(ctx, tag, c.holds(tag), "a list for amd64, arm64, ppc64le; runs on amd64, arm64")
		}
		s.eventually(ctx, "tags that stay Legacy", c.audited(entries(staysLegacy)), []string{})
		s.eventually(ctx, "tags whose image does not run on some nodes", c.audited(entries("imagestreams.NotForNodes")), []string{})
		s.eventually(ctx, "exit status with --fail-on=risk", c.audited(status), report.ExitClean)
		if r, err = c.audit(ctx); err != nil {
			return err
		}
		return s.says(r, "0 broken", "tags that stay Legacy although ")
	})
}

// patch applies a patch of the audit, as oc patch does.
func (w *world) patch(ctx context.Context, p report.Patch) error {
	kind := types.JSONPatchType
	if p.Type == "merge" {
		kind = types.MergePatchType
	}
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(p.APIVersion)
	o.SetKind(p.Kind)
	o.SetNamespace(p.Namespace)
	o.SetName(p.Name)
	return w.client.Patch(ctx, o, client.RawPatch(kind, p.Body))
}
