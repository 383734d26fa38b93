package osimagestreamtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// chosen is what Default gives, and what Single gives.
type chosen struct {
	Stream  string
	Set     mcfgv1.OSImageStreamSet // of Single
	Refused bool
}

func defaultOf(i Impl, o Offer, want chosen, rule string) outcome {
	name, err := i.Default(o)
	got := chosen{Stream: name, Refused: err != nil}
	if rule == "nothing-counts-until-seen" { // it may be an error
		want.Refused, got.Refused = false, false
	}
	return outcome{Input: o, Want: want, Got: got}
}

func singleOf(i Impl, o Offer, want chosen, rule string) outcome {
	named := slices.DeleteFunc(slices.Clone(o.Streams), func(s mcfgv1.OSImageStreamSet) bool { return s.Name != want.Stream })
	if len(named) > 0 {
		want.Set = slices.MinFunc(named, func(a, b mcfgv1.OSImageStreamSet) int {
			return cmp.Or(cmp.Compare(a.OSImage, b.OSImage), cmp.Compare(a.OSExtensionsImage, b.OSExtensionsImage))
		})
	}
	set, err := i.Single(o)
	got := chosen{set.Name, set, err != nil}
	if rule == "nothing-counts-until-seen" {
		want.Refused, got.Refused = false, false
	}
	return outcome{Input: o, Want: want, Got: got}
}

// VersionOrder are names of streams, in the order of their versions.
func VersionOrder() []string {
	return []string{"stream", "centos-9", "rhel-9.6", "rhel-9.10", "scos-10", "centos-10.0", "centos-010.1", "centos-11",
		"centos-99999999999999999999", "centos-100000000000000000000"}
}

func defaultRows() (rows []row) {
	for _, c := range SingleCases() {
		rows = append(rows, each(c.Rules, "single: "+c.Name, hasSingle, func(i Impl, rule string) outcome {
			return singleOf(i, c.Offer, chosen{Stream: c.Want, Refused: len(c.Problems) > 0}, rule)
		})...)
	}
	names := VersionOrder()
	for n, lower := range names[:len(names)-1] {
		higher := names[n+1]
		rows = append(rows, each("versions-compare-by-numbers", fmt.Sprintf("%s before %s", lower, higher), hasSingle, func(i Impl, rule string) outcome {
			return singleOf(i, Offer{Flavor: OKD, Streams: Sets(higher, lower)}, chosen{Stream: higher}, rule)
		})...)
	}
	for _, c := range DefaultCases() {
		rows = append(rows, each(c.Rules, c.Name, hasDefault, func(i Impl, rule string) outcome {
			return defaultOf(i, c.Offer, chosen{Stream: c.Want, Refused: len(c.Problems) > 0}, rule)
		})...)
	}
	return rows
}

func versionRows() (rows []row) {
	for _, c := range VersionCases() {
		rows = append(rows, each(c.Rules, c.Name, hasInstallVersion, func(i Impl, _ string) outcome {
			return outcome{Input: c.ClusterVersion(), Want: c.Want, Got: i.InstallVersion(c.ClusterVersion())}
		})...)
	}
	rows = append(rows, each("no-version-is-known", "no ClusterVersion", hasInstallVersion, func(i Impl, _ string) outcome {
		return outcome{Want: "", Got: i.InstallVersion(nil)}
	})...)
	for _, c := range BuiltInCases() {
		rows = append(rows, each(c.Rules, c.Name, hasBuiltIn, func(i Impl, _ string) outcome {
			in := struct {
				Flavor         Flavor
				InstallVersion string
			}{c.Flavor, c.Version}
			return outcome{Input: in, Want: c.Want, Got: i.BuiltInDefault(c.Flavor, c.Version)}
		})...)
	}
	return rows
}

// reconciled is what became of the object.
type reconciled struct {
	Spec                string
	Status              mcfgv1.OSImageStreamStatus
	Annotations, Labels map[string]string
	// Wrote says that something was written where nothing is wanted.
	Wrote bool
	// Refused are the writes that the CRD did not take.
	Refused []string
	// Early says that the object was annotated before it had the status. Rules on
	// annotations look at it.
	Early bool
}

func stateOf(o *mcfgv1.OSImageStream) reconciled {
	if o == nil {
		return reconciled{}
	}
	r := reconciled{Spec: o.Spec.DefaultStream, Status: o.Status, Annotations: annotations(o), Labels: maps.Clone(o.Labels)}
	r.Status.AvailableStreams = byName(r.Status.AvailableStreams)
	if len(r.Status.AvailableStreams) == 0 {
		r.Status.AvailableStreams = nil
	}
	return r
}

// runs is how often a reconcile step may run before nothing more is to be written.
const runs = 8

// settle runs the reconcile step until it writes nothing more.
func settle(i Impl, c Cluster) (quiet bool) {
	for range runs {
		n := len(c.Server.Writes)
		_ = i.Reconcile(c) // it is run again in any case
		if len(c.Server.Writes) == n {
			return true
		}
	}
	return false
}

// clusterOf is a cluster whose release has the streams of the offer. Where not all can
// be seen, one more image is there that cannot be inspected.
func clusterOf(o Offer, version, image string) Cluster {
	w := worldOf(o.Streams)
	if o.Partial {
		unseen := Set("unseen")
		if o.Stored != nil {
			for _, s := range o.Stored.Status.AvailableStreams {
				if !offers(o.Streams, s.Name) {
					unseen = s
				}
			}
		}
		w.Tags = append(w.Tags, Tag("stream-coreos", string(unseen.OSImage)), Tag("stream-coreos-extensions", string(unseen.OSExtensionsImage)))
		w.Labels[string(unseen.OSExtensionsImage)] = ExtensionsLabels(unseen.Name)
	}
	return Cluster{
		Flavor: o.Flavor, InstallVersion: o.InstallVersion, Version: version, Image: image,
		Payload: func() (*imagev1.ImageStream, error) { return Payload(w.Tags...), nil },
		Inspect: func(pullSpec string) (map[string]string, error) {
			labels, ok := w.Labels[pullSpec]
			if !ok {
				return nil, fmt.Errorf("%s cannot be inspected", pullSpec)
			}
			return maps.Clone(labels), nil
		},
		Server: NewServer(o.Stored),
	}
}

// reconcile compares what the reconcile step leaves.
func reconcile(i Impl, o Offer, version, image string, want reconciled, writes bool, rule string) outcome {
	c := clusterOf(o, version, image)
	settle(i.started(), c)
	got := stateOf(c.Server.Stored())
	for _, w := range c.Server.Writes {
		if w.Refused != "" {
			got.Refused = append(got.Refused, w.Verb+": "+w.Refused)
		}
		annotated := w.Stored != nil && version != "" && w.Stored.Annotations[annotationVersion] == version
		before := o.Stored != nil && o.Stored.Annotations[annotationVersion] == version
		if annotated && !before && !sameState(stateOf(w.Stored).Status, got.Status) {
			got.Early = rule == "created-then-published" || rule == "spec-and-annotations-follow"
		}
	}
	got.Wrote = !writes && len(c.Server.Writes) > 0
	return outcome{Input: o, Want: want, Got: got}
}

func sameState(a, b mcfgv1.OSImageStreamStatus) bool {
	return a.DefaultStream == b.DefaultStream && slices.Equal(a.AvailableStreams, b.AvailableStreams)
}

func planRows() (rows []row) {
	for _, c := range PlanCases() {
		rows = append(rows, each(c.Rules, "reconcile: "+c.Name, hasReconcile, func(i Impl, rule string) outcome {
			want := stateOf(c.Offer.Stored)
			want.Spec, want.Status = c.Spec, c.Status
			want.Status.AvailableStreams = byName(want.Status.AvailableStreams)
			if len(want.Status.AvailableStreams) == 0 {
				want.Status.AvailableStreams = nil
			}
			if len(c.Steps) > 0 && len(c.Problems) == 0 {
				want.Annotations = annotated(want.Annotations, ReleaseVersion, ReleaseImage)
			}
			return reconcile(i, c.Offer, ReleaseVersion, ReleaseImage, want, len(c.Steps) > 0, rule)
		})...)
	}
	for _, r := range []struct{ name, version, image string }{
		{"nothing is known", "", ""}, {"the version", "x", ""}, {"the image", "", "y"},
	} {
		rows = append(rows, each("known-annotation-is-written", r.name, hasReconcile, func(i Impl, rule string) outcome {
			want := stateOf(Stored("centos-10", "centos-10", Set("centos-10")))
			want.Annotations = annotated(nil, r.version, r.image)
			return reconcile(i, Offer{Flavor: OKD, Streams: Sets("centos-10")}, r.version, r.image, want, true, rule)
		})...)
	}
	return rows
}

// annotated adds what is known of the release.
func annotated(others map[string]string, version, image string) map[string]string {
	all := maps.Clone(others)
	for key, value := range map[string]string{annotationVersion: version, annotationImage: image} {
		if value == "" {
			continue
		}
		if all == nil {
			all = map[string]string{}
		}
		all[key] = value
	}
	return all
}
