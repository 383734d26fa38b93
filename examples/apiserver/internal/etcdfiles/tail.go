package etcdfiles

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"

	"go.etcd.io/etcd/server/v3/storage/wal/walpb"
)

// sector is what a disk writes whole or not at all.
const sector = 512

// checkTail looks at what follows the last record that can be read, at end.
//
// A log that nothing happened to has nothing but zeros there. A process or a machine
// that died while it wrote leaves the beginning of one record, up to the end of a page
// or sector, and zeros behind it; etcd had not answered that request yet, since it
// answers when the record is on the disk. That is the one case that is not damage, and
// is returned. All else is: bytes behind the record that cannot be read, a record that
// ends within what was written, and one that is there but has a wrong length.
//
// A machine that loses its power may write the pages of several records in another
// order than they come, and so leave what looks like damage here. It is reported as
// such: to refuse what was whole is better than to serve what is not.
func checkTail(file *os.File, end, size int64, crc uint32) (*span, error) {
	written, err := lastByte(file, end, size)
	if err != nil || written == end {
		return nil, err
	}
	head := make([]byte, min(written-end, 1<<20))
	if _, err := file.ReadAt(head, end); err != nil {
		return nil, err
	}
	const frame = 8
	if len(head) < frame || binary.LittleEndian.Uint64(head) == 0 {
		return nil, fmt.Errorf("no record begins there, and what follows, up to byte %d, was written", written)
	}
	// The frame's low 56 bits are the record's length (wal.decodeFrameSize).
	length := int64(binary.LittleEndian.Uint64(head) & (1<<56 - 1))
	if end+frame+length <= (written+sector-1)/sector*sector {
		return nil, errors.New("a record cannot be read")
	}
	if complete(head[frame:], crc) {
		return nil, errors.New("a record has a wrong length")
	}
	return &span{file: file.Name(), begin: end, end: written}, nil
}

// lastByte returns the offset behind the last byte that is not zero, at least from.
func lastByte(file *os.File, from, size int64) (int64, error) {
	last, chunk := from, make([]byte, 1<<20)
	for at := from; at < size; at += int64(len(chunk)) {
		chunk = chunk[:min(int64(len(chunk)), size-at)]
		if _, err := file.ReadAt(chunk, at); err != nil {
			return 0, err
		}
		for i := len(chunk) - 1; i >= 0; i-- {
			if chunk[i] != 0 {
				last = at + int64(i) + 1
				break
			}
		}
	}
	return last, nil
}

// complete reports whether the bytes begin with a record that is whole, whatever its
// length was said to be: type, checksum and data, as walpb.Record.Marshal writes them.
func complete(b []byte, crc uint32) bool {
	const typeTag, crcTag, dataTag = 1 << 3, 2 << 3, 3<<3 | 2 // varints and bytes
	field := func(tag byte) (uint64, bool) {
		if len(b) == 0 || b[0] != tag {
			return 0, false
		}
		value, n := binary.Uvarint(b[1:])
		if n <= 0 {
			return 0, false
		}
		b = b[1+n:]
		return value, true
	}
	_, typed := field(typeTag)
	sum, summed := field(crcTag)
	length, ok := field(dataTag)
	if !typed || !summed || !ok || length > uint64(len(b)) {
		return false
	}
	record := walpb.Record{Crc: uint32(sum)}
	return record.Validate(crc32.Update(crc, crc32.MakeTable(crc32.Castagnoli), b[:length])) == nil
}

// dropTorn overwrites what a crash left of the last record.
func (l *log) dropTorn() error {
	if l.torn == nil {
		return nil
	}
	file, err := os.OpenFile(l.torn.file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(make([]byte, l.torn.end-l.torn.begin), l.torn.begin)
	return errors.Join(err, file.Sync(), file.Close())
}
