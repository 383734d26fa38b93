package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	imagev1 "github.com/openshift/api/image/v1"
)

// An importingWriter imports into one stream, from a repository whose tags nobody else
// moves, so that it knows what each import has to come to.
type importingWriter struct {
	*writer
	catalog *catalog
	leads   map[string]int // tag → the list that it leads to
}

// goneTag is a tag that the registry does not have.
const goneTag = "gone"

// write moves a tag of the registry, sometimes, and imports it, or one that is not
// there.
func (w *importingWriter) write(ctx context.Context) error {
	name := w.streams[0]
	was, sure := w.journal.last(name)
	if !sure {
		return errUnsure
	}
	w.count++
	if was != nil && len(was.tags) > 2 && w.random.IntN(30) == 0 {
		return w.remove(ctx, name, was)
	}
	some := fmt.Sprint("v", w.random.IntN(3))
	if w.random.IntN(8) == 0 {
		some = goneTag
	}
	if _, there := w.leads[some]; some != goneTag && (!there || w.random.IntN(3) == 0) {
		to := w.random.IntN(listsOfCatalog)
		sent := time.Now()
		if err := w.catalog.move(some, to); err != nil {
			w.heard(heard{what: "push", took: time.Since(sent), err: err, wrong: []violation{{"the registry works", name, some, "moved", err.Error()}}})
			return err
		}
		w.leads[some] = to
	}
	return w.imports(ctx, name, some, was)
}

func (w *importingWriter) imports(ctx context.Context, name, some string, was *stream) error {
	given := imagev1.ImportModeType("")
	if w.random.IntN(2) == 0 {
		given = w.mode()
	}
	from := w.catalog.repository.Tag(some).String()
	step, stored, there := "", tag{}, false
	if was != nil {
		step = was.step
		stored, there = was.tags[some]
	}
	want := was.with(step, func(tags map[string]tag) {
		t := tag{from: "DockerImage " + from, mode: given}
		if given == "" && there {
			t.mode = stored.mode
		}
		if some == goneTag {
			t.failed = string(metav1.StatusReasonNotFound)
			if there {
				t.mode = stored.mode // a tag whose import fails keeps what it says
			}
		} else {
			t.expects = w.catalog.digests[w.leads[some]]
		}
		tags[some] = t
	})
	return w.send(ctx, "import", name, want, func(ctx context.Context) (*stream, error) {
		request := &imagev1.ImageStreamImport{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			Spec: imagev1.ImageStreamImportSpec{Import: true, Images: []imagev1.ImageImportSpec{{
				From:         corev1.ObjectReference{Kind: "DockerImage", Name: from},
				To:           &corev1.LocalObjectReference{Name: some},
				ImportPolicy: imagev1.TagImportPolicy{ImportMode: given, Insecure: true},
			}}},
		}
		if err := w.oc.Create(ctx, request); err != nil {
			return nil, err
		}
		if request.Status.Import == nil {
			return nil, fmt.Errorf("the answer to the import of %s holds no stream", from)
		}
		return read(request.Status.Import), nil
	})
}
