#!/bin/sh
# Runs the tests of the modules named, and once more with the race detector those that
# call what others import from several goroutines at once: nothing else there has more than
# one. With RACE=all the race detector watches everything: for the examples that is a second
# build of all of etcd and Kubernetes, and tests twice as long.
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
[ -z "$race" ] || export CGO_ENABLED=1
all=
[ "${RACE:-}" != all ] || all=$race
status=0
# run PACKAGES FLAGS tests packages of module m.
run() {
	packages=$1
	shift
	echo "--- tests of module $m (go test $*)"
	(cd "$m" && PACKAGES=$packages sh "$scripts/gotest.sh" "$@") || status=1
}
# The cache of test results knows no file outside of a test's module. Commands tell by their
# path what they are made of; tests that read texts from elsewhere look at this variable, too.
POLYARCH_TEXTS=$(git ls-files --cached --others --exclude-standard -- '*.md' | while read -r file; do
	[ ! -f "$file" ] || echo "$file"
done | git hash-object --stdin-paths | git hash-object --stdin)
export POLYARCH_TEXTS
for m in "$@"; do
	wait=
	if [ "$m" = examples ]; then
		wait='-p 4' # its tests mostly wait, for servers and clients of theirs
		# Or each of those that start one would build it, all at once and within its time.
		for command in apiserver internal/etcdmember; do
			go run -C "$m" -exec true "./$command" || exit 1
			name=$(basename "$command" | tr '[:lower:]' '[:upper:]')
			export "POLYARCH_$name=$(go run -C "$m" -exec echo "./$command")"
		done
	fi
	run ./... $all $wait
	[ -n "$race" ] && [ -z "$all" ] || continue
	concurrent=$(cd "$m" && go list -f '{{.Dir}}' ./... | while read -r dir; do
		[ ! -f "$dir/concurrent_test.go" ] || echo "$dir"
	done)
	[ -z "$concurrent" ] || run "$concurrent" $race -run '^TestConcurrent'
done
exit $status
