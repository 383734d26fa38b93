package source

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
)

// Chunk is how many objects of a list are asked for at once.
const Chunk = 500

// Cluster reads from an API server. It sends GET requests and nothing else.
type Cluster struct {
	client  rest.Interface
	kinds   []*Kind
	info    Info
	covered map[*Kind]Coverage
}

// NewCluster returns a source of the cluster that the configuration leads to.
func NewCluster(config *rest.Config) (*Cluster, error) {
	config = rest.CopyConfig(config)
	config.GroupVersion = &schema.GroupVersion{}
	config.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	// A reader that waits for its own limit helps nobody; the server has priority and
	// fairness.
	config.QPS = -1
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		return nil, err
	}
	host := config.Host
	if u, err := url.Parse(config.Host); err == nil && u.Host != "" {
		host = u.Host
	}
	return &Cluster{client: client, kinds: Kinds(), info: Info{Type: TypeCluster, Names: []string{host}}, covered: map[*Kind]Coverage{}}, nil
}

// Info describes what was read.
func (s *Cluster) Info() Info { return s.info }

// Coverage says what became of a kind.
func (s *Cluster) Coverage(k *Kind) Coverage { return s.covered[k] }

// Read lists the kinds one after the other.
func (s *Cluster) Read(ctx context.Context, f func(*Kind, Object) error) error {
	for _, k := range s.kinds {
		if k.Bulk || k.Picked {
			continue
		}
		if err := s.list(ctx, k, func(o Object) error { return f(k, o) }); err != nil {
			return err
		}
	}
	return nil
}

// Stream lists a bulk kind.
func (s *Cluster) Stream(ctx context.Context, k *Kind, f func(Object) error) error {
	return s.list(ctx, k, f)
}

// list reads a kind in the newest version that the server has.
func (s *Cluster) list(ctx context.Context, k *Kind, f func(Object) error) error {
	var c Coverage
	for _, version := range k.Versions {
		var stop error
		c, stop = s.listVersion(ctx, k, version, f)
		if stop != nil {
			return stop
		}
		if c.State != NotServed {
			break
		}
	}
	s.covered[k] = c
	s.info.Objects += c.Objects
	return ctx.Err()
}

func (s *Cluster) listVersion(ctx context.Context, k *Kind, version string, f func(Object) error) (Coverage, error) {
	c, next := Coverage{State: Read}, ""
	for {
		request := s.client.Get().AbsPath(pathOf(k, version, k.Namespace)).Param("limit", strconv.Itoa(Chunk))
		if next != "" {
			request = request.Param("continue", next)
		}
		body, err := request.DoRaw(ctx)
		if token := inconsistent(body, err); token != "" {
			// What was read took longer than the server keeps a state. It goes on
			// with the state of now.
			next = token
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				return c, ctx.Err()
			}
			c.State, c.Detail = stateOf(err), said(body, err)
			return c, nil
		}
		var page struct {
			Metadata struct {
				Continue string `json:"continue"`
			} `json:"metadata"`
			Items []json.RawMessage `json:"items"`
		}
		if err := json.Unmarshal(body, &page); err != nil {
			c.State, c.Detail = Failed, err.Error()
			return c, nil
		}
		for _, item := range page.Items {
			o, err := objectOf(k, item)
			if err != nil {
				s.info.Unreadable.Add(k.Name(), err.Error())
				continue
			}
			c.Objects++
			if err := f(o); err != nil {
				return c, err
			}
		}
		if next = page.Metadata.Continue; next == "" {
			return c, nil
		}
	}
}

// Pick asks for single objects. Those that are not there are left out.
func (s *Cluster) Pick(ctx context.Context, k *Kind, keys []Key, f func(Object) error) error {
	c := s.covered[k]
	if c.State == NotRead {
		c.State = Read
	}
	for _, key := range keys {
		body, err := s.client.Get().AbsPath(pathOf(k, k.Versions[0], key.Namespace), key.Name).DoRaw(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case apierrors.IsNotFound(err):
			continue
		case err != nil:
			c.State, c.Detail = stateOf(err), said(body, err)
			s.covered[k] = c
			if c.State == Forbidden && !k.Namespaced {
				return nil // the next answer would be the same
			}
			continue
		}
		o, err := objectOf(k, body)
		if err != nil {
			s.info.Unreadable.Add(k.Name(), err.Error())
			continue
		}
		c.Objects++
		s.info.Objects++
		if err := f(o); err != nil {
			return err
		}
	}
	s.covered[k] = c
	return nil
}

func pathOf(k *Kind, version, namespace string) string {
	p := "/apis/" + k.Group + "/" + version
	if k.Group == "" {
		p = "/api/" + version
	}
	if namespace != "" {
		p += "/namespaces/" + namespace
	}
	return p + "/" + k.Resource
}

func objectOf(k *Kind, text []byte) (Object, error) {
	id := identify(piece{text: text, isJSON: true})
	if id.Name == "" {
		return Object{}, fmt.Errorf("a %s without a name", k.Kind)
	}
	if !k.Bulk {
		var err error
		if text, err = drop(text, alwaysDropped, k.Drop); err != nil {
			return Object{}, err
		}
	}
	return Object{id.Key, text}, nil
}

// inconsistent returns the token with which a list goes on whose state has expired.
func inconsistent(body []byte, err error) string {
	var status metav1.Status
	if !apierrors.IsGone(err) && !apierrors.IsResourceExpired(err) || json.Unmarshal(body, &status) != nil {
		return ""
	}
	return status.Continue
}

// said returns what the server said, or else what the client says.
func said(body []byte, err error) string {
	var status metav1.Status
	if json.Unmarshal(body, &status) == nil && status.Message != "" {
		return status.Message
	}
	return err.Error()
}

func stateOf(err error) State {
	switch {
	case apierrors.IsNotFound(err):
		return NotServed
	case apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err):
		return Forbidden
	}
	return Failed
}
