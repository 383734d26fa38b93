package source

import (
	"context"
	"fmt"
)

// again makes a pass over the files that have bulk objects.
func (s *Files) again(ctx context.Context, k *Kind, wanted func(Key) bool, f func(Object) error) error {
	if err := s.load(ctx); err != nil {
		return err
	}
	at := place{file: -1}
	for _, name := range s.paths {
		err := walk(ctx, name, s.limits, func(string, string) {}, func(e entry) error {
			at.file, at.item = at.file+1, 0
			if !s.holds[int(at.file)] {
				return nil
			}
			return s.revisit(e, k, &at, wanted, f)
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// revisit hands out the wanted objects of one file. That part of it cannot be read was
// noted in the first pass.
func (s *Files) revisit(e entry, k *Kind, at *place, wanted func(Key) bool, f func(Object) error) error {
	r, err := e.open()
	if err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	defer r.Close()
	var stop error
	_ = scan(r, s.limits.Object, func(p piece) error {
		here := *at
		at.item++
		if p.text == nil || p.Name == "" || kindOf(s.kinds, p.identity) != k || s.bulk[k][digestOf(p.Key)].place != here || !wanted(p.Key) {
			return nil
		}
		text, err := p.json()
		if err != nil {
			s.info.Unreadable.Add(e.name, err.Error())
			return nil
		}
		stop = f(Object{p.Key, text})
		return stop
	})
	return stop
}
