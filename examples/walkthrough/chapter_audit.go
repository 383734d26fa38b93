package main

import (
	"context"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// An auditChapter is the story of an administrator who asks before each change, and looks
// after it.
type auditChapter struct {
	*importsChapter
	foretold *report.WhatIf
}

// audits tells the parts of the chapter in their order.
func audits(ctx context.Context, w *world) error {
	return withImports(ctx, w, func(imports *importsChapter) {
		c := &auditChapter{importsChapter: imports}
		c.auditBefore(ctx)
		c.suppose(ctx)
		c.auditAfter(ctx)
		c.staysSingle(ctx)
		c.mend(ctx)
	})
}

// The decisions of the audit that the migration changes.
var (
	payloadKind = decided("payload", "kind")
	clusterMode = decided("importmode", "mode of the cluster")
	stayLegacy  = decided("imagestreams", "tags that stay Legacy although nodes are of several architectures")
)

// staysLegacy is the code of what the migration leaves behind, and legacyTags where.
const staysLegacy = "imagestreams.StaysLegacy"

var legacyTags = []string{
	"imagestreams[demo/ancient] spec.tags[latest].importPolicy.importMode",
	"imagestreams[demo/app] spec.tags[before].importPolicy.importMode",
}

// auditBefore looks at the cluster as it is.
func (c *auditChapter) auditBefore(ctx context.Context) {
	c.w.step("Before the migration: the audit of a cluster with a single payload", func(s *step) error {
		c.expectHops(ctx, s, allHops, settled(single420, configv1.ImportModeLegacy),
			because(payloadarch.ReasonSettled, importmode.ReasonSinglePayload, importmode.ReasonObserved))
		if err := c.w.apply(ctx, s, c.stream("app", "before", "v1"), "before Legacy (ClusterMode)"); err != nil {
			return err
		}
		for _, tag := range []string{"app:before", "ancient:latest"} {
			s.eventually(ctx, tag, c.holds(tag), "an image for amd64; runs on amd64")
		}
		s.eventually(ctx, "kind of the payload", c.audited(payloadKind), "Single (Settled)")
		s.eventually(ctx, "oc adm upgrade --to-multi-arch", c.audited(decided("payload", "oc adm upgrade --to-multi-arch")), "Migration")
		s.eventually(ctx, "mode of the cluster", c.audited(clusterMode), "Legacy (SinglePayload)")
		s.eventually(ctx, "hops of the mode", c.audited(way), []string{
			"override empty AsExpected", "cluster's mode Legacy AsExpected", "observed configuration Legacy AsExpected",
			"openshift-apiserver empty Unknown", // its configuration is a file here, not a ConfigMap
		})
		s.eventually(ctx, "tags that stay Legacy", c.audited(entries(staysLegacy)), []string{})
		r, err := c.audit(ctx)
		if err != nil {
			return err
		}
		return s.says(r, "kind: ", "oc adm upgrade --to-multi-arch: ", "mode of the cluster: ", "-> ", "tags: ")
	})
}

// suppose asks what the migration would do, before anybody migrates.
func (c *auditChapter) suppose(ctx context.Context) {
	c.w.step("What if it had the multi payload, and a node for arm64?", func(s *step) error {
		before := c.w.mustStored(ctx, s, imageKey)
		r, err := c.audit(ctx, "payload=multi", "node-arch=+arm64")
		if err != nil {
			return err
		}
		c.foretold = r.WhatIf
		s.expect("kind of the payload would be", c.after("payload", "kind"), "Multi (Reported)")
		s.expect("mode of the cluster would be", c.after("importmode", "mode of the cluster"), "PreserveOriginal (MultiPayload)")
		s.expect("what would roll out", r.WhatIf.Rollouts, []string{"openshift-apiserver"})
		s.expect("tags that would stay Legacy", places(r.WhatIf.Appears, staysLegacy), legacyTags)
		s.expect("the report on the cluster as it is: kind of the payload", payloadKind(r), "Single (Settled)")
		s.expect("image configuration in storage is byte for byte what it was", c.w.mustStored(ctx, s, imageKey) == before, true)
		return s.says(r, "payload before: kind: ", "payload after:  kind: ", "importmode after:  mode of the cluster: ",
			"writes that follow:", "rolls out: ", "growth ", "The change of the payload ")
	})
}

// after is how a decision was foretold.
func (c *auditChapter) after(section, name string) string {
	if c.foretold == nil {
		return "nothing foretold"
	}
	for _, d := range c.foretold.Differences {
		if d.Section == section && d.After.Name == name {
			return answered(d.After)
		}
	}
	return "as it is"
}
