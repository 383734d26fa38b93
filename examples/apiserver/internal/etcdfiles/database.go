package etcdfiles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// A database is what is to be known of etcd's bbolt file.
type database struct {
	empty     bool // the file has no byte
	newest    meta
	index     uint64 // of the last entry of the log that it holds
	compacted uint64 // revisions up to this one may be gone
	missing   uint64 // the last revision that is not there

	main, sub uint64           // the revision of the last object read
	keys      map[uint64]state // by the key's hash
	buckets   map[string]bool
	foreign   error // an object is not what the log says
}

// The format of bbolt v1.4.3 (internal/common): page.go, meta.go, inode.go, bucket.go.
// Its own check (Tx.Check) panics in a goroutine of its own on pages that make no
// sense, and nobody can recover from that. Numbers are in the machine's byte order.
const (
	pageHead, leafHead, branchHead, bucketHead = 16, 16, 16, 16

	branchPage, leafPage, metaPage = 0x01, 0x02, 0x04
	bucketFlag                     = 0x01

	magic, version = 0xED0CDAED, 2
	noFreelist     = ^uint64(0) // etcd keeps none (backend/config_linux.go)
	maxDepth       = 64
)

var order = binary.NativeEndian

// A walk goes through all pages that the newest transaction reaches.
type walk struct {
	file     *os.File
	pageSize int64
	pages    uint64 // there are so many
	seen     []bool // by page
	enter    func(bucket string)
	visit    func(bucket string, key, value []byte) error
}

type meta struct {
	pageSize                           uint32
	root, freelist, pages, transaction uint64
}

func readDatabase(name string, l *log) (*database, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	db := &database{keys: map[uint64]state{}, buckets: map[string]bool{}}
	if info.Size() == 0 {
		db.empty = true
		return db, nil
	}
	err = db.read(file, info.Size(), l)
	if pathError := (*os.PathError)(nil); err == nil || errors.As(err, &pathError) {
		return db, err
	}
	return nil, &DamageError{File: name, Cause: err}
}

func (db *database) read(file *os.File, size int64, l *log) error {
	newest, err := newestMeta(file)
	if err != nil {
		return err
	}
	db.newest = newest
	if newest.pages > uint64(size)/uint64(newest.pageSize) {
		return fmt.Errorf("it has %d bytes, and %d pages of %d bytes are in use: it was truncated", size, newest.pages, newest.pageSize)
	}
	w := &walk{file: file, pageSize: int64(newest.pageSize), pages: newest.pages, seen: make([]bool, newest.pages)}
	w.visit = func(bucket string, key, value []byte) error { return db.take(l, bucket, key, value) }
	w.enter = func(bucket string) { db.buckets[bucket] = true }
	if err := w.tree("", newest.root, nil, nil, 0); err != nil {
		return err
	}
	if !db.buckets["key"] || !db.buckets["meta"] {
		return errors.New("the objects are not there")
	}
	if db.missing > db.compacted {
		return fmt.Errorf("revision %d is not there, and only what comes before revision %d was compacted", db.missing, db.compacted)
	}
	return nil
}

// newestMeta reads both meta pages. bbolt goes on with one of them, which is one
// transaction behind and may by now be overwritten in part. A crash does not come to
// that: a meta page is written within one sector.
func newestMeta(file *os.File) (meta, error) {
	first, err := readMeta(file, 0)
	if err != nil {
		return meta{}, fmt.Errorf("meta page 0: %w", err)
	}
	second, err := readMeta(file, int64(first.pageSize))
	if err == nil && second.pageSize != first.pageSize {
		err = errors.New("the page size is another")
	}
	if err != nil {
		return meta{}, fmt.Errorf("meta page 1: %w", err)
	}
	if second.transaction > first.transaction {
		return second, nil
	}
	return first, nil
}

func readMeta(file *os.File, at int64) (meta, error) {
	page := make([]byte, pageHead+64)
	if _, err := file.ReadAt(page, at); errors.Is(err, io.EOF) {
		return meta{}, errors.New("the file ends before it")
	} else if err != nil {
		return meta{}, err
	}
	b := page[pageHead:]
	sum := fnv.New64a()
	sum.Write(b[:56])
	m := meta{order.Uint32(b[8:]), order.Uint64(b[16:]), order.Uint64(b[32:]), order.Uint64(b[40:]), order.Uint64(b[48:])}
	switch {
	case order.Uint32(b) != magic || order.Uint32(b[4:]) != version:
		return meta{}, errors.New("it is not that of a database")
	case order.Uint64(b[56:]) != sum.Sum64():
		return meta{}, errors.New("its checksum is wrong")
	case m.pageSize < 512 || m.freelist != noFreelist && m.freelist >= m.pages:
		return meta{}, errors.New("it makes no sense")
	}
	return m, nil
}

// tree reads the page and all below it. Its keys are at least low and below high, if
// there is a high.
func (w *walk) tree(bucket string, id uint64, low, high []byte, depth int) error {
	page, err := w.page(id, depth)
	if err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	if err := w.elements(bucket, page, low, high, depth); err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

// page reads a page that no other page leads to.
func (w *walk) page(id uint64, depth int) ([]byte, error) {
	head := make([]byte, pageHead)
	if id < 2 || id >= w.pages || depth > maxDepth {
		return nil, errors.New("there is no such page")
	}
	if _, err := w.file.ReadAt(head, int64(id)*w.pageSize); err != nil {
		return nil, err
	}
	overflow := uint64(order.Uint32(head[12:]))
	if order.Uint64(head) != id || overflow >= w.pages-id {
		return nil, errors.New("it is not what it was written as")
	}
	for i := id; i <= id+overflow; i++ {
		if w.seen[i] {
			return nil, errors.New("it is reached twice")
		}
		w.seen[i] = true
	}
	page := make([]byte, int64(overflow+1)*w.pageSize)
	_, err := w.file.ReadAt(page, int64(id)*w.pageSize)
	return page, err
}

// elements reads the elements of a page, or of a bucket that is within a value. bbolt
// writes them without a gap and without overlap, so that a count or a size which
// flipped is told by where its neighbors are (common.WriteInodeToPage).
func (w *walk) elements(bucket string, page, low, high []byte, depth int) error {
	if len(page) < pageHead {
		return errors.New("it is too short")
	}
	kind, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	if kind != leafPage && kind != branchPage || kind == branchPage && count == 0 {
		return fmt.Errorf("it has type %#x and %d elements", kind, count)
	}
	size := leafHead
	if kind == branchPage {
		size = branchHead
	}
	next := pageHead + count*size
	keys := make([][]byte, 0, count)
	var children []uint64
	for i := range count {
		at := pageHead + i*size
		if at+size > len(page) {
			return errors.New("it has more elements than bytes")
		}
		element := page[at : at+size]
		var position, keySize, valueSize uint32
		if kind == leafPage {
			position, keySize, valueSize = order.Uint32(element[4:]), order.Uint32(element[8:]), order.Uint32(element[12:])
		} else {
			position, keySize = order.Uint32(element), order.Uint32(element[4:])
			children = append(children, order.Uint64(element[8:]))
		}
		if at+int(position) != next || keySize == 0 || int64(next)+int64(keySize)+int64(valueSize) > int64(len(page)) {
			return fmt.Errorf("element %d is not where it was written", i)
		}
		key := page[next : next+int(keySize)]
		value := page[next+int(keySize) : next+int(keySize)+int(valueSize)]
		next += int(keySize) + int(valueSize)
		if bytes.Compare(key, low) < 0 || i > 0 && bytes.Equal(key, low) || high != nil && bytes.Compare(key, high) >= 0 {
			return fmt.Errorf("the key of element %d is out of order", i)
		}
		low = key
		keys = append(keys, key)
		if kind == leafPage {
			if err := w.leaf(bucket, order.Uint32(element), key, value, depth); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
	}
	for i, child := range children {
		above := high
		if i+1 < len(keys) {
			above = keys[i+1]
		}
		if err := w.tree(bucket, child, keys[i], above, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) leaf(bucket string, flags uint32, key, value []byte, depth int) error {
	switch {
	case flags == 0 && bucket != "":
		return w.visit(bucket, key, value)
	case flags != bucketFlag || bucket != "" || len(value) < bucketHead:
		return fmt.Errorf("it has the flags %#x in %d bytes", flags, len(value))
	}
	w.enter(string(key))
	if root := order.Uint64(value); root != 0 {
		return w.tree(string(key), root, nil, nil, depth+1)
	}
	return w.elements(string(key), value[bucketHead:], nil, nil, depth+1)
}
