#!/usr/bin/env bash
# Speed and memory of `salvo run`, each figure beside its control: a bare libcurl loop, the window protocol alone, the
# stand-in alone, the vendors' SDKs. Jobs/bench/README.md holds figures and says how they are taken.
set -euo pipefail
cd "$(dirname "$0")/.."
. Jobs/lib/packages.sh

usage() {
  cat <<'END'
Usage: Jobs/bench.sh [--quick|--long] [--json FILE] [--only FIGURE]…
  --quick        a few thousand messages, one round: that it runs, not how fast
  --long         memory with ten million recipients too
  --json FILE    the figures for programs
  --only FIGURE  fcm apns delay scripts appmetrica hms memory slow due plan runners; may be given several times
Without --quick it takes about three quarters of an hour on two cores and 20 GB of disk below /var/tmp.
END
}

options=()
quick=
while (($#)); do
  case $1 in
    --quick) quick=1 options+=(--quick) ;;
    --long) options+=(--long) ;;
    --json | --only)
      [[ -n ${2-} ]] || { usage >&2; exit 64; }
      options+=("$1" "$2")
      shift
      ;;
    --help | -h) usage; exit ;;
    *) usage >&2; exit 64 ;;
  esac
  shift
done

command -v swift >/dev/null || { echo "swift is not on the PATH; a Swift 6.3 toolchain is needed" >&2; exit 1; }
need_packages "${build_packages[@]}" "${stack_packages[@]}" gcc libc6-dev python3-venv

work=$(mktemp -d /var/tmp/salvo-bench.XXXXXX)
finish() {
  local code=$?
  Jobs/stack.sh down "$work/stack" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM
chmod 755 "$work"

swift build -c release --product salvo
salvo=$(swift build -c release --show-bin-path)/salvo
# shellcheck disable=SC2046  # words
gcc -O2 -Wall -Wextra -o "$work/loop" Jobs/bench/loop.c $(pkg-config --cflags --libs libcurl)
# shellcheck disable=SC2046
gcc -O2 -Wall -Wextra -o "$work/windows" Jobs/bench/windows.c $(pkg-config --cflags --libs libpq)

# The SDKs come from PyPI; without it their figures are left out.
if [[ -z $quick ]] && python3 -m venv "$work/venv" &&
  timeout 180 "$work/venv/bin/pip" install -q firebase-admin==7.7.0 aioapns==4.0 >/dev/null 2>&1; then
  export SALVO_BENCH_VENV=$work/venv
fi

Jobs/stack.sh up "$work/stack"
eval "$(Jobs/stack.sh env "$work/stack")"
psql -Xq -c "alter system set max_wal_size = '8GB'" >/dev/null
psql -Xqc "select pg_reload_conf()" >/dev/null
"$salvo" migrate >/dev/null
Jobs/bench/bench.py --salvo "$salvo" --controls "$work" "${options[@]}"
