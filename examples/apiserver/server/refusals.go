package server

import (
	"net"
	"net/http"
	"sync"
	"time"

	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/klog/v2"
)

// refusalInterval is how often a log tells of requests with wrong tokens.
const refusalInterval = time.Minute

// countedRefusals hides from the handlers of k8s.io/apiserver why a request is not
// authenticated: they log a line for each (withAuthentication of
// pkg/endpoints/filters/authentication.go, v0.36.6), so that anybody who reaches the
// port could fill the disk. The answer stays 401.
type countedRefusals struct {
	authenticator.Request

	mu    sync.Mutex
	more  int
	from  string
	quiet *time.Timer // nil when the next refusal is told of at once
}

func (c *countedRefusals) AuthenticateRequest(r *http.Request) (*authenticator.Response, bool, error) {
	response, ok, err := c.Request.AuthenticateRequest(r)
	if err != nil {
		c.count(r.RemoteAddr, err)
	}
	return response, ok, nil
}

func (c *countedRefusals) count(from string, err error) {
	host, _, _ := net.SplitHostPort(from)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.quiet != nil {
		c.more, c.from = c.more+1, host
		return
	}
	klog.ErrorS(err, "Refused a request with a wrong token; more of them are counted and told of together", "from", host, "every", refusalInterval)
	c.quiet = time.AfterFunc(refusalInterval, c.flush)
}

// flush tells of the refusals since the last line. Without any, the next one is told
// of at once.
func (c *countedRefusals) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.more == 0 {
		c.quiet = nil
		return
	}
	klog.ErrorS(nil, "Refused more requests with wrong tokens", "requests", c.more, "lastFrom", c.from)
	c.more = 0
	c.quiet.Reset(refusalInterval)
}
