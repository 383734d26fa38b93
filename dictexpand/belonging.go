package dictexpand

import (
	"slices"
	"strings"

	cdiv1beta1 "kubevirt.io/containerized-data-importer-api/pkg/apis/core/v1beta1"

	"github.com/polyarch/polyarch/internal/arch"
)

// blockedTemplate returns the blocked template that the cron may have been made
// of, going by its name and, should the template have lost its name, by the
// DataSource it manages.
func (p *planner) blockedTemplate(live *cdiv1beta1.DataImportCron) (string, bool) {
	for _, name := range []string{live.Name, p.base(live.Labels[ArchitectureLabel], live.Name)} {
		if out := p.names[name]; out != nil && out.Blocked {
			return name, true
		}
	}
	for _, name := range []string{live.Spec.ManagedDataSource, p.base(live.Labels[ArchitectureLabel], live.Spec.ManagedDataSource)} {
		if t, ok := p.blocked[name]; ok {
			return t, true
		}
	}
	return "", false
}

// whyUnwanted returns why the cron should not exist any more.
func (p *planner) whyUnwanted(live *cdiv1beta1.DataImportCron) Reason {
	if slices.Contains(p.o.OwnImages, managed(live)) {
		return ReasonAutoUpdateOff
	}
	if p.names[live.Name] != nil {
		return ReasonMultiArchSwitched
	}
	out := p.names[p.base(live.Labels[ArchitectureLabel], live.Name)]
	if out == nil {
		return ReasonTemplateRemoved
	}
	switch out.Reason {
	case ReasonMultiArchOff, ReasonNoAnnotation, ReasonDefaultArchitecture:
		return ReasonMultiArchSwitched
	}
	return ReasonArchitectureRemoved
}

// base returns the name without the architecture it ends in. The label of the
// cron tells the architecture, but somebody may have removed it.
func (p *planner) base(label, name string) string {
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return name
	}
	if a := name[i+1:]; a == label || arch.InPayload(a) ||
		slices.Contains(p.o.Architectures, a) || slices.Contains(p.o.Supported, a) {
		return name[:i]
	}
	return name
}
