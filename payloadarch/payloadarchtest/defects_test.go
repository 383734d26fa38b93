package payloadarchtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/conformance"
	"github.com/polyarch/polyarch/internal/documented"
	"github.com/polyarch/polyarch/payloadarch/internal/ours"
	"github.com/polyarch/polyarch/payloadarch/payloadarchtest"
)

type (
	impl     = payloadarchtest.Impl
	kind     = payloadarchtest.Kind
	platform = payloadarchtest.Platform
)

const (
	unknown    = payloadarchtest.KindUnknown
	single     = payloadarchtest.KindSingle
	installing = payloadarchtest.KindInstalling
	multi      = payloadarchtest.KindMulti
)

// A defect is an answer that somebody gave, upstream or here, and that was wrong.
type defect struct {
	name  string
	rules []string // every rule that it breaks
	spoil func(*impl)
}

// defects are the rows of docs/conformance.md.
func defects() []defect {
	right := ours.Impl()
	return []defect{
		{"ClusterVersion's \"multi\" passes for Multi", []string{"unrecognized-architecture"}, func(i *impl) {
			i.ClusterVersion = func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				if cv != nil && cv.Status.Desired.Architecture == "multi" {
					return multi, nil
				}
				return right.ClusterVersion(cv, gates)
			}
		}},
		{"the metadata's \"Multi\" passes for multi", []string{"metadata-other-string"}, func(i *impl) {
			i.ReleaseMetadata = func(data []byte) (kind, error) {
				return right.ReleaseMetadata(bytes.ReplaceAll(data, []byte(`"Multi"`), []byte(`"multi"`)))
			}
			i.ReleaseArchitecture = func(value any, present bool) (kind, error) {
				if value == "Multi" {
					value = "multi"
				}
				return right.ReleaseArchitecture(value, present)
			}
		}},
		{"\"multi\" is reported in place of Multi", []string{"multi-is-reported"}, func(i *impl) {
			i.Reported = func(k kind) configv1.ClusterVersionArchitecture {
				return configv1.ClusterVersionArchitecture(strings.ToLower(string(right.Reported(k))))
			}
		}},
		{"another value in the metadata passes for single", []string{"metadata-no-string", "metadata-other-string"}, func(i *impl) {
			i.ReleaseArchitecture = func(value any, present bool) (kind, error) {
				k, err := right.ReleaseArchitecture(value, present)
				return orSingle(k), err
			}
			i.ReleaseMetadata = func(data []byte) (kind, error) {
				k, err := right.ReleaseMetadata(data)
				if _, trouble := payloadarchtest.OracleMetadata(data); trouble == "" && bytes.Count(data, []byte(`architecture":`)) < 2 {
					k = orSingle(k)
				}
				return k, err
			}
		}},
		{"an empty architecture passes for single at once", []string{"gate-disabled", "gate-not-observed", "gate-version-unknown", "updating-is-unknown"}, func(i *impl) {
			i.ClusterVersion = func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				k, err := right.ClusterVersion(cv, gates)
				if cv != nil && named(cv) && err == nil {
					k = orSingle(k)
				}
				return k, err
			}
		}},
		{"a version without an entry passes for one with the gate", []string{"gate-version-unknown"}, func(i *impl) {
			i.ClusterVersion = func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				if cv != nil && gates != nil && !slices.ContainsFunc(gates.Status.FeatureGates, func(e configv1.FeatureGateDetails) bool { return e.Version == cv.Status.Desired.Version }) {
					gates.Status.FeatureGates = append(gates.Status.FeatureGates, payloadarchtest.Enabled(cv.Status.Desired.Version))
				}
				return right.ClusterVersion(cv, gates)
			}
		}},
		{"descriptors are counted", []string{"index-repeated-architecture"}, func(i *impl) {
			i.Index = func(entries []*platform) kind {
				n := 0
				for _, e := range entries {
					if right.Index([]*platform{e, {OS: "linux", Architecture: "amd64"}}) == multi || right.Index([]*platform{e, {OS: "linux", Architecture: "arm64"}}) == multi {
						n++
					}
				}
				return map[bool]kind{true: multi, false: single}[n > 1]
			}
		}},
		{"an attestation counts as an image", []string{"index-attestation"}, func(i *impl) {
			i.Index = onEntries(right, func(e *platform) *platform {
				if *e == (platform{OS: "unknown", Architecture: "unknown"}) {
					return &platform{OS: "linux", Architecture: "s390x"}
				}
				return e
			})
		}},
		{"an entry without a platform panics", []string{"index-no-platform"}, func(i *impl) {
			i.Index = func(entries []*platform) kind {
				for _, e := range entries {
					_ = e.OS
				}
				return right.Index(entries)
			}
		}},
		{"the operating system is ignored", []string{"index-other-system"}, func(i *impl) {
			i.Index = onEntries(right, func(e *platform) *platform { return &platform{OS: "linux", Architecture: e.Architecture} })
		}},
		{"other spellings are not known", []string{"index-other-spelling"}, func(i *impl) {
			i.Index = onEntries(right, func(e *platform) *platform {
				if !slices.Contains([]string{"amd64", "arm64", "ppc64le", "s390x"}, e.Architecture) {
					return &platform{OS: "linux", Architecture: "none"}
				}
				return e
			})
		}},
		{"the same version with another image passes for a migration", []string{"same-kind-is-no-change"}, func(i *impl) {
			i.Transition = func(previous, current kind, h []configv1.UpdateHistory) (payloadarchtest.Change, bool) {
				if previous == single && current == single && len(h) > 1 && h[0].Version == h[1].Version && h[0].Image != h[1].Image {
					return payloadarchtest.SingleToMulti, false
				}
				return right.Transition(previous, current, h)
			}
		}},
		{"a migration is complete too early", []string{"change-in-progress"}, func(i *impl) {
			i.Transition = func(previous, current kind, h []configv1.UpdateHistory) (payloadarchtest.Change, bool) {
				c, _ := right.Transition(previous, current, h)
				return c, false
			}
		}},
		{"a migration to what there is passes silently", []string{"edit-already-multi"}, func(i *impl) {
			i.AlreadyMulti = func(_, _ *configv1.Update, _ kind) bool { return false }
		}},
		{"an installation is unknown until it is complete", []string{"installing-is-single"}, func(i *impl) {
			i.ClusterVersion = func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				k, err := right.ClusterVersion(cv, gates)
				if k == installing {
					k = unknown
				}
				return k, err
			}
		}},
		{"a ClusterVersion made anew passes for the way back", []string{"store-kind", "unknown-is-no-change"}, func(i *impl) {
			i.Transition = func(previous, current kind, h []configv1.UpdateHistory) (payloadarchtest.Change, bool) {
				return right.Transition(previous, settled(current), h)
			}
			i.StoreKind = func(previous, current kind, h []configv1.UpdateHistory) bool {
				return right.StoreKind(previous, settled(current), h)
			}
		}},
		{"Unknown is stored", []string{"store-kind"}, func(i *impl) {
			i.StoreKind = func(previous, current kind, h []configv1.UpdateHistory) bool {
				return right.StoreKind(previous, current, h) || current == unknown && previous != unknown
			}
		}},
		{"a FeatureGate that is not there yet passes for one that enables", []string{"gate-not-observed"}, func(i *impl) {
			i.ClusterVersion = func(cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				if gates == nil && cv != nil {
					return right.ClusterVersionWithoutGates(cv)
				}
				return right.ClusterVersion(cv, gates)
			}
		}},
		{"null in the parsed metadata passes for no key", []string{"metadata-no-string", "metadata-value-as-document"}, func(i *impl) {
			i.ReleaseArchitecture = func(value any, present bool) (kind, error) {
				return right.ReleaseArchitecture(value, value != nil && present)
			}
		}},
		{"the last of two keys wins", []string{"metadata-key-twice", "metadata-key-twice-named"}, func(i *impl) {
			i.ReleaseMetadata = func(data []byte) (kind, error) {
				if _, err := right.ReleaseMetadata(data); err == nil || !strings.Contains(err.Error(), "and then") {
					return right.ReleaseMetadata(data)
				}
				var doc struct{ Metadata map[string]any }
				if err := json.Unmarshal(data, &doc); err != nil {
					return "", err
				}
				value, present := doc.Metadata["release.openshift.io/architecture"]
				return right.ReleaseArchitecture(value, present)
			}
		}},
		{"a problem repeats half a megabyte", []string{"texts-cut"}, func(i *impl) {
			i.ReleaseArchitecture = func(value any, present bool) (kind, error) {
				k, err := right.ReleaseArchitecture(value, present)
				return k, whole(err, value)
			}
		}},
		{"a repeated key names one value", []string{"metadata-key-twice-named"}, func(i *impl) {
			i.ReleaseMetadata = func(data []byte) (kind, error) {
				k, err := right.ReleaseMetadata(data)
				if err != nil && strings.Contains(err.Error(), "and then") {
					err = errors.New("the key is there twice")
				}
				return k, err
			}
		}},
		{"the hosted ClusterVersion wins", []string{"hosted-cluster-wins"}, func(i *impl) {
			i.Hosted = func(payloadArch string, cv *configv1.ClusterVersion, gates *configv1.FeatureGate) (kind, error) {
				if k, err := right.ClusterVersion(cv, gates); err == nil && k != unknown {
					return k, nil
				}
				return right.Hosted(payloadArch, cv, gates)
			}
		}},
	}
}

func orSingle(k kind) kind {
	if k == unknown || k == "" {
		return single
	}
	return k
}

func settled(k kind) kind {
	if k == installing {
		return single
	}
	return k
}

func named(cv *configv1.ClusterVersion) bool {
	return cv.Status.Desired.Version != "" || cv.Status.Desired.Image != ""
}

func whole(err error, value any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %v", err, value)
}

func onEntries(right impl, change func(*platform) *platform) func([]*platform) kind {
	return func(entries []*platform) kind {
		changed := slices.Clone(entries)
		for n, e := range entries {
			if e != nil {
				changed[n] = change(e)
			}
		}
		return right.Index(changed)
	}
}

func failing(r payloadarchtest.Report) (ids []string) {
	for _, rule := range r.Rules {
		if rule.State == conformance.StateFail {
			ids = append(ids, rule.Rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

func TestDefectsFailAtTheirRules(t *testing.T) {
	for _, d := range defects() {
		t.Run(d.name, func(t *testing.T) {
			report := conformance.Judge(t, payloadarchtest.Suite(), func(testing.TB) impl {
				i := ours.Impl()
				d.spoil(&i)
				return i
			}, payloadarchtest.Options{RuleSet: "v1"})
			if got := failing(report); !slices.Equal(got, d.rules) {
				t.Errorf("fails at %q, want %q", got, d.rules)
				for _, r := range report.Rules {
					if r.State == conformance.StateFail && !slices.Contains(d.rules, r.Rule.ID) {
						t.Logf("%.1500s", r.Failures[0])
					}
				}
			}
		})
	}
}

func TestOursFailsNowhere(t *testing.T) {
	report := conformance.Judge(t, payloadarchtest.Suite(), func(testing.TB) impl { return ours.Impl() }, payloadarchtest.Options{RuleSet: "v1"})
	if got := failing(report); len(got) > 0 {
		t.Errorf("fails at %q", got)
	}
}

// docs/conformance.md has a row for each defect, and no other rows for the package.
func TestDefectsAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []documented.Defect
	for _, d := range defects() {
		found = append(found, documented.Defect{Name: d.name, Rules: d.rules})
	}
	documented.Defects(t, string(text), "payloadarch", found)
}
