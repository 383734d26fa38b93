package controller_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	imagev1 "github.com/openshift/api/image/v1"

	"github.com/polyarch/polyarch/examples/apiserver/launch"
	"github.com/polyarch/polyarch/examples/internal/testimages"
	"github.com/polyarch/polyarch/importmode"
	"github.com/polyarch/polyarch/payloadarch"
)

// lists is how many manifest lists there are; the last ones are under two tags each.
const (
	lists       = 200
	sharedLists = 20
	perStream   = 10
)

// A source is what an image name stands for in the registry.
type source struct {
	from     string
	manifest importmode.Manifest
}

// pushLists pushes lists of two to four images. Each tenth has its image for amd64 from
// the list before, one lists an attestation, and one a list, which is reduced to the
// image for amd64 as Legacy would.
func pushLists(t *testing.T, host string) []source {
	t.Helper()
	var all []source
	arches := []string{"amd64", "arm64", "ppc64le", "s390x"}
	for i := range lists {
		var images []v1.Image
		for _, a := range arches[:2+i%3] {
			content := fmt.Sprint("image ", i)
			if i%10 == 9 && a == "amd64" {
				content = fmt.Sprint("image ", i-1)
			}
			images = append(images, testimages.Image(t, a, content))
		}
		list := testimages.List(t, images...)
		s := source{from: fmt.Sprintf("%s/team/app%d:v%d", host, i/perStream, i%perStream)}
		switch i {
		case 3:
			list = testimages.With(list, testimages.Attestation(t, images[0]))
		case 4:
			list = testimages.With(list, testimages.Entry(testimages.Multi(t, "inner", "arm64", "amd64"), "linux", "riscv64"))
		}
		testimages.Push(t, s.from, list)
		s.manifest.Digest = testimages.Digest(t, list)
		for _, child := range testimages.Entries(t, list) {
			s.manifest.Children = append(s.manifest.Children, importmode.Child{Digest: child, Size: 100})
		}
		if i == 4 {
			s.manifest.Children[len(s.manifest.Children)-1].Digest = testimages.Digest(t, testimages.Image(t, "amd64", "inner"))
		}
		all = append(all, s)
	}
	return all
}

// TestEffect holds what importmode.Effect predicts against what the API server stores,
// object by object: for the change of the cluster's mode, for the fixes and for the
// reverse patches.
func TestEffect(t *testing.T) {
	t.Parallel()
	e := start(t, legacy)
	sources := pushLists(t, e.host)
	single := source{from: e.host + "/team/single:v1", manifest: importmode.Manifest{Digest: testimages.Digest(t, testimages.Image(t, "amd64", "single"))}}
	testimages.Push(t, single.from, testimages.Image(t, "amd64", "single"))

	manifests := map[string]importmode.Manifest{single.from: single.manifest}
	byMode := map[imagev1.ImportModeType][]imagev1.TagReference{}
	for i := range lists + sharedLists {
		s, mode := sources[i%lists], legacy
		manifests[s.from] = s.manifest
		switch (i + i/lists*5) % 20 { // so that lists are under tags of several modes
		case 19:
			mode = preserve
		case 18:
			mode = "Whole"
		case 17:
			mode = ""
		}
		byMode[mode] = append(byMode[mode], tagOf(fmt.Sprint("t", i), s.from, mode))
	}
	byMode[legacy] = append(byMode[legacy], tagOf("single", single.from, legacy))
	var names, odd []string
	for _, mode := range []imagev1.ImportModeType{legacy, preserve, "", "Whole"} {
		for tags := range slices.Chunk(byMode[mode], perStream) {
			s := streamOf(fmt.Sprintf("app%d", len(names)), tags...)
			s.UID, s.Generation = types.UID(fmt.Sprintf("3f0a7e1c-0000-4a2b-9c3d-%012d", len(names))), 1
			for i := range s.Spec.Tags {
				s.Spec.Tags[i].Generation = new(int64(1))
			}
			e.store(t, s) // the API server would refuse what is no mode, and fill in what is empty
			names = append(names, s.Name)
			if mode == "Whole" {
				odd = append(odd, s.Name)
			}
		}
	}
	given := func(s *imagev1.ImageStream) (of []importmode.Manifest) {
		for _, tag := range s.Spec.Tags {
			of = append(of, manifests[tag.From.Name])
		}
		return of
	}
	importAll := func(names []string) {
		t.Helper()
		for _, name := range names {
			e.reconcile(t, name)
		}
	}
	importAll(names)
	atFirst := e.imageKeys(t)

	exact := importmode.Effect{From: legacy, To: preserve, Nodes: payloadarch.SetOf("amd64", "arm64"), Digests: map[string]importmode.DigestUse{}}
	bound := importmode.Effect{From: legacy, To: preserve, Nodes: exact.Nodes}
	fixes, reverses := map[string][]json.RawMessage{}, map[string][]json.RawMessage{}
	for _, name := range names {
		s := e.stream(t, name)
		bound.Add(nil, s, given(s))
		for _, tag := range exact.Add(nil, s, given(s)) {
			fixes[name] = join(t, fixes[name], tag.JSONPatch(tag.Fix))
			reverses[name] = join(t, reverses[name], tag.JSONPatch(tag.Reverse))
		}
	}
	byChange, byFixes := predicted(exact.Digests)
	totals := exact.Totals
	if len(byChange) == 0 || len(byFixes) < lists || int64(len(byChange)) != totals.ByChange.Objects || int64(len(byFixes)) != totals.ByFixes.Objects || totals.ByFixes.Unknown != 0 {
		t.Errorf("%d and %d digests are remembered, totals %+v", len(byChange), len(byFixes), totals)
	}
	if b := bound.Totals; b.ByChange.Objects < totals.ByChange.Objects || b.ByFixes.Objects <= totals.ByFixes.Objects {
		t.Errorf("bounds %+v, want more than %+v, since fixed tags share images", b, totals)
	}

	stored := atFirst
	added := func(t *testing.T) map[string]int {
		t.Helper()
		now := e.imageKeys(t)
		more := maps.Clone(now)
		for name := range stored {
			if _, ok := now[name]; !ok {
				t.Errorf("%s is gone", name)
			}
			delete(more, name)
		}
		stored = now
		return more
	}
	ok := t.Run("the cluster's mode changes", func(t *testing.T) {
		e.flip(t, preserve)
		importAll(names)
		if sent := e.taken(); sent != "" || len(added(t)) != 0 {
			t.Errorf("sent %q: nothing is imported because of the change", sent)
		}
		for _, name := range odd {
			s := e.stream(t, name)
			for i := range s.Spec.Tags {
				s.Spec.Tags[i].Generation = new(int64(0))
			}
			if err := e.Update(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		importAll(odd)
		if diff := cmp.Diff(byChange, slices.Sorted(maps.Keys(added(t)))); diff != "" {
			t.Errorf("images (-predicted +stored):\n%s", diff)
		}
	})
	ok = ok && t.Run("the fixes", func(t *testing.T) {
		e.patch(t, fixes)
		importAll(names)
		more := added(t)
		if diff := cmp.Diff(byFixes, slices.Sorted(maps.Keys(more))); diff != "" {
			t.Errorf("images (-predicted +stored):\n%s", diff)
		}
		// What an object takes is known of those that are there already.
		growth, size := len(byFixes)*sum(atFirst)/len(atFirst), sum(more)
		t.Logf("etcd: predicted %d objects of %d bytes on average, %d KiB; measured %d keys, %d KiB",
			len(byFixes), sum(atFirst)/len(atFirst), growth>>10, len(more), size>>10)
		if growth > 2*size || size > 2*growth {
			t.Errorf("predicted %d bytes, measured %d", growth, size)
		}
		again := importmode.Effect{From: preserve, To: preserve, Nodes: exact.Nodes}
		for _, name := range names {
			s := e.stream(t, name)
			again.Add(nil, s, given(s))
			for _, tag := range s.Spec.Tags {
				if got := newestOf(s, tag.Name); got != manifests[tag.From.Name].Digest {
					t.Errorf("%s:%s is %s", name, tag.Name, got)
				}
			}
		}
		if again.Totals.Changed != 0 || again.Totals.ByFixes.Tags != 0 {
			t.Errorf("still to be fixed: %+v", again.Totals)
		}
	})
	_ = ok && t.Run("the reverse patches", func(t *testing.T) {
		e.patch(t, reverses)
		importAll(names)
		if more := added(t); len(more) != 0 {
			t.Errorf("added %v", more)
		}
		for _, name := range names {
			s := e.stream(t, name)
			for _, tag := range s.Spec.Tags {
				if got := newestOf(s, tag.Name); got == "" || tag.From.Name != single.from && got == manifests[tag.From.Name].Digest {
					t.Errorf("%s:%s is %q", name, tag.Name, got)
				}
			}
		}
	})
}

// predicted are the images that the change adds, and those that the fixes add then.
func predicted(digests map[string]importmode.DigestUse) (byChange, byFixes []string) {
	for digest, use := range digests {
		switch {
		case use.Stored:
		case use.ByChange:
			byChange = append(byChange, digest)
		case use.ByFixes:
			byFixes = append(byFixes, digest)
		}
	}
	slices.Sort(byChange)
	slices.Sort(byFixes)
	return byChange, byFixes
}

// imageKeys are the images in etcd, with the size of key and value.
func (e *env) imageKeys(t *testing.T) map[string]int {
	t.Helper()
	etcd, err := e.server.Etcd()
	if err != nil {
		t.Fatal(err)
	}
	defer etcd.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	prefix := launch.StoragePrefix + "/image.openshift.io/images/"
	answer, err := etcd.Get(ctx, prefix, clientv3.WithPrefix())
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]int{}
	for _, kv := range answer.Kvs {
		sizes[strings.TrimPrefix(string(kv.Key), prefix)] = len(kv.Key) + len(kv.Value)
	}
	return sizes
}

// join appends the operations of a JSON patch to others of the same stream.
func join(t *testing.T, all []json.RawMessage, patch []byte) []json.RawMessage {
	t.Helper()
	var operations []json.RawMessage
	if patch == nil {
		return all
	}
	if err := json.Unmarshal(patch, &operations); err != nil {
		t.Fatal(err)
	}
	return append(all, operations...)
}

func (e *env) patch(t *testing.T, patches map[string][]json.RawMessage) {
	t.Helper()
	for name, operations := range patches {
		if len(operations) == 0 {
			continue
		}
		patch, err := json.Marshal(operations)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Patch(t.Context(), streamOf(name), client.RawPatch(types.JSONPatchType, patch)); err != nil {
			t.Fatalf("%s: %s: %v", name, patch, err)
		}
	}
}

func sum(sizes map[string]int) (total int) {
	for _, n := range sizes {
		total += n
	}
	return total
}
