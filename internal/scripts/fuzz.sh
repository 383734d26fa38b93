#!/bin/sh
# Runs the fuzz targets of the modules named, each for FUZZTIME, JOBS of them at a time
# with one worker each; TARGET is a regular expression for the names of those that are
# wanted. A package is compiled once for all its targets.
set -eu
# go test -fuzz compiles every package anew so that it counts what is reached in it. This
# counts what is reached in polyarch: other packages are compiled already, and several times
# as many inputs are tried, because the counters are read after each.
instrument='-gcflags=github.com/polyarch/polyarch/...=-d=libfuzzer'
case $(go env GOARCH) in
amd64 | arm64) ;;
*) instrument= ;; # the compiler can do it nowhere else
esac
root=$(pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
for m in "$@"; do
	cd "$root/$m"
	# The root module does not hold the directories of the nested ones.
	git ls-files --cached --others --exclude-standard -- '*_test.go' |
		grep -E -v '^(examples|osimagestream|internal/benchmarks)/' | xargs grep -H '^func Fuzz' |
		sed 's|^\(.*\)/[^/]*:func \(Fuzz[A-Za-z0-9_]*\)(.*|\1 \2|; s|^[^/ ]*:func \(Fuzz[A-Za-z0-9_]*\)(.*|. \1|' |
		awk -v target="${TARGET:-.}" '$2 ~ target' | sort -u >"$scratch/targets"
	for dir in $(cut -d' ' -f1 "$scratch/targets" | uniq); do
		package=$(go list "./$dir")
		program=$scratch/$(echo "$package" | tr / _)
		go test -c $instrument -o "$program" "./$dir"
		sed -n "s|^$dir \(.*\)|$root/$m/$dir $package $program \1|p" "$scratch/targets" >>"$scratch/all"
	done
done
[ -s "$scratch/all" ] || { echo "fuzz: no target matches $TARGET" >&2 && exit 2; }
xargs -L 1 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" sh "$root/internal/scripts/fuzz-target.sh" <"$scratch/all"
