package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	imagev1 "github.com/openshift/api/image/v1"

	audit "github.com/polyarch/polyarch/examples/audit/command"
	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/section"
	"github.com/polyarch/polyarch/examples/audit/source"
)

// auditAgrees is the invariant that the audit counts what is stored.
const auditAgrees = "the audit agrees with what is stored"

// audit makes the report of the command audit.
func (s *soak) audit(ctx context.Context) (*report.Report, error) {
	from, err := source.NewCluster(s.config)
	if err != nil {
		return nil, err
	}
	return audit.Audit(ctx, audit.Options{From: from, Now: time.Now(), Streams: section.DefaultStreamOptions})
}

// auditAlways audits while everything else goes on. Only a server that ends in the
// middle is a reason not to get a report.
func (s *soak) auditAlways(ctx context.Context, random *rand.Rand) {
	for ; ctx.Err() == nil; pause(ctx, s.between(random)) {
		began := time.Now()
		_, err := s.audit(ctx)
		if ctx.Err() != nil {
			return
		}
		ended := time.Now()
		s.meter.add("audit", ended.Sub(began), err)
		if err != nil && s.server.runs.served(began, ended) {
			s.violate(violation{"an audit gives a report", "audit", "error", "none", err.Error()})
		}
	}
}

// checkAudit audits what is at rest.
func (s *soak) checkAudit(ctx context.Context, stored map[string]*stream) error {
	r, err := s.audit(ctx)
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	s.violate(compareAudit(r, stored)...)
	return nil
}

// compareAudit holds the report against the store: its count of streams and tags, and
// that of the tags which stay Legacy though there are nodes of two architectures.
func compareAudit(r *report.Report, stored map[string]*stream) (wrong []violation) {
	tags, stay := 0, 0
	for _, is := range stored {
		for _, t := range is.tags {
			tags++
			if t.mode != imagev1.ImportModePreserveOriginal {
				stay++
			}
		}
	}
	want := map[string]string{
		"tags": fmt.Sprintf("%d in %d image streams", tags, len(stored)),
		"tags that stay Legacy although nodes are of several architectures": fmt.Sprint(stay),
	}
	got := map[string]string{}
	for _, section := range r.Sections {
		for _, d := range section.Decisions {
			if section.Name == "imagestreams" {
				got[d.Name] = d.Answer
			}
		}
	}
	for _, name := range []string{"tags", "tags that stay Legacy although nodes are of several architectures"} {
		if got[name] != want[name] {
			wrong = append(wrong, violation{auditAgrees, "imagestreams", name, want[name], got[name]})
		}
	}
	return wrong
}
