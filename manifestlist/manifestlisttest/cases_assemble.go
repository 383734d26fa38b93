package manifestlisttest

import ()

// An AssembleCase is a case of Assemble that makes an index.
type AssembleCase struct {
	Rules    string // their IDs
	Name     string
	Children []Child
	Options  Options
	Layout   string   // the entries, as [Layout] writes them
	Docker   bool     // a Docker list is made
	Findings []string // what polyarch reports, code@path
}

// AssembleCases are one or more for each rule that accepts.
func AssembleCases() []AssembleCase {
	nested := AssembleOracle(Children("linux/arm64", "linux/s390x"), Options{})
	artifact := Child{Descriptor: Described("artifact", "nil")}
	artifact.Descriptor.ArtifactType = "application/vnd.example.sbom"
	return []AssembleCase{
		{Rules: "canonical-order", Name: "architectures in order", Children: Children("linux/s390x", "linux/amd64", "linux/ppc64le", "linux/arm64"),
			Layout: "linux/amd64 linux/arm64 linux/ppc64le linux/s390x"},
		{Rules: "canonical-order", Name: "os before architecture", Children: Children("windows/amd64", "linux/s390x"), Layout: "linux/s390x windows/amd64"},
		{Rules: "canonical-order", Name: "the baseline before other variants, unlike strings", Children: Children("linux/arm/v6", "linux/arm/v7", "linux/arm/v5"),
			Layout: "linux/arm/v7 linux/arm/v5 linux/arm/v6"},
		{Rules: "canonical-order", Name: "os.version", Children: Children("windows/amd64@10.0.20348.1", "windows/amd64@10.0.17763.2"),
			Layout: "windows/amd64(10.0.17763.2) windows/amd64(10.0.20348.1)"},
		{Rules: "canonical-order", Name: "fewer os.features first", Children: Children("linux/amd64+erofs", "linux/amd64"), Layout: "linux/amd64 linux/amd64(+erofs)"},
		{Rules: "canonical-order", Name: "no platform after every platform", Children: []Child{artifact, On("zos/s390x")}, Layout: "zos/s390x nil"},
		{Rules: "canonical-order", Name: "attestations last", Children: []Child{Attestation("linux/amd64"), artifact, On("linux/amd64")}, Options: Options{Attestations: KeepAttestations},
			Layout: "linux/amd64 nil attestation"},
		{Rules: "canonical-bytes empty-index-is-made", Name: "nothing is []", Layout: "", Findings: []string{"Empty@manifests"}},
		{Rules: "bytes-decide", Name: "platform out of the bytes", Children: []Child{Image("linux/s390x"), Image("linux/amd64")}, Layout: "linux/amd64 linux/s390x"},
		{Rules: "platforms-spelled-as-go", Name: "a name that Go does not know", Children: Children("bogus/nope", "linux/amd64"), Layout: "bogus/nope linux/amd64",
			Findings: []string{"UnknownPlatform@children[0]"}},
		{Rules: "platforms-spelled-as-go", Name: "an artifact needs no platform", Children: []Child{artifact}, Layout: "nil"},
		{Rules: "no-index-in-an-index", Name: "flattened", Children: []Child{On("linux/amd64"), {Manifest: nested}}, Options: Options{Nested: Flatten},
			Layout: "linux/amd64 linux/arm64 linux/s390x", Findings: []string{"Flattened@children[1]"}},
		{Rules: "one-child-for-each-platform", Name: "variants of one architecture", Children: Children("linux/arm/v7", "linux/arm/v6"), Layout: "linux/arm/v7 linux/arm/v6"},
		{Rules: "one-child-for-each-platform", Name: "written as the child says", Children: Children("linux/arm64/v8"), Layout: "linux/arm64/v8"},
		{Rules: "one-child-for-each-platform", Name: "replace: the last stands", Children: []Child{Named("a", "linux/amd64"), Named("b", "linux/amd64")}, Options: Options{Duplicates: ReplaceDuplicates},
			Layout: "linux/amd64", Findings: []string{"ChildReplaced@children[0]"}},
		{Rules: "one-child-for-each-platform", Name: "identical counts once", Children: Children("linux/amd64", "linux/amd64", "linux/amd64"), Options: Options{Duplicates: KeepIdentical},
			Layout: "linux/amd64", Findings: []string{"IdenticalDropped@children[1]", "IdenticalDropped@children[2]"}},
		{Rules: "one-child-for-each-platform", Name: "one image for two platforms", Children: []Child{Named("noarch", "linux/amd64"), Named("noarch", "linux/arm64")}, Layout: "linux/amd64 linux/arm64"},
		{Rules: "attestations-refer-to-an-image", Name: "dropped by default", Children: []Child{On("linux/amd64"), Attestation("linux/amd64")}, Layout: "linux/amd64",
			Findings: []string{"AttestationDropped@children[1]"}},
		{Rules: "attestations-known-either-way", Name: "half of the platform is not enough", Children: Children("linux/amd64", "unknown/amd64"), Layout: "linux/amd64 unknown/amd64",
			Findings: []string{"UnknownPlatform@children[1]"}},
		{Rules: "attestations-refer-to-an-image attestations-known-either-way", Name: "known by its platform alone", Children: Children("linux/amd64", "unknown/unknown"), Layout: "linux/amd64",
			Findings: []string{"AttestationDropped@children[1]"}},
		{Rules: "attestations-refer-to-an-image attestations-known-either-way", Name: "known by its annotation alone", Children: []Child{With(Attestation("linux/amd64"), func(c *Child) { c.Descriptor.Platform = nil })}, Layout: "",
			Findings: []string{"AttestationDropped@children[0]", "Empty@manifests"}},
		{Rules: "attestations-refer-to-an-image", Name: "goes with the child that is replaced",
			Children: []Child{Named("old", "linux/amd64"), Named("new", "linux/amd64"), Attestation("old"), Attestation("new")},
			Options:  Options{Duplicates: ReplaceDuplicates, Attestations: KeepAttestations},
			Layout:   "linux/amd64 attestation", Findings: []string{"ChildReplaced@children[0]", "AttestationDropped@children[2]"}},
		{Rules: "required-platforms-are-there", Name: "required and more", Children: Children("linux/amd64", "linux/arm64/v8"), Options: Options{Required: Platforms("linux/arm64")}, Layout: "linux/amd64 linux/arm64/v8"},
		{Rules: "docker-list-holds-docker-images", Name: "Docker", Children: []Child{AsDocker(On("linux/amd64"))}, Options: Options{Format: Docker}, Layout: "linux/amd64", Docker: true},
		{Rules: "oci-unless-asked", Name: "OCI unless something else is asked for", Children: []Child{AsDocker(On("linux/amd64"))}, Layout: "linux/amd64"},
		{Rules: "oci-unless-asked", Name: "inferred Docker", Children: []Child{AsDocker(On("linux/amd64"))}, Options: Options{Format: Infer}, Layout: "linux/amd64", Docker: true},
		{Rules: "oci-unless-asked", Name: "inferred OCI, one child is", Children: []Child{AsDocker(On("linux/amd64")), On("linux/arm64")}, Options: Options{Format: Infer}, Layout: "linux/amd64 linux/arm64"},
		{Rules: "oci-unless-asked", Name: "inferred OCI for an annotation", Children: []Child{AsDocker(On("linux/amd64"))}, Options: Options{Format: Infer, Annotations: map[string]string{"a": "b"}}, Layout: "linux/amd64"},
		{Rules: "oci-unless-asked", Name: "inferred OCI for nothing", Options: Options{Format: Infer}, Layout: "", Findings: []string{"Empty@manifests"}},
		{Rules: "docker-list-holds-docker-images", Name: "an OCI index holds any media type", Children: []Child{AsDocker(On("linux/amd64")), With(On("linux/arm64"), func(c *Child) { c.Descriptor.MediaType = "application/x" })},
			Layout: "linux/amd64 linux/arm64"},
	}
}
