package etcdfiles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/etcd/api/v3/mvccpb"
)

// buckets are all that etcd v3.6.8 makes (server/storage/schema/bucket.go). A name in
// which a bit flipped would be a bucket that is not there.
var buckets = []string{"alarm", "auth", "authRoles", "authUsers", "cluster", "key", "lease", "members", "members_removed", "meta"}

// A state is what a revision of a key tells of the next one.
type state struct {
	created, version int64
	deleted          bool
}

// take checks and takes what etcd stored in a bucket.
func (db *database) take(l *log, bucket string, key, value []byte) error {
	switch {
	case !slices.Contains(buckets, bucket):
		return fmt.Errorf("etcd has no bucket %q", bucket)
	case bucket == "key":
		return db.object(l, key, value)
	case bucket == "meta" && string(key) == "consistent_index":
		if len(value) != 8 {
			return errors.New("the index of the last entry makes no sense")
		}
		db.index = binary.BigEndian.Uint64(value)
	case bucket == "meta" && (string(key) == "scheduledCompactRev" || string(key) == "finishedCompactRev"):
		if len(value) < 8 {
			return errors.New("the compacted revision makes no sense")
		}
		db.compacted = max(db.compacted, binary.BigEndian.Uint64(value))
	}
	return nil
}

// object checks one revision of one key (server/storage/mvcc/revision.go): that it
// follows from the revisions before, and, since the database has no checksum of what was
// written, that the log says so, if it goes back to the first entry.
func (db *database) object(l *log, revision, value []byte) error {
	const plain, marked = 8 + 1 + 8, 8 + 1 + 8 + 1
	if len(revision) != plain && (len(revision) != marked || revision[plain] != 't') || revision[8] != '_' {
		return errors.New("its key is not a revision")
	}
	main, sub := binary.BigEndian.Uint64(revision), binary.BigEndian.Uint64(revision[9:])
	switch {
	case main == db.main && sub == db.sub+1 || main == db.main+1 && sub == 0:
	case db.main == 0 && main == 2 && sub == 0: // etcd begins with 2
	case sub == 0:
		db.missing = main - 1
	default: // an earlier part of the same transaction is not there
		db.missing = main
	}
	db.main, db.sub = main, sub

	var object mvccpb.KeyValue
	if err := object.Unmarshal(value); err != nil {
		return fmt.Errorf("revision %d: %w", main, err)
	}
	if same, err := object.Marshal(); err != nil || len(object.Key) == 0 || !bytes.Equal(same, value) {
		return fmt.Errorf("revision %d is not written as etcd writes it", main)
	}
	key := l.hash(object.Key)
	before, known := db.keys[key]
	if len(revision) == marked {
		db.keys[key] = state{deleted: true}
		if object.Version != 0 || object.ModRevision != 0 || l.whole && !l.wrote(object.Key) {
			return fmt.Errorf("revision %d deletes what was not there", main)
		}
		return nil
	}
	db.keys[key] = state{created: object.CreateRevision, version: object.Version}
	switch {
	case uint64(object.ModRevision) != main:
		return fmt.Errorf("revision %d says that it is %d", main, object.ModRevision)
	case object.Version == 1 && object.CreateRevision == object.ModRevision && (!known || before.deleted):
	case known && !before.deleted && object.Version == before.version+1 && object.CreateRevision == before.created:
	case !known && object.Version > 1 && object.CreateRevision < object.ModRevision:
		// The revisions before it can only be gone by compaction.
		db.missing = max(db.missing, main)
	default:
		return fmt.Errorf("revision %d does not follow from those before it", main)
	}
	if db.foreign == nil && l.whole && !l.wrote(object.Key, object.Value, lease(object.Lease)) {
		// If the log ends too early, that is the damage, and it is known later.
		db.foreign = fmt.Errorf("revision %d of %q is not what the log says was written", main, object.Key)
	}
	return nil
}

func lease(id int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(id)) }
