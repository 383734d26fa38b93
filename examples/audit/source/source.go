package source

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/util/json"
)

// A Source holds the objects of one cluster.
//
// What cannot be read ends nothing: it is in Coverage and Info. An error is one of the
// context, of f, or says that there is nothing to read from at all.
type Source interface {
	// Read hands out every object of the kinds that are neither Bulk nor Picked.
	Read(ctx context.Context, f func(*Kind, Object) error) error
	// Stream hands out every object of a bulk kind, one after the other.
	Stream(ctx context.Context, k *Kind, f func(Object) error) error
	// Pick hands out those of the named objects that are there.
	Pick(ctx context.Context, k *Kind, keys []Key, f func(Object) error) error
	// Coverage says what became of a kind, once it has been read.
	Coverage(k *Kind) Coverage
	// Info describes the source, once it has been read.
	Info() Info
}

// A Key names an object. Namespace is empty for kinds that have none.
type Key struct{ Namespace, Name string }

// Path returns the key as it stands in the path of an object, such as ns/name.
func (k Key) Path() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

// An Object is one that was read. It holds JSON until somebody wants it.
type Object struct {
	Key
	json []byte
}

// Into decodes the object as the API server does: the names of fields are taken in their
// own letter case only.
func (o Object) Into(into any) error { return json.Unmarshal(o.json, into) }

// JSON returns the object as it was read. It is not to be changed.
func (o Object) JSON() []byte { return o.json }

// State says what became of a kind.
type State uint8

const (
	// NotRead: nobody asked for it yet.
	NotRead State = iota
	// Read: all objects of the kind were read. Of a cluster, there may be none.
	Read
	// NotInSource: files hold no object of the kind, which says nothing of the cluster.
	NotInSource
	// NotServed: the cluster has no such kind.
	NotServed
	// Forbidden: the cluster has it, and does not let this user read it.
	Forbidden
	// Failed: reading it ended in an error. Objects counts those before it.
	Failed
)

var states = [...]string{"NotRead", "Read", "NotInSource", "NotServed", "Forbidden", "Failed"}

// String returns the name of the constant.
func (s State) String() string {
	if int(s) < len(states) {
		return states[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// Coverage says what became of a kind.
type Coverage struct {
	State   State
	Objects int
	// Detail is for people: what the server or the reader said.
	Detail string
}

// Known reports whether what was not seen is not there.
func (c Coverage) Known() bool { return c.State == Read || c.State == NotServed }

// A Trouble is something that could not be read, or was refused.
type Trouble struct {
	Where string `json:"where"`
	Why   string `json:"why"`
}

// Troubles is a list that names the first and counts the others.
type Troubles struct {
	Named []Trouble `json:"named,omitempty"`
	Count int       `json:"count"`
}

// maxNamed is how many troubles of one sort are named.
const maxNamed = 20

// Add adds a trouble.
func (t *Troubles) Add(where, why string) {
	t.Count++
	if len(t.Named) < maxNamed {
		t.Named = append(t.Named, Trouble{where, why})
	}
}

// Info describes a source.
type Info struct {
	// Type is Cluster or Files.
	Type string `json:"type"`
	// Names are the server, or the paths.
	Names []string `json:"names"`
	// Files is how many files were read, Others how many hold no objects, such as logs.
	Files  int `json:"files,omitempty"`
	Others int `json:"others,omitempty"`
	// Objects is how many were read, Superseded how many were there again in a later
	// state, and Secrets how many were skipped unread.
	Objects    int `json:"objects"`
	Superseded int `json:"superseded,omitempty"`
	Secrets    int `json:"secrets,omitempty"`
	// Unknown counts the objects of kinds that the audit has no use for, by kind.
	Unknown map[string]int `json:"unknown,omitempty"`
	// Unreadable are files that are empty, cut or hold no YAML, and objects that are
	// not as their kind is. Refused are links, what leads outside, and what is too large.
	Unreadable Troubles `json:"unreadable"`
	Refused    Troubles `json:"refused"`
	// TimedOut says that the files hold what oc adm must-gather falls back to.
	TimedOut bool `json:"timedOut,omitempty"`
}

// The types of sources.
const (
	TypeCluster = "Cluster"
	TypeFiles   = "Files"
)
