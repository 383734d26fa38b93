package etcdfiles

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/polyarch/polyarch/examples/internal/atomicfile"
)

// sealName is beside etcd's own files, which are in member.
const sealName = "database.sum"

// Seal keeps a sum of the database of an etcd that has ended. [Check] compares it until
// etcd has written again.
func Seal(dir string) error {
	file, err := os.Open(databaseFile(dir))
	if err != nil {
		return err
	}
	newest, err := newestMeta(file)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	sum, err := sumOf(dir, newest)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, sealName), []byte(sum))
}

// checkSeal compares the database with its sum, if there is one of this transaction.
func checkSeal(dir string, db *database) error {
	seal, err := os.ReadFile(filepath.Join(dir, sealName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	sum, err := sumOf(dir, db.newest)
	if err != nil {
		return err
	}
	var transaction uint64
	if _, err := fmt.Sscanf(string(seal), "transaction %d", &transaction); err != nil || transaction != db.newest.transaction || sum == string(seal) {
		return nil
	}
	return &DamageError{File: databaseFile(dir), Cause: errors.New("its sum is not what it was when etcd ended")}
}

// sumOf covers all pages that the transaction knows. What is free behind them may grow.
func sumOf(dir string, m meta) (string, error) {
	file, err := os.Open(databaseFile(dir))
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(file, int64(m.pages)*int64(m.pageSize))); err != nil {
		return "", err
	}
	return fmt.Sprintf("transaction %d sha256 %s\n", m.transaction, hex.EncodeToString(sum.Sum(nil))), nil
}

func databaseFile(dir string) string { return filepath.Join(dir, "member", "snap", "db") }
