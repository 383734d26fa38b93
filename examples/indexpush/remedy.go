package main

import (
	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/polyarch/polyarch/examples/indexpush/push"
)

// remedy is what the user of this command can do about e, or nothing.
func remedy(e *push.Error, keychain authn.Keychain) string {
	host := e.Reference.Context().RegistryStr()
	repository := e.Reference.Context().Name()
	login := "podman login " + host + " or docker login " + host + ", or --authfile FILE"
	switch e.Reason {
	case push.ReasonUnauthorized:
		if anonymous(e, keychain) {
			return "no credentials for " + host + " were found: " + login
		}
		return host + " does not accept the credentials that were found for it: " + login
	case push.ReasonForbidden:
		right := "write to"
		if e.Op == push.OpRead {
			right = "read"
		}
		if anonymous(e, keychain) {
			return "no credentials for " + host + " were found, and without them one may not " + right + " " + repository + ": " + login
		}
		return "ask its owner for the right to " + right + " " + repository + ", or log in as somebody who has it: " + login
	case push.ReasonNotFound:
		if e.Op == push.OpRead {
			return "check name and digest; some registries hide what one may not read: " + login
		}
		return "check the name; some registries want " + repository + " to be created before the first push"
	case push.ReasonTooManyRequests:
		return "wait, then run the same again, which sends nothing twice; --parallel 1 asks for less at once"
	case push.ReasonRegistryFault:
		return "the fault is in the registry: run the same again later, or ask those who run it"
	case push.ReasonBroken:
		return "run the same again, which sends nothing twice; if it breaks again, look at the network and at proxies"
	case push.ReasonStalled:
		return "run the same again, which sends nothing twice; --stall-timeout waits longer for a slow registry"
	case push.ReasonUnreachable:
		return "check the name, the port and the network, and HTTPS_PROXY and NO_PROXY"
	case push.ReasonCertificate:
		return "give its authority in a file, SSL_CERT_FILE=FILE, or do without: --insecure=" + host
	case push.ReasonPlainHTTP:
		return "if it is meant to, --insecure=" + host
	}
	return ""
}

func anonymous(e *push.Error, keychain authn.Keychain) bool {
	auth, err := keychain.Resolve(e.Reference.Context())
	return err == nil && auth == authn.Anonymous
}
