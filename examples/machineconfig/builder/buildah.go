package builder

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/polyarch/polyarch/examples/internal/dockerconfig"
	"github.com/polyarch/polyarch/examples/machineconfig/controller"
)

// FindBuildah returns the path of buildah, or why it cannot be used.
func FindBuildah() (string, error) {
	path, err := exec.LookPath("buildah")
	if err != nil {
		return "", errors.New("buildah is not on the PATH")
	}
	if os.Geteuid() != 0 {
		return "", errors.New("buildah needs root for what it does here")
	}
	return path, nil
}

// FindShell returns the path of a busybox that needs no library, or why there is
// none. As /bin/sh it is all that a base image needs to run commands.
func FindShell() (string, error) {
	path, err := exec.LookPath("busybox")
	if err != nil {
		return "", errors.New("busybox is not on the PATH")
	}
	f, err := elf.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	defer f.Close()
	if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		return "", errors.New(path + " needs shared libraries; Debian's busybox-static does not")
	}
	return path, nil
}

// Find returns both, or why RUN steps cannot be run on base images of Push.
func Find() (buildah, shell string, err error) {
	buildah, noBuildah := FindBuildah()
	shell, noShell := FindShell()
	if err := errors.Join(noBuildah, noShell); err != nil {
		return "", "", errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return buildah, shell, nil
}

// buildah runs the containerfile as the machine config operator's pod does: with
// storage driver vfs, in chroot isolation, with a file of credentials each for
// pulling and for pushing. See openshift/machine-config-operator,
// pkg/controller/build/buildrequest/assets/buildah-build.sh at commit 195ec918. Times
// are left out of the image and labels are in order, so that the same containerfile
// makes the same bytes.
func (r *Builder) buildah(ctx context.Context, o order) (digest string, err error) {
	dir, err := os.MkdirTemp("", "buildah-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	at := func(path string) string { return filepath.Join(dir, path) }
	if err := os.MkdirAll(at("context/machineconfig"), 0o755); err != nil {
		return "", err
	}
	pull, err := authFile(o.keys.pull)
	if err != nil {
		return "", err
	}
	push, err := authFile(o.keys.push)
	if err != nil {
		return "", err
	}
	for path, content := range map[string][]byte{
		"context/Containerfile": []byte(o.containerfile), "pull.json": pull, "push.json": push,
		"context/machineconfig/" + controller.MachineConfigKey: []byte(o.machineConf),
	} {
		if err := os.WriteFile(at(path), content, 0o600); err != nil {
			return "", err
		}
	}
	global := []string{"--root", at("root"), "--runroot", at("runroot"), "--storage-driver", "vfs"}
	build := append(slices.Clone(global), "build", "--isolation", "chroot", "--network", "host", "--format", "oci",
		"--timestamp", "0", "--identity-label=false", "--authfile", at("pull.json"), "--build-arg", "TARGETARCH="+o.architecture,
		"--tls-verify="+verify(o.base), "--file", at("context/Containerfile"), "--tag", "localhost/built")
	for _, key := range slices.Sorted(maps.Keys(o.labels)) {
		build = append(build, "--label", key+"="+o.labels[key])
	}
	if err := r.run(ctx, dir, append(build, at("context"))...); err != nil {
		return "", err
	}
	if err := r.run(ctx, dir, append(global, "push", "--authfile", at("push.json"), "--tls-verify="+verify(o.pushSpec),
		"--digestfile", at("digest"), "localhost/built", "docker://"+o.pushSpec)...); err != nil {
		return "", err
	}
	pushed, err := os.ReadFile(at("digest"))
	return strings.TrimSpace(string(pushed)), err
}

// said is how much of what buildah says goes into an error.
const said = 2000

// run runs buildah until it ends or ctx does, and its children with it.
func (r *Builder) run(ctx context.Context, dir string, args ...string) error {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, r.Buildah, args...)
	cmd.Env = append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil {
		text := strings.TrimSpace(out.String())
		return fmt.Errorf("buildah: %w: %s", err, text[max(0, len(text)-said):])
	}
	return nil
}

func authFile(k dockerconfig.Keychain) ([]byte, error) {
	if k == nil {
		k = dockerconfig.Keychain{}
	}
	return json.Marshal(map[string]any{"auths": k})
}

// verify says whether the registry of an image is spoken to in TLS: one on this
// machine's own address is not.
func verify(image string) string {
	ref, err := name.ParseReference(image)
	return strconv.FormatBool(err != nil || ref.Context().Scheme() == "https")
}
