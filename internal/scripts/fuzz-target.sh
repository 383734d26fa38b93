#!/bin/sh
# Runs one fuzz target for FUZZTIME: fuzz-target.sh <directory> <package> <test program>
# <target>. It prints
#
#	fuzz <package> <target> <CPU seconds> <inputs tried> <new interesting> <all interesting>
#
# where an input is interesting if it reaches code that no other reaches. One that makes
# the target fail is written to testdata/fuzz of the package.
set -eu
dir=$1 package=$2 program=$3 target=$4 log=$3.$4.log
cd "$dir"
found() { ls "testdata/fuzz/$target" 2>/dev/null || true; }
before=$(found)
status=0
# By default the whole time may go into making one interesting input smaller.
"$program" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "$FUZZTIME" -test.fuzzminimizetime 2s -test.parallel 1 \
	-test.fuzzcachedir "$(go env GOCACHE)/fuzz/$package" >"$log" 2>&1 || status=$?
# Before Go 1.27 a target fails now and then for no more than that its time is over
# (go.dev/issue/75804). A target that has found something has written it down.
if [ "$status" != 0 ] && grep -q '^ *context deadline exceeded$' "$log" && [ "$before" = "$(found)" ]; then
	status=0
fi
[ "$status" = 0 ] || cat "$log"
# There is no count if its time was over before all known inputs had been tried.
counts=$(sed -n 's/.*execs: \([0-9]*\) .*new interesting: \([0-9]*\) (total: \([0-9]*\)).*/\1 \2 \3/p' "$log" | tail -n 1)
times >"$log.times"
seconds=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%.0f", 60 * (t[1] + t[3]) + t[2] + t[4] }' "$log.times")
echo "fuzz $package $target $seconds ${counts:-0 0 0}"
exit "$status"
