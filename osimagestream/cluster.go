package osimagestream

import (
	configv1 "github.com/openshift/api/config/v1"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Cluster holds the facts from which Single, Default and Plan decide. The zero
// value is an OCP cluster of which nothing is known.
type Cluster struct {
	Flavor Flavor
	// Discovery is what the release offers, as Discover found it.
	Discovery Discovery
	// Stored is the OSImageStream as it is stored, nil if there is none.
	Stored *mcfgv1.OSImageStream
	// InstallVersion is the version that the cluster was installed with, as the
	// function InstallVersion finds it. Only OCP's built-in default needs it.
	InstallVersion string
	// Release is what Plan annotates the OSImageStream with.
	Release Release
}

// requested returns the stream that the stored object asks for, and where it does.
func (c Cluster) requested() (name string, why Reason, path *field.Path) {
	if c.Stored == nil {
		return "", "", nil
	}
	if name = c.Stored.Spec.DefaultStream; name != "" {
		return name, ReasonSpec, specPath()
	}
	if name = c.Stored.Status.DefaultStream; name != "" {
		return name, ReasonStatus, statusPath()
	}
	return "", "", nil
}

// InstallVersion returns the version that a cluster was installed with, and the
// field of ClusterVersion that says so, by rules 58 to 61. Both are empty if
// nothing is known yet.
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
		return oldest.Version, versionPath().Child("history").String()
	}
	if v := cv.Status.Desired.Version; v != "" {
		return v, versionPath().Child("desired", "version").String()
	}
	return "", ""
}

func versionPath() *field.Path {
	return field.NewPath("clusterversions").Key("version").Child("status")
}

func singletonPath() *field.Path { return field.NewPath("osimagestreams").Key(Name) }

func specPath() *field.Path { return singletonPath().Child("spec", "defaultStream") }

func statusPath() *field.Path { return singletonPath().Child("status", "defaultStream") }

func availablePath() *field.Path { return singletonPath().Child("status", "availableStreams") }
