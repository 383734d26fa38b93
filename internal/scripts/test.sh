#!/bin/sh
# Runs the tests of the modules named. The race detector watches the modules that
# others import, and with RACE=all everything: for the examples that is a second build of
# all of etcd and Kubernetes, and tests twice as long.
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
status=0
# run [-v] PATTERN FLAGS tests the packages of module m that match, or with -v do not.
run() {
	not=
	[ "$1" != -v ] || { not=-v && shift; }
	packages=$(cd "$m" && go list ./... | grep $not "$1" || true)
	shift
	[ -n "$packages" ] || return 0
	echo "--- tests of module $m (go test $*)"
	(cd "$m" && PACKAGES=$packages sh "$scripts/gotest.sh" "$@") || status=1
}
# The conformance kits, and these tests, play thousands of cases on one goroutine: the
# race detector would only make them slow. What they play is tested with it.
kits='test$' plays='^Test(Conformance|Mangled|Oracle)$' all=
[ "${RACE:-}" != all ] || { kits='^$' plays= all=$race; }
# The cache of test results knows no file outside of a test's module, such as those of the
# root module that a server is built from. -benchtime, which the cache goes by and which
# changes nothing, says what they hold.
outside() {
	sum=$(git ls-files --cached --others --exclude-standard -- . ":!$m" | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done | git hash-object --stdin-paths | git hash-object --stdin | cut -c1-7)
	echo "-benchtime=$((0x$sum + 1))x"
}
for m in "$@"; do
	other=
	[ "$m" = . ] || other=$(outside)
	case $m in
	# Its tests mostly wait, for servers and clients of theirs.
	examples) run . $all $other -p 4 ;;
	internal/benchmarks) run . $all $other ;;
	*)
		run -v "$kits" $race $other -skip "$plays"
		[ -z "$plays" ] || run -v "$kits" $other -run "$plays"
		run "$kits" $other
		;;
	esac
done
exit $status
