package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// auditStreams is how many image streams of ten tags the larger must-gather has. The
// smaller one has a tenth. The report holds one entry of each code, so that what counts is
// the streams.
const auditStreams = 20_000

// auditSamples is how often both are audited.
const auditSamples = 3

// An auditGrowth is the claim that ten times the image streams take ten times the work.
// The audit is in examples/, another module, so that it is built and run. What counts is
// the processor time of its process, start and report included.
type auditGrowth struct{}

func (auditGrowth) of() claim { return claim{name: "audit_growth", limit: 12} }

func (auditGrowth) round(n int, _ options) (samples []sample, err error) {
	if n > 0 {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "polyarch-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	binary := filepath.Join(dir, "audit")
	if output, err := exec.Command("go", "build", "-C", filepath.Join("..", "..", "examples"), "-o", binary, "./audit").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building the audit from %s: %w\n%s", workingDir(), err, output)
	}
	many, few := filepath.Join(dir, "many.tar"), filepath.Join(dir, "few.tar")
	if err := errors.Join(writeGather(many, auditStreams), writeGather(few, auditStreams/10)); err != nil {
		return nil, err
	}
	for range auditSamples {
		floor, err := auditTime(binary, few, auditStreams/10)
		if err != nil {
			return nil, err
		}
		ours, err := auditTime(binary, many, auditStreams)
		if err != nil {
			return nil, err
		}
		samples = append(samples, sample{ratio: float64(ours) / float64(floor)})
	}
	return samples, nil
}

// auditTime audits a must-gather with n image streams, all of whose tags are a risk.
func auditTime(binary, gather string, n int) (time.Duration, error) {
	command := exec.Command(binary, "--must-gather", gather, "-o", "json", "--fail-on=never", "--limit=1")
	output, err := command.Output()
	if err != nil {
		return 0, fmt.Errorf("audit: %w", err)
	}
	var report struct {
		Summary struct {
			Risk int `json:"risk"`
		} `json:"summary"`
	}
	if err := json.Unmarshal(output, &report); err != nil || report.Summary.Risk != 10*n {
		return 0, fmt.Errorf("the audit of %d streams finds %d risks: %w", n, report.Summary.Risk, err)
	}
	return command.ProcessState.UserTime() + command.ProcessState.SystemTime(), nil
}

// writeGather writes a must-gather of a cluster with two architectures and n streams.
func writeGather(name string, n int) (err error) {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	archive := tar.NewWriter(file)
	put := func(name string, text []byte) error {
		if err := archive.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err := archive.Write(text)
		return err
	}
	err = put("cluster.json", []byte(`{"apiVersion":"config.openshift.io/v1","kind":"ClusterVersion","metadata":{"name":"version"},"status":{"desired":{"version":"4.20.1","image":"i","architecture":"Multi"}}}
{"apiVersion":"config.openshift.io/v1","kind":"FeatureGate","metadata":{"name":"cluster"}}
{"apiVersion":"config.openshift.io/v1","kind":"Image","metadata":{"name":"cluster"},"status":{"imageStreamImportMode":"PreserveOriginal"}}
{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"kubernetes.io/arch":"amd64","kubernetes.io/os":"linux"}}}
{"apiVersion":"v1","kind":"Node","metadata":{"name":"b","labels":{"kubernetes.io/arch":"arm64","kubernetes.io/os":"linux"}}}
`))
	var b bytes.Buffer
	for i := 0; i < n && err == nil; i++ {
		s := effectStream(fmt.Sprintf("app-%d", i))
		s.APIVersion, s.Kind, s.Namespace = "image.openshift.io/v1", "ImageStream", fmt.Sprintf("ns-%d", i/100)
		b.Reset()
		if err = json.NewEncoder(&b).Encode(s); err == nil {
			err = put(fmt.Sprintf("namespaces/%s/image.openshift.io/imagestreams/%s.json", s.Namespace, s.Name), b.Bytes())
		}
	}
	return errors.Join(err, archive.Close())
}
