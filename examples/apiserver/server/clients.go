package server

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	imagev1 "github.com/openshift/api/image/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/warning"

	"github.com/polyarch/polyarch/importmode"
)

// A sender is what the User-Agent of a request says about the modes in it.
type sender struct {
	// ignoreLegacy: the administrator says that this client sends Legacy unasked.
	ignoreLegacy bool
	// knownAs is how the User-Agent begins of a client that is known to send
	// Legacy unasked, empty for any other.
	knownAs string
}

// oldClients send Legacy in image stream tags and imports whatever they are asked
// for. The archive of OpenShift's clients has oc under the name of kubectl, too.
var oldClients = []string{"oc", "kubectl"}

type senderKey struct{}

// markClients tells the handlers who sends: the prefixes are beginnings of
// User-Agents whose Legacy counts as not given.
func markClients(config *genericapiserver.Config, prefixes []string) {
	next := config.BuildHandlerChainFunc
	config.BuildHandlerChainFunc = func(handler http.Handler, config *genericapiserver.Config) http.Handler {
		chain := next(handler, config)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s := senderOf(r.UserAgent(), prefixes); s != (sender{}) {
				r = r.WithContext(context.WithValue(r.Context(), senderKey{}, s))
			}
			chain.ServeHTTP(w, r)
		})
	}
}

func senderOf(userAgent string, prefixes []string) sender {
	var s sender
	s.ignoreLegacy = slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(userAgent, p) })
	if program, _, ok := strings.Cut(userAgent, "/"); ok && slices.Contains(oldClients, strings.TrimSuffix(program, ".exe")) {
		s.knownAs = program + "/"
	}
	return s
}

// senderFrom knows nothing of who sends a patch: in a patch stands only what its
// author asks for.
func senderFrom(ctx context.Context) sender {
	if info, ok := request.RequestInfoFrom(ctx); ok && info.Verb == "patch" {
		return sender{}
	}
	s, _ := ctx.Value(senderKey{}).(sender)
	return s
}

func optionsFor(ctx context.Context) importmode.Options {
	return importmode.Options{IgnoreLegacy: senderFrom(ctx).ignoreLegacy}
}

// warn tells the client what is odd about its request.
func warn(ctx context.Context, findings []importmode.Finding) {
	for _, f := range findings {
		warning.AddWarning(ctx, "", f.String())
	}
}

// warnLegacy tells a client that is known to send Legacy unasked that this is how
// it has kept a tag from the cluster's mode.
func warnLegacy(ctx context.Context, cluster imagev1.ImportModeType, d importmode.TagDecision, given imagev1.ImportModeType, path *field.Path) {
	s := senderFrom(ctx)
	if s.knownAs == "" || d.LegacyIgnored || given != imagev1.ImportModeLegacy || cluster != imagev1.ImportModePreserveOriginal {
		return
	}
	warning.AddWarning(ctx, "", fmt.Sprintf("%s: Legacy was sent and is used, though new tags of this cluster are PreserveOriginal; "+
		"if nobody asked for Legacy, %s sent it by itself: add --import-mode=PreserveOriginal, or start the apiserver with --ignore-legacy-from=%s",
		path.Child("importPolicy", "importMode"), strings.TrimSuffix(s.knownAs, "/"), s.knownAs))
}

// warnLabels tells the client that labels which it sends are not stored. A
// client that sends none may well be one that does not know of them: upstream
// takes that for the stream's, and refuses what differs, where this server only
// warns. In a patch, none means that they are to go.
func warnLabels(ctx context.Context, requested *imagev1.ImageStreamTag, stream *imagev1.ImageStream) {
	info, ok := request.RequestInfoFrom(ctx)
	patch := ok && info.Verb == "patch"
	if maps.Equal(requested.Labels, stream.Labels) || len(requested.Labels) == 0 && !patch {
		return
	}
	warning.AddWarning(ctx, "", fmt.Sprintf("metadata.labels: an image stream tag shows the labels of its stream and stores none: label imagestream/%s instead", stream.Name))
}
