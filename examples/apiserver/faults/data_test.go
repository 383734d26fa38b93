package faults_test

import (
	"bytes"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
)

// written makes a data directory that holds acknowledged writes, as a server leaves it
// that was ended by the signal.
func written(t *testing.T, signal syscall.Signal) (string, *journal) {
	t.Helper()
	dir := tempDir(t)
	p := start(t, "--data-dir="+dir)
	c, j := p.client(t), newJournal()
	for n := range 40 {
		if err := j.create(t.Context(), c, fmt.Sprintf("s-%d", n), fmt.Sprintf("value-%d", n)); err != nil {
			t.Fatal(err)
		}
	}
	// etcd writes to its database ten times a second, and before that to its log.
	for deadline := time.Now().Add(limit()); ; time.Sleep(10 * time.Millisecond) {
		content, err := os.ReadFile(database(dir))
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("the database lacks what was written: %v", err)
		}
		if bytes.Contains(content, []byte("value-39")) {
			break
		}
	}
	p.signal(t, signal)
	p.wait(t)
	return dir, j
}

// files of a data directory.
func segment(dir string) string {
	return filepath.Join(dir, "etcd/member/wal/0000000000000000-0000000000000000.wal")
}
func database(dir string) string { return filepath.Join(dir, "etcd/member/snap/db") }

// edit changes the bytes of a file from where used says they are in use until.
func edit(t *testing.T, file string, change func(content []byte, used int) []byte) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	content = change(content, len(used(content)))
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// The faults of the data, as a table: what breaks, and what the server says to it; if it
// says nothing, it serves all.
var dataFaults = []struct {
	name   string
	damage func(t *testing.T, dir string)
	says   []string
}{
	{"log truncated in the middle", func(t *testing.T, dir string) {
		edit(t, segment(dir), func(b []byte, used int) []byte { return b[:used/2] })
	}, []string{".wal is damaged", "restore a copy"}},
	{"log truncated behind its last record", func(t *testing.T, dir string) {
		edit(t, segment(dir), func(b []byte, used int) []byte { return b[:used+64] })
	}, []string{".wal is damaged", "truncated", "restore a copy"}},
	{"a bit of a record of the log", func(t *testing.T, dir string) {
		edit(t, segment(dir), func(b []byte, used int) []byte { b[used/2] ^= 4; return b })
	}, []string{".wal is damaged", "restore a copy"}},
	{"a block of the log lost", func(t *testing.T, dir string) {
		edit(t, segment(dir), func(b []byte, used int) []byte { clear(b[used/2/512*512 : used/2/512*512+512]); return b })
	}, []string{".wal is damaged", "restore a copy"}},
	{"a record of the log cut off by a crash", func(t *testing.T, dir string) {
		edit(t, segment(dir), func(b []byte, used int) []byte {
			end := (used + 7) / 8 * 8
			copy(b[end:], "\xb8\x0b\x00\x00\x00\x00\x00\x00")
			for i := end + 8; i%512 != 0; i++ {
				b[i] = 'x'
			}
			return b
		})
	}, nil},
	{"log gone", func(t *testing.T, dir string) {
		if err := os.RemoveAll(filepath.Dir(segment(dir))); err != nil {
			t.Fatal(err)
		}
	}, []string{"wal is damaged", "restore a copy"}},
	{"database truncated", func(t *testing.T, dir string) {
		edit(t, database(dir), func(b []byte, used int) []byte { return b[:used/2] })
	}, []string{"db is damaged", "truncated", "move", "out of the log"}},
	{"a bit of a page of the database", func(t *testing.T, dir string) {
		edit(t, database(dir), func(b []byte, used int) []byte { b[0] ^= 1; b[16] ^= 1; return b })
	}, []string{"db is damaged", "move", "out of the log"}},
	{"a bit of an object in the database", func(t *testing.T, dir string) {
		edit(t, database(dir), func(b []byte, used int) []byte {
			for i := 0; i < len(b); { // in all copies, of which one counts
				at := bytes.Index(b[i:], []byte("value-11"))
				if at < 0 {
					break
				}
				b[i+at+7] ^= 2
				i += at + 8
			}
			return b
		})
	}, []string{"db is damaged", "move", "out of the log"}},
	{"database gone", func(t *testing.T, dir string) {
		if err := os.Remove(database(dir)); err != nil {
			t.Fatal(err)
		}
	}, nil},
	{"a directory instead of the database", func(t *testing.T, dir string) {
		if err := os.Remove(database(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(database(dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}, []string{"is a directory", "choose another"}},
	{"newest snapshot truncated", func(t *testing.T, dir string) {
		edit(t, snapshots(t, dir), func(b []byte, used int) []byte { return b[:len(b)/2] })
	}, nil},
	{"a bit of the newest snapshot", func(t *testing.T, dir string) {
		edit(t, snapshots(t, dir), func(b []byte, used int) []byte { b[len(b)/2] ^= 1; return b })
	}, nil},
	{"token cut off", func(t *testing.T, dir string) {
		edit(t, filepath.Join(dir, "token"), func(b []byte, used int) []byte { return b[:3] })
	}, []string{"token", "remove it"}},
	{"certificate cut off", func(t *testing.T, dir string) {
		edit(t, filepath.Join(dir, "serving.pem"), func(b []byte, used int) []byte { return b[:used-20] })
	}, []string{"serving.pem", "remove it"}},
}

// snapshots lets etcd itself make snapshots, sooner than after 10,000 writes, and returns
// the newest.
func snapshots(t *testing.T, dir string) string {
	t.Helper()
	config := embed.NewConfig()
	config.Dir = filepath.Join(dir, "etcd")
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Path: filepath.Join(dir, "s")}}
	config.ListenPeerUrls = nil
	config.TickMs, config.ElectionMs = 10, 100
	config.LogLevel = "panic"
	config.SnapshotCount, config.SnapshotCatchUpEntries = 10, 1
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	<-etcd.Server.ReadyNotify()
	c := v3client.New(etcd.Server)
	defer c.Close()
	for n := range 40 {
		if _, err := c.Put(t.Context(), fmt.Sprintf("/elsewhere/%d", n), "x"); err != nil {
			t.Fatal(err)
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, "etcd/member/snap/*.snap"))
	if err != nil || len(found) < 2 {
		t.Fatalf("%v, %v; want two snapshots", found, err)
	}
	return found[len(found)-1]
}

// unsealed are the faults of which a server may leave something else to compare with
// when it is killed than when it ends in good order.
var unsealed = []string{"log truncated behind its last record", "a record of the log cut off by a crash", "a bit of an object in the database"}

func TestData(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run("after "+signal.String(), func(t *testing.T) {
			t.Parallel()
			source, j := written(t, signal)
			for _, fault := range dataFaults {
				if signal == syscall.SIGKILL && !all && !slices.Contains(unsealed, fault.name) {
					continue
				}
				t.Run(fault.name, func(t *testing.T) {
					t.Parallel()
					dir := duplicate(t, source)
					fault.damage(t, dir)
					before := state(t, dir)
					p := start(t, "--data-dir="+dir)
					if fault.says == nil {
						j.check(t, p.client(t))
						p.stop(t)
						return
					}
					p.refuses(t, fault.says...)
					after := state(t, dir)
					for _, own := range []string{"lock", "run/lock"} { // who was there last
						delete(before, filepath.Join(dir, own))
						delete(after, filepath.Join(dir, own))
					}
					if !maps.Equal(before, after) {
						t.Errorf("it was\n%v\nand is\n%v", before, after)
					}
				})
			}
		})
	}
}

// TestRemedy does what the line says, and all is there again.
func TestRemedy(t *testing.T) {
	t.Parallel()
	dir, j := written(t, syscall.SIGKILL)
	edit(t, database(dir), func(b []byte, used int) []byte { return b[:used/2] })
	snap := filepath.Dir(database(dir))
	start(t, "--data-dir="+dir).refuses(t, "move "+snap+" away")
	if err := os.Rename(snap, snap+".damaged"); err != nil {
		t.Fatal(err)
	}
	p := start(t, "--data-dir="+dir)
	j.check(t, p.client(t))
	p.stop(t)
}
