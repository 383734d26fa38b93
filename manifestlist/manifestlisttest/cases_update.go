package manifestlisttest

// An UpdateCase is a case of Update that makes an index.
type UpdateCase struct {
	Rules    string // their IDs
	Name     string
	Index    []byte
	Children []Child
	Options  Options
	Layout   string   // the entries, as [Layout] writes them
	Findings []string // what polyarch reports, code@path
}

// UpdateCases are one or more for each rule that accepts.
func UpdateCases() []UpdateCase {
	index := func(c ...Child) []byte {
		return AssembleOracle(c, Options{Attestations: KeepAttestations, Annotations: map[string]string{"kept": "yes"}})
	}
	base := index(Named("a", "linux/amd64"), Named("b", "linux/arm64"), Attestation("a"), Attestation("b"))
	list := AssembleOracle([]Child{AsDocker(On("linux/amd64"))}, Options{Format: Docker})
	orphaned := index(Named("b", "linux/arm64"), Attestation("a"), Attestation("b"))
	doubled := []byte(`{"schemaVersion":2,"manifests":[` +
		`{"mediaType":"a/b","digest":"2","size":0,"platform":{"architecture":"amd64","os":"linux"}},` +
		`{"mediaType":"a/b","digest":"1","size":0,"platform":{"architecture":"amd64","os":"linux","variant":"v1"}},` +
		`{"mediaType":"a/b","digest":"nil","size":-7}]}`)
	artifact := Child{Descriptor: Described("artifact", "nil")}
	artifact.Descriptor.ArtifactType = "a/b"
	windows := index(Children("linux/amd64", "windows/amd64@1", "windows/amd64@2")...)
	shared := index(Named("noarch", "linux/amd64"), Named("noarch", "linux/arm64"), Attestation("noarch"))
	return []UpdateCase{
		{"new-child-replaces-its-platform", "one architecture replaced", base, []Child{Named("new", "linux/arm64")}, Options{}, "linux/amd64 linux/arm64 attestation",
			[]string{"ChildReplaced@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"new-child-replaces-its-platform", "an equivalent variant", base, []Child{Named("new", "linux/arm64/v8")}, Options{}, "linux/amd64 linux/arm64/v8 attestation",
			[]string{"ChildReplaced@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"new-child-replaces-its-platform", "one architecture joins", base, Children("linux/s390x"), Options{}, "linux/amd64 linux/arm64 linux/s390x attestation attestation", nil},
		{"new-child-replaces-its-platform", "nothing new", base, nil, Options{}, "linux/amd64 linux/arm64 attestation attestation", nil},
		{"new-child-replaces-its-platform", "every entry of the platform goes", doubled, Children("linux/amd64"), Options{}, "linux/amd64 nil",
			[]string{"ChildReplaced@manifests[1]", "ChildReplaced@manifests[0]"}},
		{"new-child-replaces-its-platform", "an artifact goes by its digest", index(artifact), []Child{artifact}, Options{}, "nil", []string{"ChildReplaced@manifests[0]"}},
		{"other-entries-keep-their-bytes", "duplicates and bad descriptors of before stay", doubled, Children("linux/s390x"), Options{}, "linux/amd64/v1 linux/amd64 linux/s390x nil", nil},
		{"other-entries-keep-their-bytes", "orphans of before stay", orphaned, nil, Options{}, "linux/arm64 attestation attestation", nil},
		{"attestations-leave-with-their-image", "the same image again keeps its attestation", base, []Child{Named("a", "linux/amd64")}, Options{}, "linux/amd64 linux/arm64 attestation attestation",
			[]string{"ChildReplaced@manifests[0]"}},
		{"attestations-leave-with-their-image", "a new attestation comes with the new image", base, []Child{Named("new", "linux/amd64"), Attestation("new")}, Options{Attestations: KeepAttestations},
			"linux/amd64 linux/arm64 attestation attestation", []string{"ChildReplaced@manifests[0]", "AttestationDropped@manifests[2]"}},
		{"attestations-leave-with-their-image", "or is dropped", base, []Child{Attestation("b")}, Options{}, "linux/amd64 linux/arm64 attestation attestation", []string{"AttestationDropped@children[0]"}},
		{"attestations-leave-with-their-image", "a new one of the image that is replaced goes too", base, []Child{Named("new", "linux/amd64"), Attestation("a")}, Options{Attestations: KeepAttestations},
			"linux/amd64 linux/arm64 attestation", []string{"ChildReplaced@manifests[0]", "ChildReplaced@manifests[2]", "AttestationDropped@children[1]"}},
		{"attestations-leave-with-their-image removed-platform-is-gone", "removed with its attestation", base, nil, Options{Remove: Platforms("linux/arm64")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"removed-platform-is-gone", "an equivalent variant", base, nil, Options{Remove: Platforms("linux/arm64/v8", "linux/amd64/v1")}, "",
			[]string{"Removed@manifests[1]", "Removed@manifests[0]", "AttestationDropped@manifests[2]", "AttestationDropped@manifests[3]", "Empty@manifests"}},
		{"removed-platform-is-gone", "another variant stays", index(Children("linux/arm64", "linux/arm64/v9")...), nil, Options{Remove: Platforms("linux/arm64")}, "linux/arm64/v9",
			[]string{"Removed@manifests[0]"}},
		{"removed-platform-is-gone", "every os.version if none is named", windows, nil, Options{Remove: Platforms("windows/amd64")}, "linux/amd64",
			[]string{"Removed@manifests[1]", "Removed@manifests[2]"}},
		{"removed-platform-is-gone", "the os.version that is named", windows, nil, Options{Remove: Platforms("windows/amd64@2")}, "linux/amd64 windows/amd64(1)", []string{"Removed@manifests[2]"}},
		{"removed-platform-is-gone", "every entry of the platform goes", doubled, nil, Options{Remove: Platforms("linux/amd64")}, "nil",
			[]string{"Removed@manifests[0]", "Removed@manifests[1]"}},
		{"removed-platform-is-gone", "the same twice", base, nil, Options{Remove: Platforms("linux/arm64", "linux/arm64/v8")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"removed-platform-is-gone", "a new child may come for it", base, []Child{Named("new", "linux/arm64")}, Options{Remove: Platforms("linux/arm64")}, "linux/amd64 linux/arm64 attestation",
			[]string{"Removed@manifests[1]", "AttestationDropped@manifests[3]"}},
		{"removed-platform-is-gone", "the same image again keeps its attestation", base, []Child{Named("b", "linux/arm64")}, Options{Remove: Platforms("linux/arm64")},
			"linux/amd64 linux/arm64 attestation attestation", []string{"Removed@manifests[1]"}},
		{"removed-platform-is-gone", "an image of two platforms keeps its attestation for one", shared, nil, Options{Remove: Platforms("linux/arm64")}, "linux/amd64 attestation",
			[]string{"Removed@manifests[1]"}},
		{"index-stays-as-it-is", "a Docker list stays one", list, []Child{AsDocker(On("linux/arm64"))}, Options{}, "linux/amd64 linux/arm64", nil},
		{"required-platforms-are-there", "required of old and new together", base, Children("linux/s390x"), Options{Required: Platforms("linux/amd64", "linux/s390x")},
			"linux/amd64 linux/arm64 linux/s390x attestation attestation", nil},
		{"one-child-for-each-platform", "replace among the new", base, []Child{Named("x", "linux/s390x"), Named("y", "linux/s390x")}, Options{Duplicates: ReplaceDuplicates},
			"linux/amd64 linux/arm64 linux/s390x attestation attestation", []string{"ChildReplaced@children[0]"}},
	}
}

// An UpdateRefusedCase is a case of Update that makes no index.
type UpdateRefusedCase struct {
	Rules    string // their IDs
	Name     string
	Index    []byte
	Children []Child
	Options  Options
	Errors   []string // what polyarch reports, code@position or code@position:other
}

// UpdateRefusedCases are one or more for each rule that refuses.
func UpdateRefusedCases() []UpdateRefusedCase {
	base := AssembleOracle(Children("linux/amd64", "linux/arm64"), Options{})
	list := AssembleOracle([]Child{AsDocker(On("linux/amd64"))}, Options{Format: Docker})
	annotated := AssembleOracle(nil, Options{Annotations: map[string]string{"a": "b"}})
	attested := AssembleOracle([]Child{On("linux/amd64"), Attestation("linux/amd64")}, Options{Attestations: KeepAttestations})
	subject := Described("subject", "nil")
	typed := AssembleOracle(nil, Options{ArtifactType: "a/b", Subject: &subject})
	return []UpdateRefusedCase{
		{"one-child-for-each-platform", "duplicates among the new", base, Children("linux/amd64", "linux/amd64/v1"), Options{}, []string{"DuplicatePlatform@1:0"}},
		{"descriptors-well-formed", "new child", base, []Child{{}}, Options{}, []string{"InvalidMediaType@0", "InvalidDigest@0", "InvalidSize@0"}},
		{"attestations-refer-to-an-image", "new orphan", base, []Child{Attestation("x")}, Options{Attestations: KeepAttestations}, []string{"OrphanAttestation@0"}},
		{"required-platforms-are-there", "missing of old and new together", base, Children("linux/s390x"), Options{Required: Platforms("linux/ppc64le")}, []string{"MissingPlatform@-1"}},
		{"docker-list-holds-docker-images", "OCI image into a Docker list", list, Children("linux/arm64"), Options{}, []string{"ForeignMediaType@0"}},
		{"docker-list-holds-docker-images", "OCI index into a Docker list", base, nil, Options{Format: Docker}, []string{"ForeignMediaType@0", "ForeignMediaType@1"}},
		{"docker-list-holds-docker-images", "annotations on a Docker list", list, nil, Options{Annotations: map[string]string{"a": "b"}}, []string{"NotRepresentable@-1"}},
		{"docker-list-holds-docker-images", "annotated index into a Docker list", annotated, nil, Options{Format: Docker}, []string{"NotRepresentable@-1"}},
		{"docker-list-holds-docker-images", "typed index into a Docker list", typed, nil, Options{Format: Docker}, []string{"NotRepresentable@-1", "NotRepresentable@-1"}},
		{"removed-platform-is-gone", "a platform that is not there", base, nil, Options{Remove: Platforms("linux/arm64", "linux/s390x", "linux/arm64/v9")}, []string{"MissingPlatform@-1", "MissingPlatform@-1"}},
		{"removed-platform-is-gone", "one that only a new child is for", base, Children("linux/s390x"), Options{Remove: Platforms("linux/s390x")}, []string{"MissingPlatform@-1"}},
		{"removed-platform-is-gone", "an attestation is for no platform", attested, nil, Options{Remove: Platforms("unknown/unknown")}, []string{"MissingPlatform@-1"}},
		{"removed-platform-is-gone required-platforms-are-there", "removed and required", base, nil, Options{Remove: Platforms("linux/arm64"), Required: Platforms("linux/arm64")}, []string{"MissingPlatform@-1"}},
		{"size-limit", "limit", base, nil, Options{SizeLimit: 10}, []string{"TooLarge@-1"}},
	}
}
