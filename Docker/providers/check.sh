#!/usr/bin/env bash
# Brings a stack up, asks every stand-in right and wrong things with curl, and compares each answer and the ledger with
# what the real provider gives. As root it does so twice at the same time: as root and as an ordinary user.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
stack=$here/../../Jobs/stack.sh
for tool in jq h2load; do
  command -v "$tool" >/dev/null || { echo "check: missing $tool: apt-get install jq nghttp2-client" >&2; exit 1; }
done

work=$(mktemp -d /tmp/salvo-check.XXXXXX)
chmod 711 "$work"
# EPOCHREALTIME has a decimal comma in some locales.
export LC_ALL=C
failures=0
checks=0

finish() {
  local code=$?
  "$stack" down "$work/stack" 2>/dev/null || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT

if ((EUID == 0)) && [[ ${1-} != --alone ]]; then
  # The ordinary user may not be able to read this folder, so it runs a copy.
  mkdir -p "$work/copy/Docker" "$work/copy/Jobs"
  cp -r "$here" "$work/copy/Docker/providers"
  cp "$stack" "$work/copy/Jobs/"
  chmod -R a+rX "$work"
  runuser -u nobody -- "$work/copy/Docker/providers/check.sh" &
  ordinary=$! code=0
  "${BASH_SOURCE[0]}" --alone || code=1
  wait "$ordinary" || code=1
  exit "$code"
fi

for part in asking fcm apns hms appmetrica rustore running; do
  # shellcheck source=/dev/null
  . "$here/check/$part.sh"
done

"$stack" up "$work/stack"
eval "$("$stack" env "$work/stack")"
check_fcm_tokens
check_fcm
check_apns
check_hms_tokens
check_hms
check_appmetrica
check_rustore
check_running
echo "check ($(id -un)): $checks checks, $failures failed"
((failures == 0))
