package embedding_test

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// A lister stands for one that client-go generates for a cluster-scoped resource:
// where there is no object, it returns nil and an error that says so.
type lister[T any] map[string]*T

func (l lister[T]) Get(name string) (*T, error) {
	object, ok := l[name]
	if !ok {
		return nil, apierrors.NewNotFound(schema.GroupResource{Resource: fmt.Sprintf("%T", object)}, name)
	}
	return object, nil
}

// A recorder stands for the one of library-go. It prints the reason.
type recorder struct{}

func (recorder) Event(reason, _ string) { fmt.Println("event", reason) }

// degraded stands for what an operator does with what somebody must mend.
func degraded(problems field.ErrorList) {
	for _, p := range problems {
		fmt.Println("degraded:", p.Field, p.Type)
	}
}
