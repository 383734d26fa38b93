package server_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/tools/clientcmd"
)

// TestRefusesToStart holds that what is wrong with the request is said, and that
// nothing is touched before.
func TestRefusesToStart(t *testing.T) {
	t.Parallel()
	const head = "apiVersion: openshiftcontrolplane.config.openshift.io/v1\nkind: OpenShiftAPIServerConfig\n"
	config := func(content string) []string {
		file := filepath.Join(t.TempDir(), "config.yaml")
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{"--config=" + file}
	}
	empty, open := t.TempDir(), t.TempDir()
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says []string
	}{
		"unknown mode":                          {config(head + "imagePolicyConfig: {imageStreamImportMode: Both}\n"), []string{"imagePolicyConfig.imageStreamImportMode", "Both", "PreserveOriginal"}},
		"mode in another case":                  {config(head + "imagePolicyConfig: {imageStreamImportMode: legacy}\n"), []string{"legacy"}},
		"misspelled field":                      {config(head + "imagePolicyConfig: {imageStreamImportmode: Legacy}\n"), []string{"imageStreamImportmode"}},
		"field twice":                           {config(head + "imagePolicyConfig: {imageStreamImportMode: Legacy, imageStreamImportMode: PreserveOriginal}\n"), []string{"imageStreamImportMode"}},
		"mode is no string":                     {config(head + "imagePolicyConfig: {imageStreamImportMode: 1}\n"), []string{"imageStreamImportMode"}},
		"another kind":                          {config(strings.Replace(head, "OpenShiftAPIServerConfig", "OpenShiftControllerManagerConfig", 1)), []string{"OpenShiftControllerManagerConfig"}},
		"another group":                         {config(strings.Replace(head, "openshiftcontrolplane", "x", 1)), []string{"x.config.openshift.io"}},
		"no kind":                               {config("imagePolicyConfig: {}\n"), []string{"Kind"}},
		"no YAML":                               {config("{"), []string{"config.yaml"}},
		"authorities that are not there":        {config(head + "imagePolicyConfig: {additionalTrustedCA: /nowhere/ca.pem}\n"), []string{"additionalTrustedCA", "/nowhere/ca.pem"}},
		"authorities that are none":             {config(head + "imagePolicyConfig: {additionalTrustedCA: /dev/null}\n"), []string{"additionalTrustedCA", "no certificate"}},
		"an allowed registry that is none":      {config(head + "imagePolicyConfig: {allowedRegistriesForImport: [{domainName: 'a:b:c'}]}\n"), []string{"allowedRegistriesForImport[0].domainName", "a:b:c"}},
		"a platform that is none":               {[]string{"--import-platform=arm64"}, []string{"--import-platform", "os/architecture"}},
		"no request of an import":               {[]string{"--import-parallel=0"}, []string{"--import-parallel"}},
		"no time for imports":                   {[]string{"--import-timeout=0s"}, []string{"--import-timeout"}},
		"no such file":                          {[]string{"--config=" + filepath.Join(empty, "gone")}, []string{"gone"}},
		"an address that others see":            {[]string{"--bind-address=0.0.0.0"}, []string{"--allow-remote"}},
		"the same, not certified":               {[]string{"--bind-address=0.0.0.0", "--allow-remote"}, []string{"--tls-cert-file"}},
		"no address":                            {[]string{"--bind-address=localhost"}, []string{"localhost"}},
		"certificate without key":               {[]string{"--tls-cert-file=x"}, []string{"--tls-private-key-file"}},
		"etcd's certificate, without servers":   {[]string{"--etcd-cafile=x"}, []string{"--etcd-servers"}},
		"no such port":                          {[]string{"--secure-port=65536"}, []string{"65536"}},
		"no definitions there":                  {[]string{"--crds=" + empty}, []string{empty}},
		"no such openshift/api":                 {[]string{"--openshift-api-dir=" + empty}, []string{empty}},
		"unknown flag":                          {[]string{"--nonsense"}, []string{"nonsense"}},
		"argument":                              {[]string{"nonsense"}, []string{"nonsense"}},
		"a runtime directory that others enter": {[]string{"--runtime-dir=" + open}, []string{open, "0700"}},
		"socket path too long":                  {[]string{"--runtime-dir=" + filepath.Join(empty, strings.Repeat("x", 100))}, []string{"107", "--runtime-dir"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			// A server that does start is to end some time.
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			command := exec.CommandContext(ctx, self[0], append([]string{self[1], "--data-dir=" + data}, c.args...)...)
			output, err := command.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("ended with %v, want exit code 1\n%s", err, output)
			}
			for _, s := range c.says {
				if !bytes.Contains(output, []byte(s)) {
					t.Errorf("does not say %q:\n%s", s, output)
				}
			}
			if _, err := os.Stat(filepath.Join(data, "etcd")); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the data directory was touched: %v", err)
			}
		})
	}
}

// TestAlone runs the command as people do: with a temporary directory for all,
// until a signal.
func TestAlone(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			tmp, err := os.MkdirTemp("", "alone-")
			if err != nil {
				t.Fatal(err)
			}
			defer os.RemoveAll(tmp)
			command := exec.Command(self[0], self[1])
			command.Env = append(os.Environ(), "TMPDIR="+tmp)
			stdout, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			defer command.Process.Kill()
			lines := bufio.NewScanner(stdout)
			if !lines.Scan() {
				t.Fatal("no line on standard output")
			}
			kubeconfig, ok := strings.CutPrefix(lines.Text(), "export KUBECONFIG=")
			if !ok || !strings.HasPrefix(kubeconfig, tmp) {
				t.Fatalf("prints %q, want export KUBECONFIG=%s...", lines.Text(), tmp)
			}
			config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
			if err != nil {
				t.Fatal(err)
			}
			if code, answer := send(t, config, "GET", "/readyz?verbose", ""); code != 200 {
				t.Errorf("/readyz: %d %s", code, answer)
			}
			listensOnLoopbackOnly(t, command.Process.Pid)

			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			rest := lines.Scan()
			if err := command.Wait(); err != nil || rest {
				t.Errorf("ended with %v, more output: %v %q", err, rest, lines.Text())
			}
			left, err := os.ReadDir(tmp)
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// listensOnLoopbackOnly wants one TCP port, on loopback, and no socket in the
// abstract namespace, which has no owner.
func listensOnLoopbackOnly(t *testing.T, pid int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Log("NOT CHECKED: what the server listens on can only be seen on Linux")
		return
	}
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	sockets := map[string]bool{} // inodes
	fds, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		target, err := os.Readlink(filepath.Join(proc, "fd", fd.Name()))
		if inode, ok := strings.CutPrefix(target, "socket:["); ok && err == nil {
			sockets[strings.TrimSuffix(inode, "]")] = true
		}
	}
	var listening []string
	for file, loopback := range map[string]string{"net/tcp": "0100007F:", "net/tcp6": "00000000000000000000000001000000:"} {
		for _, fields := range table(t, filepath.Join(proc, file)) {
			if len(fields) > 9 && fields[3] == "0A" && sockets[fields[9]] {
				listening = append(listening, fields[1])
				if !strings.HasPrefix(fields[1], loopback) {
					t.Errorf("%s: listens on %s", file, fields[1])
				}
			}
		}
	}
	if len(listening) != 1 {
		t.Errorf("listens on the TCP addresses %v, want one", listening)
	}
	var files []string
	for _, fields := range table(t, filepath.Join(proc, "net/unix")) {
		const accepting = "00010000"
		if len(fields) > 6 && sockets[fields[6]] && fields[3] == accepting {
			name := ""
			if len(fields) > 7 {
				name = fields[7]
			}
			files = append(files, name)
			if strings.HasPrefix(name, "@") {
				t.Errorf("listens on the abstract socket %s", name)
			}
		}
	}
	if len(files) != 1 || filepath.Base(files[0]) != "etcd.sock" {
		t.Errorf("listens on the sockets %q, want etcd's one", files)
	}
	if len(files) == 1 {
		info, err := os.Stat(filepath.Dir(files[0]))
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the directory of etcd's socket: %v, %v, want mode 0700", info.Mode(), err)
		}
	}
}

func table(t *testing.T, file string) [][]string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(content)) {
		rows = append(rows, strings.Fields(line))
	}
	return rows
}

// TestEndsWithParent holds that a server whose parent is gone, in whatever way
// and at whatever moment, does not stay, and ends cleanly.
func TestEndsWithParent(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 200 * time.Millisecond, 400 * time.Millisecond, 600 * time.Millisecond, 800 * time.Millisecond} {
		t.Run(after.String(), func(t *testing.T) {
			t.Parallel()
			command := exec.Command(self[0], self[1], "--exit-with-stdin")
			var output bytes.Buffer
			command.Stderr = &output
			stdin, err := command.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(after)
			stdin.Close()
			done := make(chan error, 1)
			go func() { done <- command.Wait() }()
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("ended with %v\n%.2000s", err, output.String())
				}
			case <-time.After(30 * time.Second):
				command.Process.Kill()
				t.Error("runs on")
			}
		})
	}
}
