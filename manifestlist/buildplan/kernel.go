package buildplan

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/polyarch/polyarch/internal/arch"
	"github.com/polyarch/polyarch/internal/quote"
)

// The kernel types of a MachineConfig. Empty means default.
const (
	kernelDefault  = "default"
	kernelRealtime = "realtime"
	kernel64kPages = "64k-pages"
)

// kernelFor returns the kernel type to install on one architecture. What the
// kernel runs on decides, never what the controller runs on. A type that the
// architecture does not have is a problem and not another kernel: nodes of the
// pool would otherwise have a kernel that nobody asked for.
func kernelFor(kernelType, goarch, rendered string) (string, *field.Error) {
	path := func() *field.Path { return field.NewPath("machineconfigs").Key(rendered).Child("spec", "kernelType") }
	switch kernelType {
	case "", kernelDefault:
		return kernelDefault, nil
	case kernelRealtime:
		return kernelRealtime, nil
	case kernel64kPages:
		if goarch == arch.ARM64 {
			return kernel64kPages, nil
		}
		return kernelDefault, field.Invalid(path(), kernelType,
			"the pool has nodes of architecture "+quote.Cut(goarch)+", and only arm64 has this kernel; give the arm64 nodes a pool of their own")
	}
	return kernelDefault, field.NotSupported(path(), quote.Cut(kernelType), []string{kernelDefault, kernelRealtime, kernel64kPages})
}
