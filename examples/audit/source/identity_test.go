package source

import "testing"

// What Kubernetes writes is read at a glance, and what it does not write is left to the
// parser.
func TestGlance(t *testing.T) {
	const node = "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n"
	a := identity{apiVersion: "v1", kind: "Node", Key: Key{Name: "a"}}
	lists := a
	lists.Namespace, lists.resourceVersion = "b", "7"
	for _, row := range []struct {
		name, text string
		want       identity
		sure       bool
	}{
		{"an object", node, a, true},
		{"other ends of lines", "apiVersion: v1\r\nkind: Node\r\nmetadata:\r\n  name: a\r\n", a, true},
		{"lists at the indentation of their keys", node + "  managedFields:\n  - manager: x\n    name: y\n  namespace: b\n  resourceVersion: \"7\"\nrules:\n- kind: z\n", lists, true},
		{"an item of a list", "  apiVersion: v1\n  kind: Node\n  metadata:\n    labels:\n      name: x\n    name: a\n", a, true},
		{"flow style", "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n", identity{}, false},
		{"a value of two lines", "apiVersion: v1\nkind: Node\n b\n", identity{}, false},
		{"a key in quotes", node + "  \"namespace\": b\n", identity{}, false},
		{"a key with a tag", node + "  ! namespace: b\n", identity{}, false},
		{"a key of several lines", node + "? namespace\n", identity{}, false},
		{"a carriage return alone", node + "  labels:\n    a: b\r  namespace: c\n", identity{}, false},
		{"a line separator", node + "  labels:\n    a: b\u2028  namespace: c\n", identity{}, false},
		{"a paragraph separator", node + "  labels:\n    a: b\u2029  namespace: c\n", identity{}, false},
		{"a next line", node + "  labels:\n    a: b\u0085  namespace: c\n", identity{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got, sure := glance([]byte(row.text)); sure != row.sure || sure && got != row.want {
				t.Errorf("%+v, %t", got, sure)
			}
		})
	}
}
