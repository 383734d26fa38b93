package etcdfiles

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/client/pkg/v3/fileutil"
	"go.etcd.io/etcd/server/v3/storage/wal"
	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
	"go.etcd.io/raft/v3/raftpb"
)

// A log is what etcd's write-ahead log holds.
type log struct {
	dir       string
	whole     bool   // it goes back to the first entry
	first     uint64 // index of its first entry
	last      uint64 // index of its last entry, 0 if it has none
	term      uint64 // of its last entry
	state     raftpb.HardState
	commit    uint64
	snapshots map[uint64]uint64 // term by index
	metadata  []byte
	crc       uint32 // of all records so far

	seed maphash.Seed
	put  map[uint64]struct{} // hashes of all keys, and of keys, values and leases, that were written

	torn *span // what a crash left of the last record
}

// A span is a part of a file.
type span struct {
	file       string
	begin, end int64
}

// readLog reads all segments, more strictly than etcd does: one member has no other
// leader who could have overwritten entries, so they follow each other without a gap.
func readLog(dir string) (*log, error) {
	l := &log{dir: dir, snapshots: map[uint64]uint64{}, seed: maphash.MakeSeed(), put: map[uint64]struct{}{}}
	if _, err := os.ReadDir(dir); errors.Is(err, fs.ErrNotExist) {
		return l, nil
	} else if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.wal"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, &DamageError{File: dir, Cause: errors.New("it holds no segment of the log")}
	}
	slices.Sort(files)
	var before uint64
	for i, file := range files {
		var seq, index uint64
		if _, err := fmt.Sscanf(filepath.Base(file), "%016x-%016x.wal", &seq, &index); err != nil {
			return nil, &DamageError{File: file, Cause: errors.New("its name is not that of a segment")}
		}
		switch {
		case i == 0:
			l.whole, l.first = seq == 0 && index == 0, max(index, 1)
			l.last = l.first - 1
		case seq != before+1 || index != l.last+1:
			return nil, &DamageError{File: dir, Cause: fmt.Errorf("the segment before %s is gone or not whole", filepath.Base(file))}
		}
		before = seq
		if err := l.readSegment(file, i == 0, i == len(files)-1); err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *log) readSegment(name string, first, last bool) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	damaged := func(at int64, err error) error {
		if pathError := (*os.PathError)(nil); errors.As(err, &pathError) {
			return err
		}
		return &DamageError{File: name, Cause: fmt.Errorf("at byte %d: %w", at, err)}
	}
	decoder, record := wal.NewDecoder(fileutil.NewFileReader(file)), new(walpb.Record)
	for n := 0; ; n++ {
		at := decoder.LastOffset()
		if err = decoder.Decode(record); err != nil {
			break
		}
		if n == 0 {
			if record.Type != wal.CrcType || !first && record.Crc != l.crc {
				return damaged(at, errors.New("it does not go on from the segment before"))
			}
			decoder.UpdateCRC(record.Crc)
			continue
		}
		if err := l.add(record, n); err != nil {
			return damaged(at, err)
		}
	}
	end := decoder.LastOffset()
	l.crc = decoder.LastCRC()
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) || !last && !errors.Is(err, io.EOF) {
		return damaged(end, err)
	}
	if end == 0 || l.metadata == nil {
		return damaged(end, errors.New("it has no head"))
	}
	torn, err := checkTail(file, end, info.Size(), l.crc)
	if err != nil {
		return damaged(end, err)
	}
	switch {
	case torn != nil && !last:
		return damaged(end, errors.New("its last record is not whole"))
	case info.Size() < wal.SegmentSizeBytes:
		// etcd makes a segment with that size, and shortens it only behind its last
		// record, when that is further on (wal.Create, wal.cut).
		return damaged(info.Size(), fmt.Errorf("it ends there, and was made with %d bytes: it was truncated", wal.SegmentSizeBytes))
	}
	l.torn = torn
	return nil
}

// add checks and takes one record that is not the first of its segment.
func (l *log) add(record *walpb.Record, n int) error {
	if (n == 1) != (record.Type == wal.MetadataType) {
		return fmt.Errorf("record %d of the segment has type %d", n, record.Type)
	}
	switch record.Type {
	case wal.MetadataType:
		var metadata etcdserverpb.Metadata
		if err := metadata.Unmarshal(record.Data); err != nil {
			return err
		}
		if metadata.NodeID == 0 || l.metadata != nil && !bytes.Equal(l.metadata, record.Data) {
			return errors.New("it is the log of another member")
		}
		l.metadata = bytes.Clone(record.Data)
	case wal.EntryType:
		var entry raftpb.Entry
		if err := entry.Unmarshal(record.Data); err != nil {
			return err
		}
		if entry.Index != l.last+1 || entry.Term < l.term {
			return fmt.Errorf("entry %d of term %d follows entry %d of term %d", entry.Index, entry.Term, l.last, l.term)
		}
		l.last, l.term = entry.Index, entry.Term
		l.remember(entry)
	case wal.StateType:
		var state raftpb.HardState
		if err := state.Unmarshal(record.Data); err != nil {
			return err
		}
		if state.Term < l.state.Term || state.Term < l.term || state.Commit < l.state.Commit || state.Commit > l.last {
			return fmt.Errorf("state (term %d, commit %d) follows state (term %d, commit %d) and entry %d", state.Term, state.Commit, l.state.Term, l.state.Commit, l.last)
		}
		l.state, l.commit = state, state.Commit
	case wal.SnapshotType:
		var snapshot walpb.Snapshot
		if err := snapshot.Unmarshal(record.Data); err != nil {
			return err
		}
		if snapshot.Index > l.last {
			return fmt.Errorf("snapshot at %d follows entry %d", snapshot.Index, l.last)
		}
		l.snapshots[snapshot.Index] = snapshot.Term
	default:
		return fmt.Errorf("a record has type %d", record.Type)
	}
	return nil
}

// remember keeps what the entry writes, whether its conditions held or not.
func (l *log) remember(entry raftpb.Entry) {
	var request etcdserverpb.InternalRaftRequest
	if entry.Type != raftpb.EntryNormal || len(entry.Data) == 0 || request.Unmarshal(entry.Data) != nil {
		return
	}
	if request.Put != nil {
		l.rememberPut(request.Put)
	}
	if request.Txn != nil {
		l.rememberTxn(request.Txn)
	}
}

func (l *log) rememberTxn(txn *etcdserverpb.TxnRequest) {
	for _, operation := range slices.Concat(txn.Success, txn.Failure) {
		if put := operation.GetRequestPut(); put != nil {
			l.rememberPut(put)
		}
		if inner := operation.GetRequestTxn(); inner != nil {
			l.rememberTxn(inner)
		}
	}
}

func (l *log) rememberPut(put *etcdserverpb.PutRequest) {
	l.put[l.hash(put.Key)] = struct{}{}
	l.put[l.hash(put.Key, put.Value, lease(put.Lease))] = struct{}{}
}

// wrote reports whether the log writes that: a key, or a key with its value and lease.
func (l *log) wrote(what ...[]byte) bool {
	_, ok := l.put[l.hash(what...)]
	return ok
}

func (l *log) hash(what ...[]byte) uint64 {
	var h maphash.Hash
	h.SetSeed(l.seed)
	for _, part := range what {
		maphash.WriteComparable(&h, len(part))
		h.Write(part)
	}
	return h.Sum64()
}
