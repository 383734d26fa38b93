#!/bin/sh
# go test of PACKAGES (./...) with the flags given. With SEED set, property tests
# draw from that seed: what CI finds in one commit it finds in the same commit
# again. The cache of test results does not know of the variable, which is read before a
# test begins, but of -benchtime, which changes nothing: no benchmark is run.
set -eu
packages=${PACKAGES:-./...}
[ -n "${SEED:-}" ] || exec go test "$@" $packages
export RAPID_SEED="$SEED"
exec go test -benchtime="${SEED}x" "$@" $packages
