package buildplan

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/payloadarch"
)

func TestArchitectures(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name:  "1,2: several architectures: a job each and an index",
			facts: func(*testing.T) Facts { return factsFor("amd64", "arm64") },
			want:  planned{NextCreate, ReasonNewInputs, twoJobs, nil, nil},
		},
		{
			name:  "2,58: one architecture on a multi payload: one job, no index",
			facts: func(*testing.T) Facts { return factsFor("arm64") },
			want:  planned{NextCreate, ReasonNewInputs, "arm64:Run/NoEarlierImage publish:Hold/InPlace", nil, nil},
		},
		{
			name: "3: several architectures need a multi payload",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				f.Payload = payloadarch.Single
				return f
			},
			want: planned{NextCreate, ReasonNewInputs, twoJobs, nil, []FindingCode{FindingPayloadNotMulti}},
		},
		{
			name:  "4: no architecture: idle",
			facts: func(*testing.T) Facts { return factsFor() },
			want:  planned{NextIdle, ReasonNoArchitectures, "publish:Hold/Inactive", nil, []FindingCode{FindingNoArchitectures}},
		},
		{
			name: "5: an architecture that is no GOARCH name",
			facts: func(*testing.T) Facts {
				f := factsFor("Not_An_Architecture")
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "Not_An_Architecture:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
	})
}
