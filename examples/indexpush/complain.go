package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/polyarch/polyarch/examples/indexpush/push"
	"github.com/polyarch/polyarch/manifestlist"
)

// maxComplaints bounds the lines about images that fail alike.
const maxComplaints = 20

// complain writes a line for each error, then what can be done about it, then what
// became of the tag, and returns the exit code.
func (c *command) complain(ctx context.Context, a *arguments, keychain authn.Keychain, err error) int {
	if ctx.Err() != nil {
		fate := ""
		if !a.dryRun {
			fate = fmt.Sprintf("; %s leads to the whole old index or the whole new one, and the same again goes on", a.to)
		}
		fmt.Fprintf(c.stderr, "indexpush: interrupted%s\n", fate)
		return exitInterrupted
	}
	var refused manifestlist.IndexErrors
	var failed push.Errors
	var one *push.Error
	switch {
	case errors.As(err, &refused):
		for _, e := range refused {
			c.say(e)
		}
		c.say("nothing was pushed")
		return exitRefused
	case errors.As(err, &failed):
	case errors.As(err, &one):
		failed = push.Errors{one}
	default:
		c.say(err)
		return exitRegistry
	}
	for i, e := range failed {
		if i == maxComplaints {
			c.say(fmt.Sprintf("and %d more", len(failed)-i))
			break
		}
		c.say(e)
	}
	code, said := exitRefused, map[string]bool{}
	for _, e := range failed {
		if e.Reason != push.ReasonNotImage {
			code = exitRegistry
		}
		if r := remedy(e, keychain); r != "" && !said[r] {
			said[r] = true
			c.say(r)
		}
	}
	switch {
	case a.dryRun:
	case failed[0].Op == push.OpTag && mayHaveArrived(failed[0].Reason):
		c.say(fmt.Sprintf("whether %s leads to the new index is not known; run the same again", a.to))
	default:
		c.say(fmt.Sprintf("%s was not touched", a.to))
	}
	return code
}

// mayHaveArrived says whether the registry may have done what it was asked for.
func mayHaveArrived(r push.Reason) bool {
	switch r {
	case push.ReasonBroken, push.ReasonStalled, push.ReasonRegistryFault, push.ReasonOther:
		return true
	}
	return false
}

func (c *command) say(what any) { fmt.Fprintln(c.stderr, "indexpush:", what) }
