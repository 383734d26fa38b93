package buildplantest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/opencontainers/go-digest"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/internal/documented"
	"github.com/polyarch/polyarch/manifestlist/buildplan"
	"github.com/polyarch/polyarch/manifestlist/buildplan/buildplantest"
	"github.com/polyarch/polyarch/manifestlist/buildplan/internal/ours"
)

func TestMain(m *testing.M) {
	flag.Parse()
	// Properties fail on purpose here: the same way each time, and no file is to keep how.
	for name, value := range map[string]string{"rapid.seed": "1", "rapid.checks": "20", "rapid.nofailfile": "true", "rapid.shrinktime": "50ms"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// A defect is a mistake that was met, put into package buildplan.
type defect struct {
	name  string
	rules []string // that find it, sorted
	impl  func() buildplantest.Impl
}

// asked is package buildplan, asked with other facts.
func asked(change func(*buildplantest.Facts)) func() buildplantest.Impl {
	return func() buildplantest.Impl {
		i := ours.Impl()
		i.Reconcile = nil // which has a plan of its own
		plan := i.Plan
		i.Plan = func(f buildplantest.Facts) (buildplantest.Plan, error) {
			f.Config, f.Rendered = f.Config.DeepCopy(), f.Rendered.DeepCopy()
			change(&f)
			return plan(f)
		}
		return i
	}
}

func defects() []defect { return append(planDefects(), reconcileDefects()...) }

// planDefects are those of a plan and of what is published.
func planDefects() []defect {
	return []defect{
		{"a containerfile for one architecture is ignored, only NoArch is read", []string{"containerfile-of-a-known-architecture", "key-covers-nothing-else", "key-covers-what-is-built", "missing-containerfile-is-told", "own-containerfile-first", "unused-containerfile-is-told"},
			asked(func(f *buildplantest.Facts) {
				f.Config.Spec.Containerfile = slices.DeleteFunc(f.Config.Spec.Containerfile, func(c mcfgv1.MachineOSContainerfile) bool {
					return c.ContainerfileArch != "" && c.ContainerfileArch != mcfgv1.NoArch
				})
			})},
		{"the build's name hashes the whole MachineOSConfig as ordered text", []string{"key-covers-nothing-else", "order-does-not-count"}, asked(hashSpec)},
		{"a pool name of 100 characters makes an invalid tag", []string{"names-fit"}, longTags},
		{"a job is known by the name of its build, not by its UID", []string{"job-belongs-to-its-build"}, asked(knownByName)},
		{"a lost record publishes less than required", []string{"records-are-those-of-the-name"}, publishesWhatIsLeft},
		{"a registry that denies reading is built for without end", []string{"lost-images-are-not-built-for-ever"}, asked(func(f *buildplantest.Facts) {
			if len(f.Gone) > 0 {
				f.Attempts = 1000
			}
		})},
		{"a build is created that exists, since its attempt was edited", []string{"name-is-created-once"}, asked(func(f *buildplantest.Facts) {
			f.Builds = slices.DeleteFunc(slices.Clone(f.Builds), func(b *mcfgv1.MachineOSBuild) bool {
				n, err := strconv.Atoi(b.Annotations[buildplan.AnnotationAttempt])
				return err != nil || n < 0
			})
		})},
		{"a push spec without a form by digest is built for", []string{"push-spec-has-a-form-by-digest"}, asked(func(f *buildplantest.Facts) {
			spec := string(f.Config.Spec.RenderedImagePushSpec)
			if _, err := buildplan.PullSpec(f.Config.Spec.RenderedImagePushSpec, buildplantest.Digest("x")); err != nil {
				f.Config.Spec.RenderedImagePushSpec = mcfgv1.ImageTagFormat("quay.io/os:" + hashOf(spec))
			}
		})},
		{"the build repository is not looked at", []string{"build-repository-is-one"}, asked(func(f *buildplantest.Facts) { f.BuildRepository = "" })},
		{"an architecture named publish shares the job that publishes", []string{"architecture-can-name-a-job"}, asked(func(f *buildplantest.Facts) {
			if slices.Contains(f.Architectures, "publish") {
				f.Base = map[string]buildplantest.BaseImages{"publish1": f.Base["publish"]}
				f.Architectures = []string{"publish1"}
			}
		})},
		{"one job builds for the architecture of the node that it lands on", []string{"jobs-run-on-their-architecture"}, planned(func(p *buildplantest.Plan) {
			for n := range p.Images {
				p.Images[n].NodeSelector = nil
			}
		})},
		{"parallel jobs push one tag, and the last one wins", []string{"a-tag-for-each-job"}, planned(func(p *buildplantest.Plan) {
			for n := range p.Images {
				p.Images[n].PushSpec = p.Images[0].PushSpec
			}
		})},
		{"the order of the images changes the digest", []string{"several-images-are-an-index"}, publishesInOrder},
		{"two MachineOSConfigs of equal inputs get one build name", []string{"build-is-named-after-its-inputs"}, asked(func(f *buildplantest.Facts) { f.Config.Name = "any" })},
	}
}

func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])[:20]
}

// hashSpec has the name of the config, which the name of a build covers, stand for
// the whole spec.
func hashSpec(f *buildplantest.Facts) {
	spec, err := json.Marshal(f.Config.Spec)
	if err != nil {
		panic(err)
	}
	f.Config.Name = "worker-" + hashOf(f.Config.Name+string(spec))
}

// planned is package buildplan with other plans.
func planned(change func(*buildplantest.Plan)) func() buildplantest.Impl {
	return func() buildplantest.Impl {
		i := ours.Impl()
		i.Reconcile = nil
		plan := i.Plan
		i.Plan = func(f buildplantest.Facts) (buildplantest.Plan, error) {
			p, err := plan(f)
			change(&p)
			return p, err
		}
		return i
	}
}

// publishesInOrder writes an index with white space at its end for another order.
func publishesInOrder() buildplantest.Impl {
	i := ours.Impl()
	i.Reconcile = nil
	publish := i.Publish
	i.Publish = func(build *mcfgv1.MachineOSBuild, made map[string]buildplantest.Manifest, given []buildplantest.Manifest) ([]byte, error) {
		b, err := publish(build, made, given)
		if err == nil && len(given) > 1 && string(given[0].Manifest) != string(made["amd64"].Manifest) {
			b = append(b, '\n')
		}
		return b, err
	}
	return i
}

func longTags() buildplantest.Impl {
	i := ours.Impl()
	i.Reconcile = nil
	plan := i.Plan
	i.Plan = func(f buildplantest.Facts) (buildplantest.Plan, error) {
		p, err := plan(f)
		if pool := f.Config.Spec.MachineConfigPool.Name; err == nil && len(pool) >= 100 {
			for n := range p.Images {
				image := &p.Images[n]
				image.PushSpec += "-" + pool
			}
		}
		return p, err
	}
	return i
}

func knownByName(f *buildplantest.Facts) {
	f.Jobs = slices.Clone(f.Jobs)
	for n, j := range f.Jobs {
		j.Object = j.Object.DeepCopy()
		for _, b := range f.Builds {
			if strings.HasPrefix(j.Object.Name, b.Name+"-") {
				owner := buildplan.Build{Name: b.Name}.MachineOSBuild()
				owner.UID = b.UID
				j.Object.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(owner, mcfgv1.GroupVersion.WithKind("MachineOSBuild"))}
			}
		}
		f.Jobs[n] = j
	}
}

// publishesWhatIsLeft publishes the images whose records are left where the records
// are not those of the name.
func publishesWhatIsLeft() buildplantest.Impl {
	i := ours.Impl()
	i.Reconcile = nil
	publish := i.Publish
	i.Publish = func(build *mcfgv1.MachineOSBuild, made map[string]buildplantest.Manifest, given []buildplantest.Manifest) ([]byte, error) {
		b, err := publish(build, made, given)
		if err == nil || len(made) != 2 || len(given) != 1 {
			return b, err
		}
		for a, m := range made {
			if digest.FromBytes(m.Manifest) == digest.FromBytes(given[0].Manifest) {
				continue
			}
			if _, required := build.Annotations[buildplan.AnnotationKey+a]; !required {
				return json.Marshal(ocispec.Index{MediaType: ocispec.MediaTypeImageIndex})
			}
		}
		return b, err
	}
	return i
}

func judgeAll(t *testing.T, i buildplantest.Impl) conformance.Report {
	t.Helper()
	return conformance.Judge(t, buildplantest.Suite(), func(testing.TB) buildplantest.Impl { return i }, conformance.Options{RuleSet: "v1"})
}

func judge(t *testing.T, newImpl func() buildplantest.Impl) (broken []string, texts string) {
	t.Helper()
	report := conformance.Judge(t, buildplantest.Suite(), func(testing.TB) buildplantest.Impl { return newImpl() }, conformance.Options{RuleSet: "v1"})
	for _, r := range report.Rules {
		if r.State == conformance.StateFail {
			broken = append(broken, r.Rule.ID)
			texts += r.Failures[0] + "\n"
		}
	}
	slices.Sort(broken)
	return broken, texts
}

func TestDefects(t *testing.T) {
	if broken, texts := judge(t, ours.Impl); broken != nil {
		t.Errorf("package buildplan breaks %v\n%s", broken, texts)
	}
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			if broken, texts := judge(t, d.impl); !slices.Equal(broken, d.rules) {
				t.Errorf("%s: found by %q, want %q\n%s", d.name, broken, d.rules, texts)
			}
		})
	}
}

// How many writes a step makes is its own affair.
func TestSeveralWritesInOneStep(t *testing.T) {
	broken, texts := judge(t, func() buildplantest.Impl {
		one := ours.OurParts().Reconcile
		return buildplantest.Impl{Reconcile: func(c *buildplantest.Cluster) error {
			for range 3 {
				if err := one(c); err != nil {
					return err
				}
			}
			return nil
		}}
	})
	if broken != nil {
		t.Errorf("breaks %v\n%s", broken, texts)
	}
}

// docs/conformance.md has the same defects and rules, no more and no fewer.
func TestDefectsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []documented.Defect
	for _, d := range defects() {
		found = append(found, documented.Defect{Name: d.name, Rules: d.rules})
	}
	documented.Defects(t, string(text), "buildplan", found)
}
