#!/usr/bin/env bash
# Long tries of single promises, for a quiet hour: one function each.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
Usage: Jobs/drill.sh DRILL
  --templates [N]   N payloads (1000000) of random templates of the payload language with random texts: every one
                    strict JSON, in the strings that hold JSON too, and the same bytes whoever knows the texts
END
}

templates() {
  local count=${1:-1000000}
  # The tests look into their modules, which a release build allows only when asked.
  swift build -c release --build-tests -Xswiftc -enable-testing
  time SALVO_RENDERINGS=$count swift test -c release -Xswiftc -enable-testing --skip-build \
    --filter RandomTemplateTests
}

case ${1:-} in
  --templates) templates "${2:-}" ;;
  -h | --help) usage ;;
  *) usage >&2; exit 64 ;;
esac
