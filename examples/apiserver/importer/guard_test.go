package importer

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestGuard: rule 12 holds whatever the clients above the guard take along.
func TestGuard(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.Header }))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	g := guard{New(Options{}).Session(Policy{InsecureRegistries: []string{host}}, nil), host}

	for _, tt := range []struct {
		name, method, from string // from is what redirected here, if anything
		carried, refused   bool
	}{
		{"12: not redirected", http.MethodGet, "", true, false},
		{"12: on one host", http.MethodGet, server.URL, true, false},
		{"12: from another host", http.MethodGet, "http://elsewhere.example.com", false, false},
		{"12: from another port", http.MethodHead, "http://127.0.0.1:1", false, false},
		{"12: from another scheme", http.MethodGet, "https://" + host, false, false},
		{"12: with a body, from another host", http.MethodPost, "http://elsewhere.example.com", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got = nil
			request := func(method, url string) *http.Request {
				r, err := http.NewRequestWithContext(t.Context(), method, url+"/v2/", nil)
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			r := request(tt.method, server.URL)
			for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
				r.Header.Set(name, "secret")
			}
			if tt.from != "" {
				r.Response = &http.Response{Request: request(http.MethodGet, tt.from)}
			}
			response, err := g.RoundTrip(r)
			if err == nil {
				response.Body.Close()
			}
			if refused := (*RefusedError)(nil); errors.As(err, &refused) != tt.refused || err != nil && !tt.refused {
				t.Fatalf("error is %v, refused should be %v", err, tt.refused)
			}
			for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
				if carried := got.Get(name) != ""; carried != tt.carried {
					t.Errorf("%s is carried: %v, want %v", name, carried, tt.carried)
				}
				if r.Header.Get(name) == "" {
					t.Errorf("%s is gone from the caller's request", name)
				}
			}
		})
	}
}
