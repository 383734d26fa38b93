package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
)

const openshiftAPI = "github.com/openshift/api"

// OpenShiftAPIDir finds what Options.OpenShiftAPIDir is for, once for all servers of
// a program that starts many.
func OpenShiftAPIDir(ctx context.Context) (string, error) { return moduleDir(ctx, openshiftAPI) }

// moduleDir finds the source of a module that this program was built with, in
// the version that it was built with. The manifests of openshift/api are not
// embedded in any of its packages.
func moduleDir(ctx context.Context, module string) (string, error) {
	// Of the two commands only the first works from any working directory. The
	// second is for test binaries, which carry no build information but run in
	// the directory of their package.
	args := []string{"list", "-m", "-json", module}
	if version := builtWith(module); version != "" {
		args = []string{"mod", "download", "-json", module + "@" + version}
	}
	command := exec.CommandContext(ctx, "go", args...)
	if args[0] == "mod" {
		// No go.mod of the working directory is to have a say.
		command.Dir = os.TempDir()
	}
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	var answer struct{ Dir, Error string }
	if err == nil {
		err = json.Unmarshal(stdout.Bytes(), &answer)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%v: %w\n%s%s", command.Args, err, stderr.Bytes(), stdout.Bytes())
	case answer.Dir == "":
		return "", errors.Join(fmt.Errorf("%v names no directory", command.Args), errors.New(answer.Error))
	}
	return answer.Dir, nil
}

func builtWith(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, dep := range info.Deps {
		if dep.Path != module {
			continue
		}
		if dep.Replace != nil {
			dep = dep.Replace
		}
		return dep.Version
	}
	return ""
}
