package manifestlisttest

import (
	"fmt"

	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/polyarch/polyarch/conformance"
)

// ruleOf is the rule of a policy.
func ruleOf(policy string) string {
	return map[string]string{
		Strict: "strict-is-exact", OpenShiftLegacy: "openshift-legacy-falls-back",
		Containerd: "containerd-ranks", ContainersImage: "containers-image-ranks",
	}[policy]
}

// choose calls the implementation. Whatever the reason, an error is -1.
func choose(i Impl, policy string, index ocispec.Index, wanted, host ocispec.Platform, want int) conformance.Outcome {
	got, err := i.chooser(policy)(index, wanted, host)
	if err != nil {
		got = -1
	}
	return conformance.Outcome{Input: selectInput{policy, index, wanted, host}, Want: max(want, -1), Got: got}
}

func hasChooser(policy string) func(Impl) bool {
	return func(i Impl) bool { return i.chooser(policy) != nil }
}

func selectRows() (all []row) {
	for _, c := range SelectCases() {
		var host ocispec.Platform
		if c.Host != "" {
			host = *Platform(c.Host)
		}
		all = append(all, each(c.Rules, c.Policy+": "+c.Name, hasChooser(c.Policy), func(i Impl, _ string) conformance.Outcome {
			return choose(i, c.Policy, Entries(c.Index), *Platform(c.Want), host, c.Position)
		})...)
	}
	for _, c := range Measured() {
		for _, p := range []struct {
			policy string
			want   int
		}{{Strict, c.Strict}, {OpenShiftLegacy, c.Legacy}, {Containerd, c.Containerd}, {ContainersImage, c.ContainersImage}} {
			name := fmt.Sprintf("measured: %s of %s", c.Want, c.Index)
			all = append(all, each(ruleOf(p.policy), name, hasChooser(p.policy), func(i Impl, _ string) conformance.Outcome {
				return choose(i, p.policy, Entries(c.Index), *Platform(c.Want), ocispec.Platform{}, p.want)
			})...)
		}
	}
	return all
}
