package buildplan

import (
	"cmp"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"

	"github.com/polyarch/polyarch/internal/quote"
	"github.com/polyarch/polyarch/payloadarch"
)

// inputs are what is to be built, and where to.
type inputs struct {
	// images have their inputs and keys, and no state yet.
	images []Image
	// identity is that of the build.
	identity identity
	// repository is where the result is published, buildRepository where jobs
	// push to.
	repository, buildRepository string

	problems field.ErrorList
	findings []Finding
}

// readInputs says what goes into the images and what is wrong with it: rules 1 to
// 18, 63 and 64.
func readInputs(f Facts) inputs {
	var n notes
	config, pool := f.Config.Name, f.Config.Spec.MachineConfigPool.Name
	files, problems := readContainerfiles(f.Config.Spec.Containerfile, config)
	for _, e := range files.entries {
		if e.goarch != "" && !f.Architectures.Has(e.goarch) {
			n.note(FindingContainerfileUnused, inConfig(config, "containerFile["+strconv.Itoa(e.position)+"]"),
				"is for "+e.goarch+", but the pool's nodes are "+quote.Cut(orNone(f.Architectures.String())))
		}
	}
	switch count := f.Architectures.Len(); {
	case count == 0:
		n.note(FindingNoArchitectures, "machineconfigpools["+pool+"]", "has no node whose architecture is known")
	case count > 1 && f.Payload != payloadarch.Multi:
		n.note(FindingPayloadNotMulti, "machineconfigpools["+pool+"]",
			"has nodes of "+quote.Cut(f.Architectures.String())+", and the payload is "+f.Payload.String()+", not Multi")
	}

	in := inputs{images: make([]Image, 0, f.Architectures.Len())}
	in.repository, _ = splitTag(string(f.Config.Spec.RenderedImagePushSpec))
	in.buildRepository = cmp.Or(f.BuildRepository, in.repository)
	if err := checkPushSpec(f.Config.Spec.RenderedImagePushSpec, config); err != nil {
		problems = append(problems, err)
	}
	if why := notRepository(f.BuildRepository); f.BuildRepository != "" && why != "" {
		problems = append(problems, field.Invalid(field.NewPath("buildRepository"), quote.Cut(f.BuildRepository), why))
	}
	common := ingredients{extensions: asSet(f.Rendered.Spec.Extensions), kernelArguments: f.Rendered.Spec.KernelArguments}
	scratch := make([]byte, 0, 5<<10)
	for a := range f.Architectures.All() {
		if why := notNameable(a); why != "" {
			problems = append(problems, field.Invalid(field.NewPath("architectures").Key(quote.Cut(a)), quote.Cut(a), why))
		}
		file, found := files.forArchitecture(a)
		if !found && len(files.entries) > 0 {
			n.note(FindingContainerfileMissing, inConfig(config, "containerFile"),
				"has no entry for "+quote.Cut(a)+" and none for NoArch: it is built without")
		}
		kernel, err := kernelFor(f.Rendered.Spec.KernelType, a, f.Rendered.Name)
		if err != nil {
			problems = append(problems, err)
		}
		base := f.Base[a]
		parts := common
		parts.architecture, parts.containerfile, parts.kernelType = a, file.content, kernel
		if parts.osDigest, err = baseDigest(a, "os", base.OS, true); err != nil {
			problems = append(problems, err)
		}
		needed := len(parts.extensions) > 0 || kernel != kernelDefault
		if parts.extensionsDigest, err = baseDigest(a, "extensions", base.Extensions, needed); err != nil {
			problems = append(problems, err)
		}
		image := Image{Architecture: a, Containerfile: file.content, Entry: file.position, Base: base, Kernel: kernel}
		image.Key, scratch = parts.key(scratch)
		in.images = append(in.images, image)
	}
	in.problems, in.findings = problems, n
	in.identity = identity{config, pool, f.Rendered.Name, string(f.Config.Spec.RenderedImagePushSpec), required(in.images)}
	return in
}

// required are the architectures and keys that name the build.
func required(images []Image) []requirement {
	list := make([]requirement, len(images))
	for i := range images {
		list[i] = requirement{images[i].Architecture, images[i].Key}
	}
	return list
}

func inConfig(config, field string) string { return "machineosconfigs[" + config + "].spec." + field }

// baseDigest returns the digest of a base image.
func baseDigest(architecture, which, pullSpec string, required bool) (string, *field.Error) {
	path := func() *field.Path { return field.NewPath("base").Key(quote.Cut(architecture)).Child(which) }
	if pullSpec == "" {
		if required {
			return "", field.Required(path(), "no image of this architecture to start from")
		}
		return "", nil
	}
	digest, ok := digestOf(pullSpec)
	if !ok {
		return digest, field.Invalid(path(), quote.Cut(pullSpec), "must end in sha256: and 64 hexadecimal digits")
	}
	return digest, nil
}

// checkPushSpec refuses a push spec whose form by digest the status of a
// MachineOSBuild would not take, so that no job is run whose result could never
// be published.
func checkPushSpec(spec mcfgv1.ImageTagFormat, config string) *field.Error {
	repository, _ := splitTag(string(spec))
	why := notDigestable(repository)
	if why == "" {
		return nil
	}
	return field.Invalid(field.NewPath("machineosconfigs").Key(config).Child("spec", "renderedImagePushSpec"), quote.Cut(string(spec)),
		why+": the status of a MachineOSBuild would refuse its form by digest")
}
