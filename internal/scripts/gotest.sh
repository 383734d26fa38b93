#!/bin/sh
# go test of PACKAGES (./...) with the flags given. With SEED set, property tests
# draw from that seed: what CI finds in one commit it finds in the same commit
# again. Only test binaries with rapid in them know its flag.
set -eu
packages=${PACKAGES:-./...}
[ -n "${SEED:-}" ] || exec go test "$@" $packages
drawing=$(go list -test -f '{{if eq .Name "main"}}{{.ImportPath}}{{range .Deps}} {{.}}{{end}} {{end}}' $packages |
	sed -n 's/^\([^ ]*\)\.test .* pgregory\.net\/rapid .*/\1/p')
others=$(go list $packages | grep -vxF "${drawing:-none}" || true)
status=0
[ -z "$others" ] || go test "$@" $others || status=1
[ -z "$drawing" ] || go test "$@" $drawing -rapid.seed="$SEED" || status=1
exit $status
