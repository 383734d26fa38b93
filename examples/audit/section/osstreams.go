package section

import (
	"strings"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/examples/audit/report"
	"github.com/polyarch/polyarch/examples/audit/source"
	"github.com/polyarch/polyarch/osimagestream"
)

var _ = report.Register(
	report.Code{Code: "osstreams.PoolProblem", Level: report.Broken,
		Impact: "The pool gets no images, and is degraded.", Remedy: "Let the pool name a stream that is offered, or take the osImageURL out of the machine config."},
	report.Code{Code: "osstreams.SingletonMissing", Level: report.Risk,
		Impact: "The pool keeps what it runs.", Remedy: "Look at the machine config operator, which makes the OSImageStream."},
	report.Code{Code: "osstreams.NotReconciled", Level: report.Risk,
		Impact: "The pool keeps what it runs.", Remedy: "Look at the machine config operator, which writes its status."},
	report.Code{Code: "osstreams.OtherRelease", Level: report.Note,
		Impact: "The pool keeps what it runs.", Remedy: "Wait until the machine config operator has taken up the release."},
	report.Code{Code: "osstreams.WorkerMissing", Level: report.Note,
		Impact: "The custom pool takes the default.", Remedy: "Nothing has to be done, unless the source lacks the pool."},
	report.Code{Code: "osstreams.OSImageURLOverride", Level: report.Note,
		Impact: "The pool runs an image that no update replaces.", Remedy: "Take osImageURL out of the machine config when it is no longer needed."},
	report.Code{Code: "osstreams.OSImageURLShadowed", Level: report.Note,
		Impact: "The image of this machine config is not used.", Remedy: "Take osImageURL out of it."},
	report.Code{Code: "osstreams.FlavorMismatch", Level: report.Note,
		Impact: "The feature set is that of the other product.", Remedy: "Nothing has to be done."},
)

// OSStreamsSection tells which streams are offered, and which images each pool gets.
func (f *Facts) OSStreamsSection() report.Section {
	s := f.begin("osstreams", "OS image streams", source.OSImageStreams, source.FeatureGates, source.Infrastructures, source.MachineConfigPools, source.MachineConfigs)
	version := ""
	if f.ClusterVersion != nil {
		version = f.ClusterVersion.Status.Desired.Version
	}
	management := osimagestream.Manage(osimagestream.Platform{Flavor: f.flavor(), FeatureGate: f.Gates, Version: version, Infrastructure: f.Infrastructure})
	answer := "no"
	if management.Manage {
		answer = "yes"
	}
	s.Decisions = append(s.Decisions, report.Decision{Name: "kept on " + f.flavor().String(), Answer: answer, Reason: string(management.Reason), Field: management.Field,
		Objects: []string{"featuregates[cluster]", "infrastructures[cluster]"}})
	for _, g := range management.Findings {
		s.Entries = append(s.Entries, report.New("osstreams."+string(g.Code), objectOf(g.Path), g.Path, g.Detail))
	}
	f.offered(&s)
	// Without the singleton, pools that name a stream are judged all the same.
	for _, pool := range f.Pools {
		if management.Manage || f.OSImageStream != nil || pool.Spec.OSImageStream.Name != "" {
			f.poolStream(&s, pool)
		}
	}
	return s
}

// flavor is that of the feature set, which OKD's clusters have, or of the version.
func (f *Facts) flavor() osimagestream.Flavor {
	if f.Gates != nil && f.Gates.Spec.FeatureSet == "OKD" ||
		f.ClusterVersion != nil && strings.Contains(f.ClusterVersion.Status.Desired.Version, "okd") {
		return osimagestream.OKD
	}
	return osimagestream.OCP
}

func (f *Facts) offered(s *report.Section) {
	o := f.OSImageStream
	if o == nil {
		return
	}
	s.Decisions = append(s.Decisions, report.Decision{Name: "default stream", Answer: o.Status.DefaultStream, Field: "status.defaultStream", Objects: []string{"osimagestreams[cluster]"}})
	t := report.Table{Name: "offered", Title: "streams that are offered", Columns: []string{"stream", "OS image", "extensions image"}}
	for _, set := range o.Status.AvailableStreams {
		t.Rows = append(t.Rows, []string{set.Name, string(set.OSImage), string(set.OSExtensionsImage)})
	}
	s.Tables = append(s.Tables, t)
}

func (f *Facts) poolStream(s *report.Section, pool *mcfgv1.MachineConfigPool) {
	facts := osimagestream.Pool{Pool: pool, Stored: f.OSImageStream, Configs: f.Configs}
	for _, p := range f.Pools {
		if p.Name == "worker" {
			facts.Worker = p
		}
	}
	r := osimagestream.ForPool(facts)
	object := "machineconfigpools[" + pool.Name + "]"
	answer := r.Stream
	switch {
	case r.Degraded != "":
		answer += ", degraded: " + string(r.Degraded)
	case r.OSImageURL == "":
		answer += ", keeps what it runs"
	default:
		answer += ", " + r.OSImageURL
	}
	s.Decisions = append(s.Decisions, report.Decision{Name: object + " stream", Answer: answer, Reason: string(r.Reason), Field: r.Field, Objects: []string{object, "osimagestreams[cluster]"}})
	for _, p := range r.Problems {
		s.Entries = append(s.Entries, report.New("osstreams.PoolProblem", object, p.Field, p.ErrorBody()))
	}
	for _, g := range r.Findings {
		s.Entries = append(s.Entries, report.New("osstreams."+string(g.Code), object, g.Path, g.Detail))
	}
}
