package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// scanJSON reads the members of an object one by one, and the items of a list too.
func scanJSON(r io.Reader, limit int64, f func(piece) error) error {
	budget := &budgetReader{r: r, limit: 2 * limit}
	dec := json.NewDecoder(budget)
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		d := document{limit: limit, f: f}
		head, list := map[string]json.RawMessage{}, false
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return err
			}
			if key == "items" {
				if list, err = scanItems(dec, budget, &d); err != nil {
					return err
				}
				continue
			}
			name, ok := key.(string)
			if !ok {
				return fmt.Errorf("%v where the name of a member should be", key)
			}
			var value json.RawMessage
			if err := dec.Decode(&value); err != nil {
				return err
			}
			head[name] = value
		}
		if _, err := dec.Token(); err != nil {
			return err
		}
		text, err := json.Marshal(head)
		if err != nil {
			return err
		}
		budget.used = 0
		p := piece{text: text, isJSON: true}
		p.identity = identify(p)
		switch {
		case list:
			err = d.end(p.identity)
		case p.kind == "":
			err = errNoObject
		default:
			err = f(p)
		}
		if err != nil {
			return err
		}
	}
}

// scanItems reads the items of a list; null is none.
func scanItems(dec *json.Decoder, budget *budgetReader, d *document) (bool, error) {
	open, err := dec.Token()
	if err != nil || open == nil {
		return err == nil, err
	}
	if open != json.Delim('[') {
		return false, errors.New("items is no list")
	}
	for dec.More() {
		var text json.RawMessage
		if err := dec.Decode(&text); err != nil {
			return false, err
		}
		if int64(len(text)) > d.limit {
			return false, errTooLarge
		}
		budget.used = 0
		if err := d.item(piece{text: text, isJSON: true}); err != nil {
			return false, err
		}
	}
	_, err = dec.Token()
	return true, err
}

// A budgetReader ends when too much was read for one object.
type budgetReader struct {
	r           io.Reader
	used, limit int64
}

func (b *budgetReader) Read(into []byte) (int, error) {
	if b.used > b.limit {
		return 0, errTooLarge
	}
	n, err := b.r.Read(into)
	b.used += int64(n)
	return n, err
}
