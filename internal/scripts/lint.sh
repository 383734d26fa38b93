#!/bin/sh
# Lints the modules named. STATICCHECK and GOVULNCHECK name tool@version.
set -eu
status=0
fail() { echo "lint: $*"; status=1; }

# New files count before git knows them, removed ones no longer.
unformatted=$(git ls-files --cached --others --exclude-standard -- '*.go' |
	while read -r file; do [ ! -f "$file" ] || echo "$file"; done | xargs gofmt -l)
[ -z "$unformatted" ] || fail "not gofmt'ed: $unformatted"

# The tools are built outside the modules, so that no go.mod names them. Later
# runs take them from the build cache.
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
(cd "$bin" && GOBIN=$bin GOFLAGS= go install -trimpath "$STATICCHECK")
vuln=yes
if ! (cd "$bin" && GOBIN=$bin GOFLAGS= go install -trimpath "$GOVULNCHECK"); then
	vuln=
	echo "lint: ##### SKIPPED govulncheck: it could not be installed #####"
fi

for m in "$@"; do
	echo "--- lint of module $m (gofmt, go mod tidy -diff, go vet, staticcheck, govulncheck)"
	(cd "$m" && go mod tidy -diff) || fail "$m: go mod tidy would change go.mod or go.sum"
	(cd "$m" && go vet ./...) || fail "$m: go vet"
	(cd "$m" && "$bin/staticcheck" ./...) || fail "$m: staticcheck"
	if [ -n "$vuln" ]; then
		if ! out=$(cd "$m" && "$bin/govulncheck" ./... 2>&1); then
			case $out in
			*"fetching vulnerabilities"*)
				vuln=
				echo "lint: ##### SKIPPED govulncheck: its database cannot be reached from here #####"
				;;
			*) fail "$m: govulncheck: $out" ;;
			esac
		fi
	fi
done
exit $status
