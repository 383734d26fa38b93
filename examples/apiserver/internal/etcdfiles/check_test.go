package etcdfiles_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.etcd.io/etcd/server/v3/etcdserver/api/v3client"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"

	"github.com/polyarch/polyarch/examples/apiserver/internal/etcdfiles"
)

func TestMain(m *testing.M) {
	// Small enough to break every byte.
	wal.SegmentSizeBytes = 32 << 10
	os.Exit(m.Run())
}

// run runs etcd on the directory while write does.
func run(t *testing.T, dir string, snapshotCount uint64, write func(*clientv3.Client)) {
	t.Helper()
	config := embed.NewConfig()
	config.Dir = dir
	sockets, err := os.MkdirTemp("", "etcdfiles-") // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(sockets)
	config.ListenClientUrls = []url.URL{{Scheme: "unix", Path: filepath.Join(sockets, "s")}}
	config.ListenPeerUrls = nil
	config.TickMs, config.ElectionMs = 10, 100
	config.LogLevel = "panic"
	config.SnapshotCount = snapshotCount
	config.SnapshotCatchUpEntries = 1
	etcd, err := embed.StartEtcd(config)
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	<-etcd.Server.ReadyNotify()
	client := v3client.New(etcd.Server)
	defer client.Close()
	write(client)
}

// puts writes objects of which most do not fit in a page together.
func puts(t *testing.T, from, to int) func(*clientv3.Client) {
	return func(client *clientv3.Client) {
		t.Helper()
		for i := from; i < to; i++ {
			if _, err := client.Put(t.Context(), fmt.Sprintf("/registry/%03d", i), strings.Repeat(fmt.Sprint(i%10), 100)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// objects are those that etcd would serve, by revision; nil if it would not.
func objects(file string) (found map[string]string) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	db, err := bolt.Open(file, 0o600, &bolt.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer db.Close()
	_ = db.View(func(tx *bolt.Tx) error {
		found = map[string]string{}
		return tx.Bucket([]byte("key")).ForEach(func(k, v []byte) error {
			found[string(k)] = string(v)
			return nil
		})
	})
	return found
}

// entries are what etcd would read from the log; nil if it would not.
func entries(dir string) (found []string) {
	defer func() {
		if recover() != nil {
			found = nil
		}
	}()
	w, err := wal.OpenForRead(nil, dir, walpb.Snapshot{})
	if err != nil {
		return nil
	}
	defer w.Close()
	_, _, all, err := w.ReadAll()
	if err != nil {
		return nil
	}
	for _, entry := range all {
		found = append(found, entry.String())
	}
	return found
}

func TestWhole(t *testing.T) {
	dir := t.TempDir()
	if err := etcdfiles.Check(filepath.Join(dir, "none")); err != nil {
		t.Errorf("nothing there: %v", err)
	}
	for round := range 4 {
		run(t, dir, 10_000, func(client *clientv3.Client) {
			puts(t, 30*round, 30*round+30)(client)
			if _, err := client.Delete(t.Context(), "/registry/001"); err != nil {
				t.Fatal(err)
			}
			if round == 2 {
				if _, err := client.Compact(t.Context(), 40, clientv3.WithCompactPhysical()); err != nil {
					t.Fatal(err)
				}
			}
			// In the middle of its life, as a kill leaves it.
			if err := etcdfiles.Check(dir); err != nil {
				t.Errorf("round %d, running: %v", round, err)
			}
		})
		if err := etcdfiles.Check(dir); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// TestEveryByte flips one bit of every byte of both files, and cuts them off there: that
// is noticed, or etcd reads what it read before.
func TestEveryByte(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, 10_000, puts(t, 0, 60))
	if err := etcdfiles.Seal(dir); err != nil {
		t.Fatal(err)
	}
	walDir := filepath.Join(dir, "member", "wal")
	db := filepath.Join(dir, "member", "snap", "db")
	segments, err := filepath.Glob(filepath.Join(walDir, "*.wal"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("%v, %v", segments, err)
	}
	for name, c := range map[string]struct {
		file string
		same func() bool
	}{
		"log": {segments[len(segments)-1], func() func() bool {
			want := entries(walDir)
			return func() bool { return slices.Equal(entries(walDir), want) }
		}()},
		"database": {db, func() func() bool { want := objects(db); return func() bool { return maps.Equal(objects(db), want) } }()},
	} {
		t.Run(name, func(t *testing.T) {
			whole, err := os.ReadFile(c.file)
			if err != nil {
				t.Fatal(err)
			}
			used := len(bytes.TrimRight(whole, "\x00"))
			if !c.same() || used < 10_000 {
				t.Fatalf("%d bytes in use", used)
			}
			file, err := os.OpenFile(c.file, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			noticed, harmless := 0, 0
			try := func(what string) {
				t.Helper()
				err := etcdfiles.Check(dir)
				damage := (*etcdfiles.DamageError)(nil)
				switch {
				case errors.As(err, &damage):
					noticed++
				case err != nil:
					t.Errorf("%s: %v", what, err)
				case !c.same() && what != "cut off at 0": // see TestRebuild
					t.Errorf("%s: not noticed", what)
				default:
					harmless++
				}
			}
			for at := range used {
				// Of the bytes of values, a few stand for all.
				if at%61 != 0 && at > 0 && at+1 < used && whole[at] == whole[at-1] && whole[at] == whole[at+1] {
					continue
				}
				if _, err := file.WriteAt([]byte{whole[at] ^ 1<<(at%8)}, int64(at)); err != nil {
					t.Fatal(err)
				}
				try(fmt.Sprintf("byte %d flipped", at))
				if _, err := file.WriteAt(whole[at:at+1], int64(at)); err != nil {
					t.Fatal(err)
				}
				if at%256 != 0 {
					continue
				}
				if err := file.Truncate(int64(at)); err != nil {
					t.Fatal(err)
				}
				try(fmt.Sprintf("cut off at %d", at))
				if _, err := file.WriteAt(whole[at:used], int64(at)); err != nil {
					t.Fatal(err)
				}
				if err := file.Truncate(int64(len(whole))); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d bytes: %d noticed, %d harmless", used, noticed, harmless)
			if noticed < used/20 {
				t.Error("hardly anything is noticed")
			}
			if got, err := os.ReadFile(c.file); err != nil || !bytes.Equal(got, whole) {
				t.Errorf("a check changed the file: %v", err)
			}
		})
	}
}

// TestTorn holds that what a crash leaves of the last record is no damage, and that all
// entries before it stay.
func TestTorn(t *testing.T) {
	for _, c := range []struct {
		name string
		keep int // sectors of the last record
		more bool
		ok   bool
	}{
		{"its first sector was written", 1, false, true},
		{"its first two sectors were written", 2, false, true},
		{"something follows", 1, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			run(t, dir, 10_000, puts(t, 0, 5))
			walDir := filepath.Join(dir, "member", "wal")
			segments, err := filepath.Glob(filepath.Join(walDir, "*.wal"))
			if err != nil || len(segments) != 1 {
				t.Fatalf("%v, %v", segments, err)
			}
			whole, err := os.ReadFile(segments[0])
			if err != nil {
				t.Fatal(err)
			}
			want, end := entries(walDir), (len(bytes.TrimRight(whole, "\x00"))+7)/8*8
			// The frame of a record of 3000 bytes, and what of it reached the disk.
			torn := bytes.Clone(whole)
			copy(torn[end:], []byte{0xb8, 0x0b, 0, 0, 0, 0, 0, 0})
			for i := end + 8; i < end/512*512+512*c.keep; i++ {
				torn[i] = 'x'
			}
			if c.more {
				torn[end+4000] = 1
			}
			if err := os.WriteFile(segments[0], torn, 0o600); err != nil {
				t.Fatal(err)
			}
			err = etcdfiles.Check(dir)
			if (err == nil) != c.ok {
				t.Fatalf("got %v", err)
			}
			got, readErr := os.ReadFile(segments[0])
			if readErr != nil {
				t.Fatal(readErr)
			}
			if after := map[bool][]byte{true: whole, false: torn}[c.ok]; !bytes.Equal(got, after) {
				t.Error("the file is not what it should be")
			}
			if c.ok && !slices.Equal(entries(walDir), want) {
				t.Error("entries changed")
			}
		})
	}
}

// TestFilesGone takes away what cannot be done without, and what can.
func TestFilesGone(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, 20, puts(t, 0, 400))
	run(t, dir, 20, puts(t, 400, 410))
	snapshots, err := filepath.Glob(filepath.Join(dir, "member", "snap", "*.snap"))
	if err != nil || len(snapshots) < 2 {
		t.Fatalf("%v, %v; want two snapshots", snapshots, err)
	}
	segments, err := filepath.Glob(filepath.Join(dir, "member", "wal", "*.wal"))
	if err != nil || len(segments) < 3 {
		t.Fatalf("%v, %v; want three segments", segments, err)
	}
	if err := etcdfiles.Check(dir); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "member", "snap", "db")
	for _, c := range []struct {
		name  string
		gone  []string
		says  string
		mends bool // etcd can make the database anew
	}{
		{"the database, with snapshots", []string{db}, "empty or gone", true},
		{"the database and all snapshots", append([]string{db}, snapshots...), "", false},
		{"one snapshot", snapshots[len(snapshots)-1:], "", false},
		{"all snapshots", snapshots, "", false},
		{"the first segment", segments[:1], "", false},
		{"the first segment and all snapshots", append(segments[:1:1], snapshots...), "the log begins with entry", false},
		{"a segment in the middle", segments[1:2], "gone", false},
		{"the last segment", segments[len(segments)-1:], "it ends with entry", false},
		{"all segments", segments, "no segment", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, file := range c.gone {
				if err := os.Rename(file, file+".gone"); err != nil {
					t.Fatal(err)
				}
				defer os.Rename(file+".gone", file)
			}
			err := etcdfiles.Check(dir)
			if damage := (*etcdfiles.DamageError)(nil); c.says == "" && err != nil || c.says != "" && (!errors.As(err, &damage) || !strings.Contains(err.Error(), c.says) || (damage.Rebuild != "") != c.mends) {
				t.Errorf("got %v, want %q, rebuild %v", err, c.says, c.mends)
			}
		})
	}
}

// TestRebuild follows the remedy: without its database and snapshots, etcd makes all
// anew out of a log that goes back to the first entry.
func TestRebuild(t *testing.T) {
	dir := t.TempDir()
	run(t, dir, 20, puts(t, 0, 100))
	db := filepath.Join(dir, "member", "snap", "db")
	want := objects(db)
	content, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	// All of it: a page that was written anew may still stand in the file as it was before.
	content = bytes.ReplaceAll(content, []byte("5555"), []byte("6555"))
	if err := os.WriteFile(db, content, 0o600); err != nil {
		t.Fatal(err)
	}
	damage := (*etcdfiles.DamageError)(nil)
	if err := etcdfiles.Check(dir); !errors.As(err, &damage) || damage.Rebuild != filepath.Dir(db) {
		t.Fatalf("got %v", err)
	}
	if err := os.Rename(damage.Rebuild, damage.Rebuild+".damaged"); err != nil {
		t.Fatal(err)
	}
	if err := etcdfiles.Check(dir); err != nil {
		t.Fatal(err)
	}
	run(t, dir, 10_000, func(client *clientv3.Client) {
		answer, err := client.Get(context.WithoutCancel(t.Context()), "/registry/", clientv3.WithPrefix())
		if err != nil || answer.Count != 100 {
			t.Errorf("%v, %v; want 100 objects", answer, err)
		}
	})
	if got := objects(db); !maps.Equal(got, want) {
		t.Errorf("%d objects, want %d", len(got), len(want))
	}
}
