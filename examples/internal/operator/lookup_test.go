package operator_test

import (
	"context"
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	configv1 "github.com/openshift/api/config/v1"

	"github.com/polyarch/polyarch/examples/internal/operator"
)

// A reader answers every Get with one error, or with none and an object of that
// name.
type reader struct {
	client.Reader
	err error
}

func (r reader) Get(_ context.Context, key client.ObjectKey, obj client.Object, _ ...client.GetOption) error {
	obj.SetName(key.Name)
	return r.err
}

func TestLookup(t *testing.T) {
	broken := errors.New("broken")
	for _, tc := range []struct {
		name, object string
		reader       reader
		found        bool
		err          error
	}{
		{"there", "version", reader{}, true, nil},
		{"not there", "version", reader{err: apierrors.NewNotFound(schema.GroupResource{}, "version")}, false, nil},
		{"not known", "version", reader{err: broken}, false, broken},
		{"nobody has the empty name", "", reader{err: broken}, false, nil},
	} {
		got, err := operator.Lookup(t.Context(), tc.reader, client.ObjectKey{Name: tc.object}, &configv1.ClusterVersion{})
		if !errors.Is(err, tc.err) || (got != nil) != tc.found || tc.found && got.Name != tc.object {
			t.Errorf("%s: %v, %v", tc.name, got, err)
		}
	}
}
