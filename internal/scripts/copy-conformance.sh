#!/bin/sh
# Copies package conformance into the module osimagestream, which must not require
# the root module for the sake of its test package. A test holds the copies equal.
set -eu
cd "$(dirname "$0")/../.."
rm -f osimagestream/conformance/*.go
for f in conformance/*.go; do
	case $f in
	*_test.go) ;;
	*) cp "$f" osimagestream/conformance/ ;;
	esac
done
