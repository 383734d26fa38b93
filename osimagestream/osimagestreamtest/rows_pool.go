package osimagestreamtest

import (
	"slices"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
)

// resolved is what rules look at of the images of a pool.
type resolved struct {
	Images  PoolImages
	Refused bool
}

// asked leaves what the rule is about.
func (r resolved) asked(rule string) resolved {
	if r.Refused && rule != "problem-means-no-images" {
		r.Images = PoolImages{} // what stands beside the error
	}
	if rule == "pool-without-a-default" {
		r.Refused = false // another rule says that it is no problem
	}
	if rule != "pool-status-names-the-stream" {
		r.Images.StatusStream = ""
	}
	return r
}

func poolImages(i Impl, f PoolFacts, want resolved, rule string) outcome {
	images, err := i.PoolImages(f)
	got := resolved{images, err != nil}
	return outcome{Input: f, Want: want.asked(rule), Got: got.asked(rule)}
}

// imagesOf are those of a stream, or none.
func imagesOf(s mcfgv1.OSImageStreamSet) PoolImages {
	return PoolImages{string(s.OSImage), string(s.OSExtensionsImage), s.Name}
}

func poolRows() (rows []row) {
	for _, c := range PoolCases() {
		rows = append(rows, each(c.Rules, c.Name, hasPoolImages, func(i Impl, rule string) outcome {
			return poolImages(i, c.Pool, resolved{imagesOf(c.Images), len(c.Problems) > 0}, rule)
		})...)
	}
	for _, c := range OverrideCases() {
		rows = append(rows, each(c.Rules, "image of a user: "+c.Name, hasPoolImages, func(i Impl, rule string) outcome {
			f := c.Pool
			f.Configs = slices.Clone(c.Configs)
			out := poolImages(i, f, resolved{PoolImages{OSImage: c.Want, StatusStream: c.Stream}, len(c.Problems) > 0}, rule)
			got := out.Got.(resolved)
			if c.Want != "" {
				got.Images.OSExtensionsImage = "" // that of the stream, as other rows have it
			}
			out.Got = got
			return out
		})...)
	}
	return rows
}

func editRows() (rows []row) {
	for _, c := range EditCases() {
		rows = append(rows, each(c.Rules, c.Name, hasValidatePool, func(i Impl, _ string) outcome {
			return edit(i, editInput{c.Pool, c.Old, c.Stored}, len(c.Problems) > 0)
		})...)
	}
	return rows
}

type editInput struct {
	Pool, Old *mcfgv1.MachineConfigPool
	Stored    *mcfgv1.OSImageStream
}

// edit compares only whether the write is refused.
func edit(i Impl, in editInput, refused bool) outcome {
	return outcome{Input: in, Want: refused, Got: i.ValidatePool(in.Pool, in.Old, in.Stored) != nil}
}

func keepRows() (rows []row) {
	for _, c := range KeepCases() {
		rows = append(rows, each(c.Rules, c.Name, hasKeep, func(i Impl, _ string) outcome {
			return outcome{Input: c.Platform, Want: c.Manage, Got: i.Keep(c.Platform)}
		})...)
	}
	return rows
}
