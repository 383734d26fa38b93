// Package mangle makes image indexes and manifests that readers of JSON may read
// differently: members that are there twice, in another letter case, with escapes,
// or that belong to another document. Tests hold what manifestlist accepts of them
// against what other readers make of them.
package mangle

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	ociIndex    = "application/vnd.oci.image.index.v1+json"
	ociManifest = "application/vnd.oci.image.manifest.v1+json"
	ociConfig   = "application/vnd.oci.image.config.v1+json"
	dockerList  = "application/vnd.docker.distribution.manifest.list.v2+json"
	dockerImage = "application/vnd.docker.distribution.manifest.v2+json"
)

// Index returns the index that the entropy chooses. Without entropy it is a plain
// one, and each byte more leads a little further away.
func Index(entropy []byte) []byte {
	c := &choices{entropy}
	m := c.index()
	c.mangle(m)
	return m.append(nil)
}

// Manifest returns the image manifest that the entropy chooses.
func Manifest(entropy []byte) []byte {
	c := &choices{entropy}
	m := c.manifest()
	c.mangle(m)
	return m.append(nil)
}

// choices takes every decision out of one byte of entropy, and the first
// alternative when there is none left.
type choices struct{ entropy []byte }

func (c *choices) below(n int) int {
	if len(c.entropy) == 0 {
		return 0
	}
	b := c.entropy[0]
	c.entropy = c.entropy[1:]
	return int(b) % n
}

func (c *choices) one(of ...string) string { return of[c.below(len(of))] }

func (c *choices) index() *value {
	m := object()
	m.add("schemaVersion", c.one("2", "2", "2", "2", "2", "2", "1", "null"))
	m.add("mediaType", c.one(quoted(ociIndex), quoted(ociIndex), quoted(dockerList), "", "", `""`, "null", quoted(ociManifest)))
	list := &value{kind: '['}
	for range []int{1, 2, 3, 0}[c.below(4)] {
		list.items = append(list.items, c.descriptor(ociManifest))
	}
	m.members = append(m.members, &member{`"manifests"`, list})
	c.rest(m)
	return m
}

func (c *choices) manifest() *value {
	m := object()
	m.add("schemaVersion", c.one("2", "2", "2", "2", "2", "2", "1", "null"))
	m.add("mediaType", c.one(quoted(ociManifest), quoted(ociManifest), quoted(dockerImage), "", "", `""`, "null", quoted(ociIndex)))
	if c.below(8) < 7 {
		m.members = append(m.members, &member{`"config"`, c.descriptor(ociConfig)})
	}
	if c.below(8) < 7 {
		list := &value{kind: '['}
		for range c.below(3) {
			list.items = append(list.items, c.descriptor("application/vnd.oci.image.layer.v1.tar"))
		}
		m.members = append(m.members, &member{`"layers"`, list})
	}
	c.rest(m)
	return m
}

// rest adds what an index and a manifest may have both.
func (c *choices) rest(m *value) {
	if c.below(6) == 1 {
		m.members = append(m.members, &member{`"subject"`, c.descriptor(ociManifest)})
	}
	if c.below(6) == 1 {
		m.members = append(m.members, &member{`"annotations"`, annotations()})
	}
	if c.below(6) == 1 {
		m.add("artifactType", `"application/vnd.example"`)
	}
	if c.below(6) == 1 {
		m.add("x-own", `{"config":{},"layers":[]}`)
	}
}

func (c *choices) descriptor(mediaType string) *value {
	m := object()
	m.add("mediaType", quoted(mediaType))
	m.add("digest", quoted(fmt.Sprintf("sha256:%064x", c.below(4))))
	m.add("size", fmt.Sprint(1+c.below(3)))
	switch c.below(4) {
	case 1:
		p := object()
		p.add("architecture", c.one(`"amd64"`, `"arm64"`))
		p.add("os", `"linux"`)
		m.members = append(m.members, &member{`"platform"`, p})
	case 2:
		m.members = append(m.members, &member{`"annotations"`, annotations()})
	}
	return m
}

func annotations() *value {
	m := object()
	m.add("a", `"b"`)
	m.add("kids", `"c"`)
	return m
}

// mangle changes up to three things.
func (c *choices) mangle(document *value) {
	for range c.below(4) {
		objects := document.objects(nil)
		// The uppermost object is as likely as all others together.
		o := objects[0]
		if n := c.below(2 * len(objects)); n < len(objects) {
			o = objects[n]
		}
		if len(o.members) == 0 {
			continue
		}
		m := o.members[c.below(len(o.members))]
		switch c.below(8) {
		case 0:
			m.name = c.otherCase(m.name)
		case 1:
			o.members = append(o.members, &member{m.name, m.value})
		case 2:
			o.members = append(o.members, &member{m.name, text(c.odd())})
		case 3:
			m.name = c.escape(m.name)
		case 4, 5:
			o.members = append(o.members, &member{c.foreign(), text(c.odd())})
		case 6:
			m.value = text(c.odd())
		case 7:
			at := c.below(len(o.members))
			o.members[at], o.members[0] = o.members[0], o.members[at]
		}
	}
}

// odd is a value that may stand where another is meant.
func (c *choices) odd() string {
	return c.one("{}", "[]", "null", `""`, "1", "[{}]", `{"mediaType":"`+ociConfig+`"}`, quoted(ociManifest), quoted(dockerImage), quoted(ociIndex),
		`"\ud800"`, `"\ud83d\ude00"`, "\"\xff\"", `"\u0063"`, ` [ null ] `, `[{"digest":"d","digest":"e"}]`)
}

// foreign is the name of a member of another document, perhaps mangled itself.
func (c *choices) foreign() string {
	name := quoted(c.one("config", "layers", "fsLayers", "history", "manifests", "mediaType", "schemaVersion", "signatures", "blobs", "platform", "x"))
	switch c.below(4) {
	case 1:
		return c.otherCase(name)
	case 2:
		return c.escape(name)
	case 3:
		return c.escape(c.otherCase(name))
	}
	return name
}

// otherCase writes one letter, or all, as one that may pass for it.
func (c *choices) otherCase(name string) string {
	switch c.below(4) {
	case 1:
		return strings.NewReplacer("s", "\u017f", "k", "\u212a").Replace(name)
	case 2:
		if !strings.Contains(name, `\`) {
			return strings.ToUpper(name)
		}
	}
	at := c.below(len(name))
	if strings.Contains(name, `\`) || name[at] < 'a' || name[at] > 'z' {
		return name
	}
	return name[:at] + c.one(strings.ToUpper(name[at:at+1]), "\u0131", "\u0130") + name[at+1:]
}

// escape writes one character as \uXXXX.
func (c *choices) escape(name string) string {
	at := 1 + c.below(len(name))
	if at >= len(name)-1 || strings.Contains(name, `\`) || !utf8.RuneStart(name[at]) {
		return name
	}
	r, size := utf8.DecodeRuneInString(name[at:])
	if r == utf8.RuneError {
		return name
	}
	return name[:at] + fmt.Sprintf(c.one(`\u%04x`, `\u%04X`), r) + name[at+size:]
}

// A value is JSON that keeps its members in order, however often they are there.
type value struct {
	kind    byte // '{', '[', or 0 for text
	text    string
	members []*member
	items   []*value
}

type member struct {
	name  string // in quotes, as written
	value *value
}

func object() *value         { return &value{kind: '{'} }
func text(s string) *value   { return &value{text: s} }
func quoted(s string) string { return `"` + s + `"` }

// add leaves out an empty text.
func (v *value) add(name, s string) {
	if s != "" {
		v.members = append(v.members, &member{quoted(name), text(s)})
	}
}

// objects returns all objects, the uppermost first.
func (v *value) objects(all []*value) []*value {
	if v.kind == '{' {
		all = append(all, v)
	}
	for _, m := range v.members {
		all = m.value.objects(all)
	}
	for _, i := range v.items {
		all = i.objects(all)
	}
	return all
}

func (v *value) append(dst []byte) []byte {
	switch v.kind {
	case '{':
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(append(dst, m.name...), ':')
			dst = m.value.append(dst)
		}
		return append(dst, '}')
	case '[':
		dst = append(dst, '[')
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.append(dst)
		}
		return append(dst, ']')
	}
	return append(dst, v.text...)
}
