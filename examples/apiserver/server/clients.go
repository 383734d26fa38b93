package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/warning"

	"github.com/polyarch/polyarch/importmode"
)

// sendsLegacy is the context key of requests by clients of which the
// administrator says that they send Legacy without being asked to.
type sendsLegacy struct{}

// markClients marks the requests whose User-Agent begins with one of the
// prefixes.
func markClients(config *genericapiserver.Config, prefixes []string) {
	if len(prefixes) == 0 {
		return
	}
	next := config.BuildHandlerChainFunc
	config.BuildHandlerChainFunc = func(handler http.Handler, config *genericapiserver.Config) http.Handler {
		chain := next(handler, config)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(r.UserAgent(), p) }) {
				r = r.WithContext(context.WithValue(r.Context(), sendsLegacy{}, true))
			}
			chain.ServeHTTP(w, r)
		})
	}
}

func optionsFor(ctx context.Context) importmode.Options {
	marked, _ := ctx.Value(sendsLegacy{}).(bool)
	return importmode.Options{IgnoreLegacy: marked}
}

// warn tells the client what is odd about its request.
func warn(ctx context.Context, findings []importmode.Finding) {
	for _, f := range findings {
		warning.AddWarning(ctx, "", f.String())
	}
}
