package buildplan

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestBaseImagesAndKernels(t *testing.T) {
	checkPlans(t, []planRow{
		{
			name: "13,26: no base image of an architecture: blocked",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64")
				delete(f.Base, "arm64")
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive publish:Hold/Inactive",
				[]field.ErrorType{field.ErrorTypeRequired, field.ErrorTypeRequired}, nil},
		},
		{
			name: "14: a base image by tag: blocked",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Base["amd64"] = BaseImages{OS: "quay.io/release/os:4.21", Extensions: f.Base["amd64"].Extensions}
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeInvalid}, nil},
		},
		{
			name: "15: 64k-pages: decided per architecture, refused for the others",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64", "arm64", "s390x")
				f.Rendered.Spec.KernelType = "64k-pages"
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive arm64:Hold/Inactive s390x:Hold/Inactive publish:Hold/Inactive",
				[]field.ErrorType{field.ErrorTypeInvalid, field.ErrorTypeInvalid}, nil},
		},
		{
			name: "16: an unknown kernel",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Rendered.Spec.KernelType = "micro"
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeNotSupported}, nil},
		},
		{
			name: "13: another kernel comes out of the extensions image",
			facts: func(*testing.T) Facts {
				f := factsFor("amd64")
				f.Rendered.Spec.Extensions, f.Rendered.Spec.KernelType = nil, "realtime"
				f.Base["amd64"] = BaseImages{OS: f.Base["amd64"].OS}
				return f
			},
			want: planned{NextBlocked, ReasonProblems, "amd64:Hold/Inactive publish:Hold/Inactive", []field.ErrorType{field.ErrorTypeRequired}, nil},
		},
	})
}
