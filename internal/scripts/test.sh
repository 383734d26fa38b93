#!/bin/sh
# Runs the tests of the modules named, with the race detector where it can run.
set -eu
scripts=$(cd "$(dirname "$0")" && pwd)
race=-race
if ! printf 'int main(void){return 0;}' | "$(go env CC)" -x c -o /dev/null - 2>/dev/null; then
	race=
	echo "##########################################################################"
	echo "## NO C COMPILER: the tests run WITHOUT the race detector."
	echo "## Install one (on Debian: apt-get install gcc libc6-dev) to have it."
	echo "##########################################################################"
fi
status=0
for m in "$@"; do
	# The tests in examples mostly wait for servers and clients of theirs.
	at_once=
	[ "$m" != examples ] || at_once="-p 4"
	echo "--- tests of module $m (go test $race $at_once ./...)"
	(cd "$m" && CGO_ENABLED=${race:+1} sh "$scripts/gotest.sh" $race $at_once) || status=1
done
exit $status
