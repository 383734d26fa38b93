package server_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	imagev1 "github.com/openshift/api/image/v1"
	clientv3 "go.etcd.io/etcd/client/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testserver"
)

// listStreamsInCI are so many that, without bounds, their lists take more than the
// bound of TestListMemory.
const listStreamsInCI = 2000

var listStreams = flag.Int("list-streams", listStreamsInCI, "number of image streams that TestListMemory lists")

const (
	listTags    = 10
	listClients = 8
)

// fill stores n image streams with listTags imported tags each, and returns the size
// of one. The first is written by the API, the others are the bytes that it stored,
// under other names.
func (e *env) fill(t *testing.T, n int) (size int) {
	t.Helper()
	var tags []imagev1.TagReference
	for i := range listTags {
		tags = append(tags, tag(fmt.Sprintf("v4.%d", i), preserve))
	}
	const name = "stream-00000"
	s := e.create(t, stream(name, tags...))
	for _, tag := range s.Spec.Tags {
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(tag.Name)))
		s.Status.Tags = append(s.Status.Tags, imagev1.NamedTagEventList{Tag: tag.Name, Items: []imagev1.TagEvent{{
			Created: metav1.Now().Rfc3339Copy(), DockerImageReference: "quay.example.com/x/y@" + digest, Image: digest, Generation: 1,
		}}})
	}
	if err := e.Status().Update(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	model := e.stored(t, name)
	if !json.Valid([]byte(model)) || !strings.Contains(model, name) {
		t.Fatalf("stored: %.200q", model)
	}
	for at := 1; at < n; {
		var puts []clientv3.Op
		for ; at < n && len(puts) < 100; at++ {
			other := fmt.Sprintf("stream-%05d", at)
			content := strings.ReplaceAll(strings.ReplaceAll(model, name, other), string(s.UID), fmt.Sprintf("%08d%s", at, s.UID[8:]))
			puts = append(puts, clientv3.OpPut(streamKey(other), content))
		}
		if _, err := e.etcd.Txn(t.Context()).Then(puts...).Commit(); err != nil {
			t.Fatal(err)
		}
	}
	return len(model)
}

// memory reads one figure of /proc/PID/status, in MiB.
func memory(t *testing.T, pid int, what string) int {
	t.Helper()
	for _, fields := range table(t, filepath.Join("/proc", strconv.Itoa(pid), "status")) {
		if len(fields) == 3 && fields[0] == what+":" {
			kib, err := strconv.Atoi(fields[1])
			if err != nil {
				t.Fatal(err)
			}
			return kib >> 10
		}
	}
	t.Fatalf("no %s of process %d", what, pid)
	return 0
}

// resetPeak makes VmHWM count anew.
func resetPeak(t *testing.T, pid int) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("/proc", strconv.Itoa(pid), "clear_refs"), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// ownConnection is a client that shares its connection with no other. Like any
// client-go client, it asks again when it is told that the server is busy.
func ownConnection(t *testing.T, config *rest.Config) *rest.RESTClient {
	t.Helper()
	// Configurations with a dialer of their own share no connection.
	config.Dial = new(net.Dialer).DialContext
	config.GroupVersion, config.NegotiatedSerializer = &imagev1.GroupVersion, scheme.Codecs.WithoutConversion()
	config.APIPath = "/apis"
	c, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Client.CloseIdleConnections)
	return c
}

// list reads a whole list and returns how many bytes it has, and how often the client
// had to ask because its time was over, or because client-go gave up asking again.
func list(ctx context.Context, c *rest.RESTClient, kind listKind) (size int64, asked int, err error) {
	for asked < 10 {
		asked++
		size, err = listOnce(ctx, c, kind)
		if !apierrors.IsTimeout(err) && !apierrors.IsTooManyRequests(err) {
			break
		}
	}
	return size, asked, err
}

func listOnce(ctx context.Context, c *rest.RESTClient, kind listKind) (int64, error) {
	get := c.Get().Resource(kind.resource).SetHeader("Accept", kind.accept)
	if kind.events > 0 {
		get.Param("watch", "true")
	}
	body, err := get.Stream(ctx)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	if kind.events == 0 {
		return io.Copy(io.Discard, body)
	}
	var size int64
	for event := bufio.NewReader(body); kind.events > 0; kind.events-- {
		line, err := event.ReadSlice('\n')
		for ; err == bufio.ErrBufferFull; line, err = event.ReadSlice('\n') {
			size += int64(len(line))
		}
		if size += int64(len(line)); err != nil {
			return size, err
		}
	}
	return size, nil
}

// TestListMemory has all clients list the same at once, without a limit and again when
// the server says that it is busy, and holds the memory of the server against its
// bound: while they do, and a while after. What reads one object is never kept waiting.
//
//	go test -C examples ./apiserver/server -run TestListMemory -v -timeout 30m -list-streams=10000
func TestListMemory(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("NOT CHECKED: the memory of a process is read from /proc")
	}
	t.Parallel()
	kinds, listMemory := []listKind{{"JSON", "imagestreams", "application/json", 0}, {"watch", "imagestreams", "application/json", *listStreams}}, 400
	if *listStreams > listStreamsInCI {
		listMemory = 1024 // of which a list that is larger than the room of all takes more
		kinds = append(kinds,
			listKind{"protobuf", "imagestreams", "application/vnd.kubernetes.protobuf", 0},
			listKind{"Table", "imagestreams", "application/json;as=Table;v=v1;g=meta.k8s.io", 0},
			listKind{"tags as JSON", "imagestreamtags", "application/json", 0},
			listKind{"tags as Table", "imagestreamtags", "application/json;as=Table;v=v1;g=meta.k8s.io", 0},
		)
	}
	// The race detector would take several times the memory, and so may what the tests are
	// told about garbage.
	e := boot(t, legacy, func(o *launch.Options) {
		o.Command = append([]string{"env", "-u", "GOGC"}, testserver.Command(t)...)
	})
	size := e.fill(t, *listStreams)
	if err := e.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	pid := e.Pid()
	idle := memory(t, pid, "VmRSS")
	t.Logf("lists: %d streams of %d bytes with %d tags, %d clients at once; idle %d MiB", *listStreams, size, listTags, listClients, idle)
	clients := make([]*rest.RESTClient, listClients)
	for i := range clients {
		clients[i] = ownConnection(t, e.Config())
	}
	for _, kind := range kinds {
		resetPeak(t, pid)
		waits := e.getWhile(t, func() { listAtOnce(t, clients, kind) })
		peak, after := memory(t, pid, "VmHWM"), 0
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
			if after = memory(t, pid, "VmRSS"); after <= idle+idle/10 || time.Now().After(deadline) {
				break
			}
		}
		t.Logf("lists: %-13s peak %4d MiB, after %d MiB; %s", kind.name, peak, after, waits)
		if most := min(idle+listMemory, 1024); peak > most {
			t.Errorf("%s: peak %d MiB, want at most %d", kind.name, peak, most)
		}
		if after > idle+idle/10 {
			t.Errorf("%s: %d MiB half a minute later, want idle again, and a tenth", kind.name, after)
		}
	}
}

type listKind struct {
	name, resource, accept string
	events                 int // a watch ends after so many; 0 is a list
}

func listAtOnce(t *testing.T, clients []*rest.RESTClient, kind listKind) {
	t.Helper()
	began := time.Now()
	var group sync.WaitGroup
	for _, c := range clients {
		group.Go(func() {
			n, asked, err := list(t.Context(), c, kind)
			if err != nil || n == 0 {
				t.Errorf("%s: %d bytes, %v", kind.name, n, err)
			}
			t.Logf("%s: %d MB after %.1f s, asked %d times", kind.name, n/1e6, time.Since(began).Seconds(), asked)
		})
	}
	group.Wait()
}

// getWhile reads one stream again and again while something runs, and says how long
// that took.
func (e *env) getWhile(t *testing.T, run func()) string {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	var took []time.Duration
	for {
		select {
		case <-done:
			slices.Sort(took)
			if len(took) == 0 {
				t.Error("no stream could be read meanwhile")
				return ""
			}
			return fmt.Sprintf("%d GETs meanwhile, median %s, 99%% %s, slowest %s", len(took), took[len(took)/2].Round(time.Millisecond),
				took[len(took)*99/100].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond))
		case <-time.After(20 * time.Millisecond):
			began := time.Now()
			e.get(t, "stream-00000")
			took = append(took, time.Since(began))
		}
	}
}
