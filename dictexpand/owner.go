package dictexpand

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// owns reports whether the object carries all marks of the owner; rule 41.
func (o Owner) owns(live *metav1.ObjectMeta) bool {
	return len(o.Labels)+len(o.Annotations) > 0 &&
		holds(live.Labels, o.Labels, nil) && holds(live.Annotations, o.Annotations, nil)
}

// marked reports whether an object that the owner owns carries the wanted labels
// and annotations, but for those that the marks of the owner win over; rules 41
// and 62.
func (o Owner) marked(live, want *metav1.ObjectMeta) bool {
	return holds(live.Labels, want.Labels, o.Labels) && holds(live.Annotations, want.Annotations, o.Annotations)
}

// mark sets the wanted labels and annotations, and then the marks of the owner.
func (o Owner) mark(live, want *metav1.ObjectMeta) {
	live.Labels = merged(live.Labels, want.Labels, o.Labels)
	live.Annotations = merged(live.Annotations, want.Annotations, o.Annotations)
}

// holds reports whether m has every pair of want, but for the keys of except.
func holds(m, want, except map[string]string) bool {
	for key, value := range want {
		if _, skip := except[key]; skip {
			continue
		}
		if v, ok := m[key]; !ok || v != value {
			return false
		}
	}
	return true
}

// merged returns a new map with the pairs of all. The later one wins, and it is
// nil if there are none.
func merged(all ...map[string]string) map[string]string {
	var m map[string]string
	for _, from := range all {
		for key, value := range from {
			if m == nil {
				m = make(map[string]string, len(from))
			}
			m[key] = value
		}
	}
	return m
}
