// Package etcdfiles tells whether the files of a one-member etcd are whole, before
// etcd opens them.
//
// etcd itself serves on after some damage with acknowledged writes missing, and
// ends without a word, or with a stack trace, after other damage:
//
//   - wal.Repair (etcd v3.6.8, server/storage/wal/repair.go) cuts off whatever
//     follows a record that looks torn. A bit that flips in a record's length, or a
//     lost disk block, looks like that too, and so does a truncated file; all that
//     follows had been acknowledged. A file that is cut off between two records, and
//     a record of which the length became zero, is the end of the log to it.
//   - The checksum of a record does not cover its type: one flipped bit makes an entry
//     a state.
//   - bbolt v1.4.3 keeps a checksum of its two meta pages only, and reads past the end
//     of a truncated file until the kernel kills the process (SIGBUS). A bit of an
//     object that flips is served.
//
// So everything is read once before etcd does. What a crash leaves is told apart from
// damage by what follows: see [checkTail]. What etcd stored is compared with the log as
// long as that goes back to the first entry (etcd keeps five segments of 64 MB), and
// with the sum that [Seal] made if etcd ended orderly. So two things can pass: after a
// kill, a bit that flips in a database which is older than its log; and a pointer, to
// the page of the newest revisions, that leads to what this page was some writes ago.
package etcdfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdserver/api/snap"
	"go.uber.org/zap"
)

// A DamageError says which file is damaged, and what can be done.
type DamageError struct {
	// File is the damaged file, or the directory of files that do not fit together.
	File string
	// Cause says what is wrong with it.
	Cause error
	// Rebuild is a directory that may be moved away: etcd makes what was in it anew,
	// out of its log. Empty if the log does not suffice.
	Rebuild string
}

func (e *DamageError) Error() string { return fmt.Sprintf("%s is damaged: %v", e.File, e.Cause) }

// Unwrap returns the cause.
func (e *DamageError) Unwrap() error { return e.Cause }

// Check reads the files in etcd's data directory. Damage is a [*DamageError]; other
// errors are of reading. A directory in which no etcd ran is whole.
//
// It changes one thing, and only if all else is whole: the end of the last record of
// the log, which a crash cut off, is overwritten with zeros. Nobody was told that this
// record is stored. etcd would cut off the file there, and no later Check could tell
// that from a file which was truncated.
func Check(dir string) error {
	walDir, snapDir := filepath.Join(dir, "member", "wal"), filepath.Join(dir, "member", "snap")
	l, err := readLog(walDir)
	if err != nil {
		return err
	}
	snapshot, err := newestSnapshot(snapDir, l)
	if err != nil {
		return err
	}
	file := filepath.Join(snapDir, "db")
	db, err := readDatabase(file, l)
	if err == nil && !db.empty {
		err = checkSeal(dir, db)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && db.empty:
		// It was never made, or is gone; a log from the beginning makes it anew.
		if l.last > 0 && (!l.whole || snapshot > 0) {
			return &DamageError{File: file, Cause: errors.New("it is empty or gone"), Rebuild: l.rebuild(snapDir)}
		}
		return l.dropTorn()
	case err != nil:
		if damage := (*DamageError)(nil); errors.As(err, &damage) {
			damage.Rebuild = l.rebuild(snapDir)
		}
		return err
	case db.index > l.last:
		return &DamageError{File: walDir, Cause: fmt.Errorf("it ends with entry %d, and the database holds what was written up to entry %d", l.last, db.index)}
	case db.foreign != nil:
		return &DamageError{File: file, Cause: db.foreign, Rebuild: l.rebuild(snapDir)}
	case db.index < snapshot:
		return &DamageError{File: file, Cause: fmt.Errorf("it holds what was written up to entry %d, and the snapshot begins at %d", db.index, snapshot), Rebuild: l.rebuild(snapDir)}
	}
	return l.dropTorn()
}

// rebuild is the remedy for all that a log from the beginning can make anew.
func (l *log) rebuild(snapDir string) string {
	if l.whole {
		return snapDir
	}
	return ""
}

// newestSnapshot returns the index of the snapshot that etcd will begin with, 0 if it
// begins with the first entry. As etcd does (snap.Snapshotter.LoadNewestAvailable), it
// passes over those that cannot be read and those that the log does not know.
func newestSnapshot(dir string, l *log) (uint64, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.snap"))
	if err != nil {
		return 0, err
	}
	var newest uint64
	damage := &DamageError{File: dir, Cause: errors.New("no snapshot is there")}
	for _, file := range files {
		read, err := snap.Read(zap.NewNop(), file)
		if err != nil {
			if pathError := (*os.PathError)(nil); errors.As(err, &pathError) {
				return 0, err
			}
			damage = &DamageError{File: file, Cause: err}
			continue
		}
		m := read.Metadata
		if m.Index > newest && m.Index <= l.commit && l.snapshots[m.Index] == m.Term {
			newest = m.Index
		}
	}
	if !l.whole && l.last > 0 && newest+1 < l.first {
		damage.Cause = fmt.Errorf("%w; the log begins with entry %d", damage.Cause, l.first)
		return 0, damage
	}
	return newest, nil
}
