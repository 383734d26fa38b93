package manifestlist

import (
	"strconv"
	"testing"
)

// With the race detector this sees a write to what several callers share, even one that is
// undone before they return.
func TestConcurrentCallers(t *testing.T) {
	children, opts := everyKind()
	bytes := mustAssemble(t, children, opts).Bytes
	index := mustParse(t, bytes)
	wanted, host := *platform("linux/s390x+b+a"), *platform("linux/amd64+z+y")
	for i := range 4 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			mustAssemble(t, children, opts)
			mustParse(t, bytes)
			if _, err := Update(index, children, opts); err != nil {
				t.Error(err)
			}
			if _, _, err := Describe(children[0], Options{}); err != nil {
				t.Error(err)
			}
			for _, policy := range []Policy{Strict, OpenShiftLegacy, Containerd, ContainersImage} {
				_, _ = Select(index.Index, wanted, SelectOptions{Policy: policy, Host: host})
			}
			index.Append(nil)
			index.Children()
		})
	}
}
