package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// apiserverPairs is how many creates of each side are timed, one by one. A
// create waits for the disk, so it takes many to see a difference of a few
// percent.
const apiserverPairs = 2500

// apiserverClaim is about the latency of creating a stream of ten tags without
// modes through the reference apiserver, against the same server and storage
// with image streams into which importmode does not look.
func apiserverClaim() paired {
	server := new(apiserver)
	return paired{
		claim: claim{
			name: "apiserver_create", limit: 1.05,
			setup: func() (ours, floor func() error, err error) {
				if err := server.start(); err != nil {
					return nil, nil, err
				}
				return server.creating("image.openshift.io", benchTags), server.creating("passthrough.image.openshift.io", 0), nil
			},
		},
		pairs:   apiserverPairs,
		cleanup: server.stop,
	}
}

const benchTags = 10

// An apiserver is the one of examples/, which is another module: it is built
// and run, not imported, so that its requirements do not become those of the
// other claims.
type apiserver struct {
	flags   []string // beside those that each has
	dir     string
	command *exec.Cmd
	stdin   io.Closer
	client  *http.Client
	url     string
	token   string
	created int
}

func (s *apiserver) start() (err error) {
	if s.dir, err = os.MkdirTemp("", "polyarch-bench-"); err != nil {
		return err
	}
	binary, config, data := filepath.Join(s.dir, "apiserver"), filepath.Join(s.dir, "config.yaml"), filepath.Join(s.dir, "data")
	fmt.Fprintln(os.Stderr, "benchmarks: building the reference apiserver; with an empty cache that takes minutes")
	if output, err := exec.Command("go", "build", "-C", filepath.Join("..", "..", "examples"), "-o", binary, "./apiserver").CombinedOutput(); err != nil {
		return fmt.Errorf("building the apiserver from %s: %w\n%s", workingDir(), err, output)
	}
	err = os.WriteFile(config, []byte(`apiVersion: openshiftcontrolplane.config.openshift.io/v1
kind: OpenShiftAPIServerConfig
imagePolicyConfig: {imageStreamImportMode: PreserveOriginal}
`), 0o600)
	if err != nil {
		return err
	}
	s.command = exec.Command(binary, append(s.flags, "--data-dir="+data, "--config="+config, "--serve-passthrough", "--exit-with-stdin")...)
	s.command.Stderr = os.Stderr
	if s.stdin, err = s.command.StdinPipe(); err != nil {
		return err
	}
	stdout, err := s.command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := s.command.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the apiserver did not get ready: %w", err)
	}
	return s.connect(strings.TrimSpace(strings.TrimPrefix(line, "export KUBECONFIG=")), data)
}

func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return err.Error()
	}
	return dir
}

func (s *apiserver) connect(kubeconfig, data string) error {
	content, err := os.ReadFile(kubeconfig)
	if err != nil {
		return err
	}
	url := regexp.MustCompile(`server: (\S+)`).FindSubmatch(content)
	if url == nil {
		return fmt.Errorf("%s names no server", kubeconfig)
	}
	ca, err := os.ReadFile(filepath.Join(data, "serving.pem"))
	if err != nil {
		return err
	}
	token, err := os.ReadFile(filepath.Join(data, "token"))
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(ca) {
		return fmt.Errorf("no certificate in %s", data)
	}
	s.url, s.token = string(url[1]), string(token)
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	return nil
}

// creating returns the operation that creates one more stream, and checks how
// many of its tags the server has given the cluster's mode.
func (s *apiserver) creating(group string, want int) func() error {
	var tags []string
	for i := range benchTags {
		tags = append(tags, fmt.Sprintf(`{"name":"v%d","from":{"kind":"DockerImage","name":"quay.example.com/team/app:v%d"}}`, i, i))
	}
	spec := strings.Join(tags, ",")
	return func() error {
		s.created++
		body := fmt.Sprintf(`{"apiVersion":"%s/v1","kind":"ImageStream","metadata":{"name":"s-%d"},"spec":{"tags":[%s]}}`, group, s.created, spec)
		answer, code, err := s.post("/apis/"+group+"/v1/namespaces/bench/imagestreams", body)
		if err != nil {
			return err
		}
		if got := bytes.Count(answer, []byte(`"importMode":"PreserveOriginal"`)); code != http.StatusCreated || got != want {
			return fmt.Errorf("%s: %d, %d tags have the mode, want %d: %s", group, code, got, want, answer)
		}
		return nil
	}
}

func (s *apiserver) stop() error {
	var err error
	if s.stdin != nil {
		s.stdin.Close()
		err = s.command.Wait()
	}
	if e := os.RemoveAll(s.dir); err == nil {
		err = e
	}
	return err
}
