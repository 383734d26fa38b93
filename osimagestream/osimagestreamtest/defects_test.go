package osimagestreamtest_test

import (
	"cmp"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	imagev1 "github.com/openshift/api/image/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/polyarch/polyarch/osimagestream"
	"github.com/polyarch/polyarch/osimagestream/internal/ours"
	"github.com/polyarch/polyarch/osimagestream/osimagestreamtest"
)

type (
	impl    = osimagestreamtest.Impl
	sources = osimagestreamtest.Sources
	offer   = osimagestreamtest.Offer
	facts   = osimagestreamtest.PoolFacts
	images  = osimagestreamtest.PoolImages
	stream  = mcfgv1.OSImageStream
)

// A defect breaks our implementation in one way.
type defect struct {
	name  string
	rules string // where it is found, and nowhere else
	spoil func(*impl)
}

func TestDefects(t *testing.T) {
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			i := ours.Impl()
			d.spoil(&i)
			want := strings.Fields(d.rules)
			slices.Sort(want)
			if got := failing(t, i); !slices.Equal(got, want) {
				t.Errorf("found at %s, want at %s", strings.Join(got, " "), d.rules)
			}
		})
	}
}

// planned has the reconcile step send another plan.
func planned(plan func(osimagestream.Cluster) osimagestream.Singleton) func(*impl) {
	return func(i *impl) {
		i.Reconcile = func(c osimagestreamtest.Cluster) error { return ours.Reconcile(c, plan) }
	}
}

var errNo = errors.New("no")

// hasLeft reports whether the stored object names a stream that the release lacks.
func hasLeft(streams []mcfgv1.OSImageStreamSet, stored *mcfgv1.OSImageStream) bool {
	if stored == nil {
		return false
	}
	named := cmp.Or(stored.Spec.DefaultStream, stored.Status.DefaultStream)
	return named != "" && !slices.ContainsFunc(streams, func(s mcfgv1.OSImageStreamSet) bool { return s.Name == named })
}

func defects() []defect {
	right := ours.Impl()
	return []defect{
		{"OKD: a stream that has left is an error, and the status is never refreshed",
			"broken-off-plan-is-finished empty-spec-is-filled history-ends okd-advances spec-and-annotations-follow status-follows-the-release", func(i *impl) {
				i.Default = func(o offer) (string, error) {
					if !o.Partial && hasLeft(o.Streams, o.Stored) {
						return "", errNo
					}
					return right.Default(o)
				}
				planned(func(c osimagestream.Cluster) osimagestream.Singleton {
					if hasLeft(c.Discovery.Streams, c.Stored) && c.Flavor == osimagestream.OKD {
						return osimagestream.Singleton{}
					}
					return osimagestream.Plan(c)
				})(i)
			}},
		{"an empty spec gives the status an empty default", "empty-spec-is-filled history-ends history-writes-are-taken", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
			p := osimagestream.Plan(c)
			if c.Stored != nil && c.Stored.Spec.DefaultStream == "" && p.Stream != "" {
				status := mcfgv1.OSImageStreamStatus{AvailableStreams: c.Discovery.Streams}
				p.Steps = []osimagestream.Step{{Verb: osimagestream.VerbUpdateStatus, Object: &mcfgv1.OSImageStream{Status: status}}}
			}
			return p
		})},
		{"tags named after CentOS and SCOS are not looked at", "tag-of-okd-by-its-name", func(i *impl) {
			known := regexp.MustCompile(`^(rhel|stream)`)
			i.Candidate = func(tag imagev1.TagReference) bool {
				return right.Candidate(tag) && (known.MatchString(tag.Name) || len(tag.Annotations) > 0)
			}
			i.Images = func(s sources) []string { return right.Images(kept(s, i.Candidate)) }
			i.Discover = func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
				return right.Discover(kept(s, func(tag imagev1.TagReference) bool {
					return known.MatchString(tag.Name) || len(tag.Annotations) > 0
				}))
			}
		}},
		{"the last of several images for one role wins", "smallest-tag-wins", func(i *impl) {
			i.Discover = func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
				last := map[string]string{}
				half := func(tag imagev1.TagReference) string {
					l := s.Labels[tag.From.Name]
					return l[osimagestream.LabelStream] + " " + string(right.Role(l))
				}
				if s.Payload == nil || s.Labels == nil {
					return right.Discover(s)
				}
				for _, tag := range s.Payload.Spec.Tags {
					if right.Candidate(tag) {
						last[half(tag)] = tag.From.Name
					}
				}
				return right.Discover(kept(s, func(tag imagev1.TagReference) bool {
					_, inspected := s.Labels[tag.From.Name]
					return !inspected || !right.Candidate(tag) || last[half(tag)] == tag.From.Name
				}))
			}
		}},
		{"a pool that names a retired stream cannot be edited", "untouched-stream-is-valid", func(i *impl) {
			i.ValidatePool = func(pool, _ *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error {
				return right.ValidatePool(pool, nil, stored)
			}
		}},
		{"without an OSImageStream no pool can be written", "pool-without-a-stream untouched-stream-is-valid", func(i *impl) {
			i.ValidatePool = func(pool, old *mcfgv1.MachineConfigPool, stored *mcfgv1.OSImageStream) error {
				if stored == nil {
					return errNo
				}
				return right.ValidatePool(pool, old, stored)
			}
		}},
		{"an image that could not be inspected counts as one that has left",
			"history-annotates-last history-waits-until-seen nothing-counts-until-seen uninspected-is-incomplete unseen-writes-nothing", func(i *impl) {
				i.Discover = func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
					streams, complete, err := right.Discover(s)
					return streams, complete || s.Payload != nil && err == nil, err
				}
				i.Reconcile = func(c osimagestreamtest.Cluster) error {
					read := false
					payload := c.Payload
					c.Payload = func() (*imagev1.ImageStream, error) {
						p, err := payload()
						read = err == nil
						return p, err
					}
					return ours.Reconcile(c, func(c osimagestream.Cluster) osimagestream.Singleton {
						c.Discovery.Complete = read
						return osimagestream.Plan(c)
					})
				}
			}},
		{"a payload that could not be read counts as one without OS images", "unread-payload-is-incomplete", func(i *impl) {
			i.Discover = func(s sources) ([]mcfgv1.OSImageStreamSet, bool, error) {
				if s.Payload == nil {
					s.Payload = osimagestreamtest.Payload()
				}
				return right.Discover(s)
			}
		}},
		{"streams are taken for those of the release before all was seen", "nothing-counts-until-seen", func(i *impl) {
			i.Default = func(o offer) (string, error) { o.Partial = false; return right.Default(o) }
			i.Single = func(o offer) (mcfgv1.OSImageStreamSet, error) { o.Partial = false; return right.Single(o) }
		}},
		{"the object is annotated when it is created, before it has a status",
			"created-then-published history-annotates-last", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
				p := osimagestream.Plan(c)
				if len(p.Steps) == 3 && p.Steps[0].Verb == osimagestream.VerbCreate {
					p.Steps[0].Object.Annotations = p.Steps[2].Object.Annotations
				}
				return p
			})},
		{"the annotations are written before the status",
			"created-then-published history-annotates-last spec-and-annotations-follow", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
				p := osimagestream.Plan(c)
				last := len(p.Steps) - 1
				if c.Stored == nil || last < 1 || len(p.Steps[last].Object.Annotations) == 0 {
					return p
				}
				first := osimagestream.Step{Verb: osimagestream.VerbUpdate, Object: &mcfgv1.OSImageStream{Spec: c.Stored.Spec}}
				if first.Object.Spec.DefaultStream == "" {
					first.Object.Spec = p.Steps[0].Object.Spec
				}
				first.Object.Annotations = p.Steps[last].Object.Annotations
				p.Steps = append([]osimagestream.Step{first}, p.Steps...)
				return p
			})},
		{"spec is written before the status offers the stream",
			"empty-spec-is-filled history-ends history-writes-are-taken spec-and-annotations-follow status-follows-the-release", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
				p := osimagestream.Plan(c)
				if last := len(p.Steps) - 1; c.Stored != nil && last >= 0 && p.Stream != "" && p.Stream != c.Stored.Spec.DefaultStream {
					first := &mcfgv1.OSImageStream{Spec: mcfgv1.OSImageStreamSpec{DefaultStream: p.Stream}}
					p.Steps = append([]osimagestream.Step{{Verb: osimagestream.VerbUpdate, Object: first}}, p.Steps...)
				}
				return p
			})},
		{"streams that have left stay in the status",
			"empty-spec-is-filled history-annotates-last history-ends history-of-one-release okd-offers-no-other retired-default-stays spec-and-annotations-follow status-follows-the-release", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
				p := osimagestream.Plan(c)
				for _, step := range p.Steps {
					if step.Verb != osimagestream.VerbUpdateStatus || c.Stored == nil {
						continue
					}
					for _, s := range c.Stored.Status.AvailableStreams {
						if !slices.ContainsFunc(step.Object.Status.AvailableStreams, named(s.Name)) {
							step.Object.Status.AvailableStreams = append(step.Object.Status.AvailableStreams, s)
						}
					}
				}
				return p
			})},
		{"what is annotated counts as done",
			"broken-off-plan-is-finished empty-spec-is-filled history-ends hundred-streams okd-offers-no-other retired-default-stays spec-and-annotations-follow status-follows-the-release", planned(func(c osimagestream.Cluster) osimagestream.Singleton {
				p := osimagestream.Plan(c)
				if c.Stored != nil && c.Release.Version != "" && c.Stored.Annotations[osimagestream.AnnotationReleaseVersion] == c.Release.Version {
					p.Steps = nil
				}
				return p
			})},
		{"an install version of another form is guessed", "built-in-default-is-unknown install-version-is-not-guessed", func(i *impl) {
			i.BuiltInDefault = func(f osimagestreamtest.Flavor, version string) string {
				return right.BuiltInDefault(f, guessed(version))
			}
			i.Default = func(o offer) (string, error) {
				o.InstallVersion = guessed(o.InstallVersion)
				return right.Default(o)
			}
		}},
		{"the last osImageURL by name wins, whatever its role", "image-beside-a-named-stream last-config-wins", func(i *impl) {
			i.PoolImages = func(f facts) (images, error) {
				f.Configs = lastByName(f)
				return right.PoolImages(f)
			}
		}},
		{"an empty selector selects every machine config", "config-not-selected", func(i *impl) {
			i.PoolImages = func(f facts) (images, error) {
				if f.Pool != nil && f.Pool.Spec.MachineConfigSelector != nil && len(f.Pool.Spec.MachineConfigSelector.MatchExpressions) == 0 {
					f.Pool = f.Pool.DeepCopy()
					f.Pool.Spec.MachineConfigSelector.MatchExpressions = []metav1.LabelSelectorRequirement{
						{Key: osimagestream.LabelRole, Operator: metav1.LabelSelectorOpExists}}
				}
				return right.PoolImages(f)
			}
		}},
		{"a pool without images because there is no OSImageStream is degraded",
			"image-over-the-default no-images-is-no-problem singleton-missing singleton-without-status", func(i *impl) {
				i.PoolImages = func(f facts) (images, error) {
					if f.Stored == nil || len(f.Stored.Status.AvailableStreams) == 0 {
						return images{}, errNo
					}
					return right.PoolImages(f)
				}
			}},
		{"a stream that is not offered gives way to the default", "problem-means-no-images stream-not-offered", func(i *impl) {
			i.PoolImages = func(f facts) (images, error) {
				if f.Pool == nil || f.Stored == nil {
					return right.PoolImages(f)
				}
				f.Pool = f.Pool.DeepCopy()
				if s := &f.Pool.Spec.OSImageStream; s.Name != "" && !slices.ContainsFunc(f.Stored.Status.AvailableStreams, named(s.Name)) {
					s.Name = f.Stored.Status.DefaultStream
				}
				return right.PoolImages(f)
			}
		}},
	}
}

// kept returns the sources with some of their tags.
func kept(s sources, keep func(imagev1.TagReference) bool) sources {
	if s.Payload != nil {
		s.Payload = s.Payload.DeepCopy()
		s.Payload.Spec.Tags = slices.DeleteFunc(s.Payload.Spec.Tags, func(tag imagev1.TagReference) bool { return !keep(tag) })
	}
	return s
}

// guessed reads a version by its first number.
func guessed(version string) string {
	digits := strings.TrimLeft(version, "0")
	if strings.HasPrefix(digits, "4") && (len(digits) == 1 || digits[1] == '.') {
		return "4.1.0"
	}
	return version
}

// lastByName leaves the one machine config that comes last by name.
func lastByName(f facts) []*mcfgv1.MachineConfig {
	if f.Pool == nil {
		return f.Configs
	}
	selector, err := metav1.LabelSelectorAsSelector(f.Pool.Spec.MachineConfigSelector)
	if err != nil {
		return f.Configs
	}
	var last *mcfgv1.MachineConfig
	for _, c := range f.Configs {
		_, generated := c.Annotations[osimagestream.AnnotationGenerated]
		if !generated && c.Spec.OSImageURL != "" && selector.Matches(labels.Set(c.Labels)) && (last == nil || c.Name > last.Name) {
			last = c
		}
	}
	if last == nil {
		return nil
	}
	return []*mcfgv1.MachineConfig{last}
}

// docs/conformance.md has the same defects and rules, and says the same of upstream.
func TestDefectsAreDocumented(t *testing.T) {
	_ = os.Getenv("POLYARCH_TEXTS") // on this depends the cached result, on files of another module it does not
	src, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([^|]+) \| osimagestream \| ([^|]+) \|$`).FindAllStringSubmatch(string(src), -1) {
		documented[m[1]] = m[2]
	}
	delete(documented, "`osimagestream`")
	for _, d := range defects() {
		ids := strings.Fields(d.rules)
		slices.Sort(ids)
		want := "`" + strings.Join(ids, "`, `") + "`"
		if got, ok := documented[d.name]; !ok || got != want {
			t.Errorf("want the row\n| %s | osimagestream | %s |\ngot %q", d.name, want, got)
		}
		delete(documented, d.name)
	}
	for name := range documented {
		t.Errorf("docs/conformance.md has the defect %q, which is not tested", name)
	}

	_, section, _ := strings.Cut(string(src), "\n### osimagestream\n")
	section, _, _ = strings.Cut(section, "\n#")
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| (`[a-z0-9-]+`(?:, `[a-z0-9-]+`)*) \\|").FindAllStringSubmatch(section, -1) {
		listed = append(listed, strings.Split(strings.ReplaceAll(m[1], "`", ""), ", ")...)
	}
	slices.Sort(listed)
	all := failing(t, upstream())
	for _, m := range regexp.MustCompile("`([a-z0-9-]+)`").FindAllStringSubmatch(section, -1) {
		if !slices.Contains(all, m[1]) {
			t.Errorf("docs/conformance.md names %s, at which upstream does not fail", m[1])
		}
	}
	if want := judged(t, upstream(), upstreamRules); !slices.Equal(listed, want) {
		t.Errorf("docs/conformance.md says that upstream fails at %q, want %q", listed, want)
	}
}
