package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// A piece is an object as it stands in a file, in YAML or in JSON.
type piece struct {
	identity
	text   []byte
	isJSON bool
}

// json returns the object as JSON.
func (p *piece) json() ([]byte, error) {
	if p.isJSON {
		return p.text, nil
	}
	return yaml.YAMLToJSON(p.text)
}

var (
	errNoObject = errors.New("no object: neither apiVersion nor kind")
	errTooLarge = errors.New("an object is too large")
)

// scan hands out the objects of a file: those of its documents, and those of its lists
// one by one, so that it holds a single object at a time. Limit is the largest that is
// taken. What came before an error was handed out.
func scan(from io.Reader, limit int64, f func(piece) error) error {
	r := bufio.NewReaderSize(from, 64<<10)
	if mark, err := r.Peek(3); err == nil && string(mark) == "\ufeff" {
		if _, err := r.Discard(3); err != nil {
			return err
		}
	}
	for {
		c, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			return errors.New("empty")
		}
		if err != nil {
			return err
		}
		if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
			continue
		}
		if err := r.UnreadByte(); err != nil {
			return err
		}
		if c == '{' {
			return scanJSON(r, limit, f)
		}
		return scanYAML(r, limit, f)
	}
}

// A document is what is known of one YAML or JSON document before its end: the kind of
// a list stands behind its items.
type document struct {
	limit int64
	f     func(piece) error
	// nameless are items without a kind, which wait for that of the list.
	nameless []piece
	waiting  int64
}

func (d *document) item(p piece) error {
	p.identity = identify(p)
	if p.kind != "" {
		return d.f(p)
	}
	if d.waiting += int64(len(p.text)); d.waiting > 8*d.limit {
		return fmt.Errorf("%w: a list of items without a kind", errTooLarge)
	}
	d.nameless = append(d.nameless, p)
	return nil
}

// end hands out the items that waited, with the kind of their list.
func (d *document) end(list identity) error {
	for _, p := range d.nameless {
		p.apiVersion, p.kind = list.apiVersion, itemKind(list.kind)
		if p.kind == "" {
			return errNoObject
		}
		if err := d.f(p); err != nil {
			return err
		}
	}
	d.nameless, d.waiting = nil, 0
	if list.kind == "" {
		return errNoObject
	}
	return d.f(piece{identity: list})
}

// scanYAML cuts the text at the lines that begin a document or an item of a list. In
// block style, as Kubernetes writes it, nothing else can stand at their indentation.
func scanYAML(r *bufio.Reader, limit int64, f func(piece) error) error {
	d := document{limit: limit, f: f}
	var head, item []byte
	list, inItems, dash := false, false, -1
	flushItem := func() error {
		if item == nil {
			return nil
		}
		p := piece{text: item}
		item = nil
		if err := checkBreaks(p.text); err != nil {
			return err
		}
		return d.item(p)
	}
	flush := func() error {
		if err := flushItem(); err != nil {
			return err
		}
		p := piece{text: head}
		wasList := list
		head, list, inItems, dash = nil, false, false, -1
		if len(bytes.TrimSpace(p.text)) == 0 && !wasList {
			return nil
		}
		if err := checkBreaks(p.text); err != nil {
			return err
		}
		p.identity = identify(p)
		if wasList {
			return d.end(p.identity)
		}
		if p.kind == "" {
			return errNoObject
		}
		return f(p)
	}
	for {
		line, err := readLine(r, limit)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		last := errors.Is(err, io.EOF)
		// A remark may stand anywhere; within a text it is part of an item as well.
		trimmed := bytes.TrimSpace(line)
		blank := len(trimmed) == 0 || trimmed[0] == '#'
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		switch {
		case isMark(trimmed) && line[0] == trimmed[0]:
			if err := flush(); err != nil {
				return err
			}
		case inItems && !blank && isDash(line[indent:]) && (dash < 0 || indent == dash):
			if err := flushItem(); err != nil {
				return err
			}
			dash = indent
			item = append(item, line...)
			item[indent] = ' '
		case inItems && (blank || indent > max(dash, 0)):
			if item != nil {
				item = append(item, line...)
			}
		default:
			if inItems = bytes.Equal(bytes.TrimSpace(line), []byte("items:")) && indent == 0; inItems {
				list = true
				break
			}
			if bytes.HasPrefix(line, []byte("items: []")) {
				list = true
			}
			head = append(head, line...)
		}
		if int64(len(head)) > limit || int64(len(item)) > limit {
			return errTooLarge
		}
		if last {
			return flush()
		}
	}
}

// isMark reports whether a line ends a document. More may follow the mark after a blank.
func isMark(line []byte) bool {
	rest, begins := bytes.CutPrefix(line, []byte("---"))
	if !begins {
		rest, begins = bytes.CutPrefix(line, []byte("..."))
	}
	return begins && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

func isDash(s []byte) bool {
	return len(s) > 0 && s[0] == '-' && (len(s) == 1 || s[1] == ' ' || s[1] == '\n' || s[1] == '\r')
}

// readLine returns a line with its end. The last one comes with io.EOF.
func readLine(r *bufio.Reader, limit int64) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = r.ReadSlice('\n')
		if long = append(long, line...); int64(len(long)) > limit {
			return nil, errTooLarge
		}
	}
	return long, err
}
