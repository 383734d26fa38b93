// Package program builds the programs that tests run as processes of their own.
package program

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
)

const module = "github.com/polyarch/polyarch/examples/"

// Build returns the path in the build cache of a command of this module, given its
// directory. It is built without the race detector, whatever the test is built with.
//
// The go command takes the result of a test from its cache as long as the files that
// the test looked at are the same, so this looks at what the command is built from. What
// is outside of this module does not count by that: make test sees to it. It also builds
// the commands once for all tests, and names their paths, which tell what they are made
// of, in the environment.
func Build(dir string) (string, error) {
	if file := os.Getenv(variable(dir)); file != "" {
		return file, nil
	}
	// What go run would run, echo prints. (go tool -n does so too, but heeds no -trimpath
	// in GOFLAGS, and would build all of etcd and Kubernetes a second time.)
	where := []string{"run", "-exec", "echo", module + dir}
	file, err := output(where...)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(file); err != nil { // go run has just built it elsewhere, for once
		if file, err = output(where...); err != nil {
			return "", err
		}
	}
	files, err := sources(module + dir)
	if err != nil {
		return "", err
	}
	for _, source := range files {
		if _, err := os.Stat(source); err != nil {
			return "", fmt.Errorf("a source of %s: %w", dir, err)
		}
	}
	return file, nil
}

// variable is POLYARCH_APISERVER for apiserver.
func variable(dir string) string { return "POLYARCH_" + strings.ToUpper(path.Base(dir)) }

// sources returns the files of this repository that the package is built from. Other
// modules are required in a version, which never changes.
func sources(pkg string) ([]string, error) {
	files, err := output("list", "-deps", "-f", `{{with .Module}}{{if or .Main .Replace}}`+
		`{{range $.GoFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}{{range $.EmbedFiles}}{{$.Dir}}/{{.}}{{"\n"}}{{end}}`+
		`{{end}}{{end}}`, pkg)
	return strings.Split(files, "\n"), err
}

func output(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return strings.TrimSpace(string(out)), err
}
