#!/bin/sh
# Runs each fuzz target of the modules named for FUZZTIME.
set -eu
status=0
for m in "$@"; do
	# The root module does not hold the directories of the nested ones.
	for file in $(cd "$m" && git ls-files --cached --others --exclude-standard -- '*_test.go' |
		grep -E -v '^(examples|osimagestream|internal/benchmarks)/' | xargs grep -sl '^func Fuzz'); do
		for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$m/$file"); do
			echo "--- fuzz $m/$(dirname "$file") $target for $FUZZTIME"
			(cd "$m" && go test -run '^$' -fuzz "^$target\$" -fuzztime "$FUZZTIME" "./$(dirname "$file")") || status=1
		done
	done
done
exit $status
