package server

import (
	"errors"
	"fmt"
	"sync"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// An etcdLog hears what etcd logs before it would end the process: etcd v3.6.8 calls
// zap's Fatal and Panic, after which zap ends the process without a word to us. Below
// that level it mostly tells how its own connections come and go.
type etcdLog struct {
	zapcore.LevelEnabler
	failure chan error
	once    *sync.Once
	dir     string
	fields  []zapcore.Field
}

func newEtcdLog(dir string) *etcdLog {
	return &etcdLog{LevelEnabler: zapcore.DPanicLevel, failure: make(chan error, 1), once: new(sync.Once), dir: dir}
}

func (l *etcdLog) logger() *zap.Logger {
	return zap.New(l, zap.WithFatalHook(l), zap.WithPanicHook(l))
}

// With, Check, Write and Sync make it a zapcore.Core.
func (l *etcdLog) With(fields []zapcore.Field) zapcore.Core {
	with := *l
	with.fields = append(with.fields[:len(with.fields):len(with.fields)], fields...)
	return &with
}

func (l *etcdLog) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if l.Enabled(entry.Level) {
		return checked.AddCore(entry, l)
	}
	return checked
}

func (l *etcdLog) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	if entry.Level < zapcore.PanicLevel {
		return nil
	}
	l.once.Do(func() {
		err := errors.New(entry.Message)
		for _, field := range append(l.fields[:len(l.fields):len(l.fields)], fields...) {
			if cause, ok := field.Interface.(error); ok && field.Type == zapcore.ErrorType {
				err = fmt.Errorf("%s: %w", entry.Message, cause)
			}
		}
		l.failure <- fmt.Errorf("etcd: %w", remedied(err, l.dir))
	})
	return nil
}

func (l *etcdLog) Sync() error { return nil }

// OnWrite is what happens after such an entry instead of the end of the process: etcd's
// goroutine stays where it is, so that it can neither answer nor write any more, and
// the one that hears of the failure ends the server.
func (l *etcdLog) OnWrite(*zapcore.CheckedEntry, []zapcore.Field) { select {} }
