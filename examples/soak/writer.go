package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"
)

// namespace holds what is written.
const namespace = "soak"

// ocAgent is how an unmodified oc names itself.
const ocAgent = "oc/4.20.0 (linux/amd64) kubernetes/f0a1bb9"

// A writer writes image streams that nobody else writes, one request after the other.
type writer struct {
	random  *rand.Rand
	streams []string // names
	api, oc client.Client
	journal *journal
	modes   func(sent, answered time.Time) []imagev1.ImportModeType
	heard   func(heard)
	count   int // makes what is written unique
}

// A heard is the end of one request.
type heard struct {
	what  string
	took  time.Duration
	err   error // nil: acknowledged
	wrong []violation
}

// clients are one that says what it means, and one that calls itself oc and sends what
// oc sends.
func clients(config *rest.Config, scheme *runtime.Scheme) (api, oc client.Client, err error) {
	if api, err = client.New(config, client.Options{Scheme: scheme}); err != nil {
		return nil, nil, err
	}
	config = rest.CopyConfig(config)
	config.UserAgent, config.WarningHandler = ocAgent, rest.NoWarnings{}
	oc, err = client.New(config, client.Options{Scheme: scheme})
	return api, oc, err
}

const (
	maxTags  = 5
	legacy   = imagev1.ImportModeLegacy
	preserve = imagev1.ImportModePreserveOriginal
)

// errUnsure is that of a writer all of whose streams wait to be settled.
var errUnsure = errors.New("no stream is settled")

// write does one write and returns nil when it was acknowledged.
func (w *writer) write(ctx context.Context) error {
	first := w.random.IntN(len(w.streams))
	for i := range w.streams {
		name := w.streams[(first+i)%len(w.streams)]
		if was, sure := w.journal.last(name); sure {
			return w.writeTo(ctx, name, was)
		}
	}
	return errUnsure
}

func (w *writer) writeTo(ctx context.Context, name string, was *stream) error {
	w.count++
	dice := w.random.IntN(100)
	switch {
	case was == nil && dice < 70:
		return w.create(ctx, name)
	case was == nil:
		return w.tag(ctx, name, was)
	case dice < 40:
		return w.update(ctx, name, was)
	case dice < 55:
		return w.annotate(ctx, name, was)
	case dice < 80:
		return w.tag(ctx, name, was)
	case dice < 92 && len(was.tags) > 0:
		return w.untag(ctx, name, was)
	default:
		return w.remove(ctx, name, was)
	}
}

// send sends one write and has its end taken down. Got is what was stored, as far as the
// answer tells.
func (w *writer) send(ctx context.Context, what, name string, want *stream, request func(context.Context) (got *stream, err error)) error {
	w.journal.ask(name, want)
	sent := time.Now()
	got, err := request(ctx)
	answered := time.Now()
	modes := w.modes(sent, answered)
	end := heard{what: what, took: answered.Sub(sent), err: err}
	if err == nil {
		end.wrong = w.journal.acknowledge(name, got, modes)
	} else {
		w.journal.unanswered(name, modes)
		if refused(err) {
			end.wrong = []violation{{"a write that is right is not refused", name, what, "acknowledged", err.Error()}}
		}
	}
	w.heard(end)
	return err
}

// refused reports an answer that says no, other than that of a server that is about to
// end or whose storage is.
func refused(err error) bool {
	status := apierrors.APIStatus(nil)
	return errors.As(err, &status) && status.Status().Code < 500 && !apierrors.IsTooManyRequests(err)
}

func (w *writer) create(ctx context.Context, name string) error {
	want := (*stream)(nil).with(w.step(), func(tags map[string]tag) {
		for i := range 1 + w.random.IntN(3) {
			tags[fmt.Sprint("t", i)] = w.newTag()
		}
	})
	return w.send(ctx, "create", name, want, func(ctx context.Context) (*stream, error) {
		is := object(name, want)
		err := w.api.Create(ctx, is)
		return read(is), err
	})
}

// update writes the whole stream, as kubectl replace does: one tag is added, dropped or
// given another mode, or one that has a mode comes without.
func (w *writer) update(ctx context.Context, name string, was *stream) error {
	is := &imagev1.ImageStream{}
	sent := time.Now()
	if err := w.api.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, is); err != nil {
		return w.missed("get", name, sent, err)
	}
	w.heard(heard{what: "get", took: time.Since(sent), wrong: (&entry{acknowledged: was}).unchanged(name, read(is))})
	some := fmt.Sprint("t", w.random.IntN(maxTags))
	sends := was.with(w.step(), nil)
	stored, there := was.tags[some]
	switch {
	case !there:
		sends.tags[some] = w.newTag()
	case w.random.IntN(3) == 0:
		delete(sends.tags, some)
	case w.random.IntN(2) == 0:
		sends.tags[some] = tag{from: stored.from, mode: w.mode()}
	default:
		sends.tags[some] = tag{from: stored.from}
	}
	want := sends.with(sends.step, nil)
	if want.tags[some].mode == "" && there && want.tags[some].from != "" {
		want.tags[some] = stored // what is stored stays
	}
	return w.send(ctx, "update", name, want, func(ctx context.Context) (*stream, error) {
		changed := object(name, sends)
		changed.ObjectMeta = is.ObjectMeta
		metav1.SetMetaDataAnnotation(&changed.ObjectMeta, stepAnnotation, sends.step)
		err := w.api.Update(ctx, changed)
		return read(changed), err
	})
}

// missed is a read that failed.
func (w *writer) missed(what, name string, sent time.Time, err error) error {
	end := heard{what: what, took: time.Since(sent), err: err}
	if refused(err) {
		end.wrong = []violation{{notLost, name, "metadata", "there", err.Error()}}
	}
	w.heard(end)
	return err
}

// annotate writes an annotation, as oc annotate does.
func (w *writer) annotate(ctx context.Context, name string, was *stream) error {
	want := was.with(w.step(), nil)
	return w.send(ctx, "patch", name, want, func(ctx context.Context) (*stream, error) {
		is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, stepAnnotation, want.step)
		err := w.oc.Patch(ctx, is, client.RawPatch("application/merge-patch+json", []byte(patch)))
		return read(is), err
	})
}

// tag writes a tag as oc tag does: with PUT, and if there is none with POST, and with
// Legacy where nobody asked for a mode.
func (w *writer) tag(ctx context.Context, name string, was *stream) error {
	some := fmt.Sprint("t", w.random.IntN(maxTags))
	sends := w.newTag()
	c := w.api
	if sends.mode == "" && w.random.IntN(2) == 0 {
		sends.mode, c = legacy, w.oc
	}
	step, stored, there := "", tag{}, false
	if was != nil {
		step = was.step
		stored, there = was.tags[some]
	}
	want := was.with(step, func(tags map[string]tag) {
		tags[some] = sends
		if sends.mode == "" && there {
			tags[some] = tag{from: sends.from, mode: stored.mode}
		}
	})
	return w.send(ctx, "tag", name, want, func(ctx context.Context) (*stream, error) {
		istag := &imagev1.ImageStreamTag{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + ":" + some},
			Tag:        new(reference(some, sends)),
		}
		err := c.Update(ctx, istag)
		if apierrors.IsNotFound(err) && !there {
			err = c.Create(ctx, istag)
		}
		if err != nil {
			return nil, err
		}
		got := want.with(step, func(tags map[string]tag) {
			tags[some] = tag{from: istag.Tag.From.Kind + " " + istag.Tag.From.Name, mode: istag.Tag.ImportPolicy.ImportMode}
		})
		got.uid, got.version = string(istag.UID), istag.ResourceVersion
		return got, nil
	})
}

// untag deletes a tag, as oc tag -d does. The answer does not tell the new version.
func (w *writer) untag(ctx context.Context, name string, was *stream) error {
	names := slices.Sorted(maps.Keys(was.tags))
	some := names[w.random.IntN(len(names))]
	want := was.with(was.step, func(tags map[string]tag) { delete(tags, some) })
	return w.send(ctx, "untag", name, want, func(ctx context.Context) (*stream, error) {
		err := w.oc.Delete(ctx, &imagev1.ImageStreamTag{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + ":" + some}})
		return want, err
	})
}

func (w *writer) remove(ctx context.Context, name string, was *stream) error {
	return w.send(ctx, "delete", name, nil, func(ctx context.Context) (*stream, error) {
		return nil, w.api.Delete(ctx, &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}})
	})
}

func (w *writer) step() string { return fmt.Sprint(w.count) }

// newTag is a tag that is from nowhere else, half of the time without a mode.
func (w *writer) newTag() tag {
	t := tag{from: fmt.Sprintf("DockerImage registry.example.com/team/%s:%d", w.streams[0], w.random.Uint64())}
	if w.random.IntN(2) == 0 {
		t.mode = w.mode()
	}
	return t
}

func (w *writer) mode() imagev1.ImportModeType {
	if w.random.IntN(2) == 0 {
		return legacy
	}
	return preserve
}

// object is an image stream with that content.
func object(name string, s *stream) *imagev1.ImageStream {
	is := &imagev1.ImageStream{ObjectMeta: metav1.ObjectMeta{
		Namespace: namespace, Name: name, Annotations: map[string]string{stepAnnotation: s.step},
	}}
	for _, t := range slices.Sorted(maps.Keys(s.tags)) {
		is.Spec.Tags = append(is.Spec.Tags, reference(t, s.tags[t]))
	}
	return is
}

func reference(name string, t tag) imagev1.TagReference {
	kind, from := "DockerImage", t.from[len("DockerImage "):]
	return imagev1.TagReference{
		Name: name, From: &corev1.ObjectReference{Kind: kind, Name: from},
		ImportPolicy: imagev1.TagImportPolicy{ImportMode: t.mode},
	}
}
