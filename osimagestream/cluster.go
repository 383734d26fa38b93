package osimagestream

import (
	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Cluster holds the facts from which Single, Default and Advance decide.
type Cluster struct {
	Flavor Flavor
	// Streams is what the release offers: Discovery.Streams.
	Streams []mcfgv1.OSImageStreamSet
	// Existing is the singleton as it is stored, nil if there is none.
	Existing *mcfgv1.OSImageStream
	// InstallVersion is the version that the cluster was installed with; see
	// InstallVersion. Only OCP's built-in default needs it.
	InstallVersion string
	// Release is what Advance annotates the singleton with.
	Release Release
}

// requested returns the stream that the stored object asks for, and where it does.
func (c Cluster) requested() (name string, why Reason, path *field.Path) {
	if c.Existing == nil {
		return "", "", nil
	}
	if name = c.Existing.Spec.DefaultStream; name != "" {
		return name, ReasonSpec, specPath()
	}
	if name = c.Existing.Status.DefaultStream; name != "" {
		return name, ReasonStatus, statusPath()
	}
	return "", "", nil
}

// InstallVersion returns the version that a cluster was installed with, and the
// field of ClusterVersion that says so: the oldest completed entry of the history,
// or, while the installation runs, the desired version. Both are empty if nothing
// is known yet.
func InstallVersion(cv *configv1.ClusterVersion) (version, path string) {
	if cv == nil {
		return "", ""
	}
	var oldest *configv1.UpdateHistory
	for i := range cv.Status.History {
		entry := &cv.Status.History[i]
		if entry.State != configv1.CompletedUpdate || entry.CompletionTime == nil {
			continue
		}
		// The history is newest first, so of two equal times the later is older.
		if oldest == nil || !oldest.CompletionTime.Before(entry.CompletionTime) {
			oldest = entry
		}
	}
	if oldest != nil {
		return oldest.Version, "status.history"
	}
	if v := cv.Status.Desired.Version; v != "" {
		return v, "status.desired.version"
	}
	return "", ""
}

func specPath() *field.Path {
	return field.NewPath("osimagestream").Key(Name).Child("spec", "defaultStream")
}

func statusPath() *field.Path {
	return field.NewPath("osimagestream").Key(Name).Child("status", "defaultStream")
}

func availablePath() *field.Path {
	return field.NewPath("osimagestream").Key(Name).Child("status", "availableStreams")
}
