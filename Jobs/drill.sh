#!/usr/bin/env bash
# Measurements and rehearsals that take longer than a test may: on this machine alone, one function each.
set -euo pipefail
cd "$(dirname "$0")/.."
. Jobs/lib/packages.sh

usage() {
  cat <<'END'
Usage: Jobs/drill.sh DRILL
  --memory          peak memory of `salvo run` with 20,000 and with 200,000 recipients: over four lanes together, then
                    over each lane alone. Fails when the larger launch takes 120 MB, or over four lanes more than a
                    fifth above the smaller; alone, APNs grows by that much, because its 1,000 streams come into use
                    one by one, and stays there. About five minutes
  --seed N          three runners share 80,000 messages over four lanes while a random one is killed or held back
                    for longer than its lease, or the database crashes, again and again, as the seed says; then the
                    books are held against what the providers saw. Fails when anything is lost, sent twice or falsely
                    called sent, or more is unknown than was in flight when runners died. Two to seven minutes
  --templates [N]   N payloads (1000000) of random templates of the payload language with random texts: every one
                    strict JSON, in the strings that hold JSON too, and the same bytes whoever knows the texts
END
}

prepare() {
  command -v swift >/dev/null || { echo "swift is not on the PATH; a Swift 6.3 toolchain is needed" >&2; exit 1; }
  need_packages "$@"
}

# --- memory -----------------------------------------------------------------------------------------------------------

work=
finish() {
  local code=$?
  if [[ -n $work ]]; then
    Jobs/stack.sh down "$work" >/dev/null 2>&1 || true
    rm -rf "$work"
  fi
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Runs a program and prints the most memory it ever had, in kB.
peak='import resource, subprocess, sys
ended = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(ended.returncode)'

# measure RECIPIENTS LANE…: sends to so many in all, over the named of the lanes 1 to 4.
measure() {
  local recipients=$1 row campaign channels launch lane chosen=()
  shift
  row=$(psql -XqAtF ' ' -f Jobs/drill/load.sql -v n=$((recipients / $#)) -v fcm="$SALVO_FCM_ENDPOINT" \
    -v apns="$SALVO_APNS_ENDPOINT" -v hms="$SALVO_HMS_ENDPOINT" -v hms_token="$SALVO_HMS_TOKEN_ENDPOINT" \
    -v appmetrica="$SALVO_APPMETRICA_ENDPOINT")
  read -r _ campaign channels <<<"$row"
  read -ra channels <<<"$channels"
  for lane; do chosen+=(--channel "${channels[lane - 1]}"); done
  launch=$("$salvo" launch create --campaign "$campaign" --content "$work/content.json")
  "$salvo" audience "$launch" "${chosen[@]}" >/dev/null
  python3 -c "$peak" "$salvo" run "$launch"
  Jobs/stack.sh reset "$work"
}

memory() {
  prepare "${build_packages[@]}" "${stack_packages[@]}"
  work=$(mktemp -d /tmp/salvo-drill.XXXXXX)

  swift build -c release --product salvo
  salvo=$(swift build -c release --show-bin-path)/salvo
  Jobs/stack.sh up "$work"
  eval "$(Jobs/stack.sh env "$work")"
  psql -Xqc "alter system set fsync = off" -c "select pg_reload_conf()" >/dev/null
  "$salvo" migrate
  echo '{"title": "Hi {{.Profile.name}}", "body": "Sale until Sunday 🎉", "ttl": 86400}' >"$work/content.json"

  local failed=0 lanes names name few many verdict
  printf '%-22s %14s %14s %8s\n' lanes 20,000 200,000 growth
  for lanes in "1 2 3 4" 1 2 3 4; do
    names=(firebase apns hms appmetrica)
    name=all
    [[ $lanes == *' '* ]] || name=${names[lanes - 1]}
    # shellcheck disable=SC2086  # one word a lane
    few=$(measure 20000 $lanes)
    # shellcheck disable=SC2086
    many=$(measure 200000 $lanes)
    verdict=
    if ((many >= 120 * 1024)) || { [[ $name == all ]] && ((many * 10 > few * 12)); }; then
      verdict='  too much'
      failed=1
    fi
    printf '%-22s %11d kB %11d kB %6d %%%s\n' "$name" "$few" "$many" $(((many - few) * 100 / few)) "$verdict"
  done
  return "$failed"
}

# --- templates --------------------------------------------------------------------------------------------------------

templates() {
  local count=${1:-1000000}
  prepare "${build_packages[@]}"
  # The tests look into their modules, which a release build allows only when asked.
  swift build -c release --build-tests -Xswiftc -enable-testing
  time SALVO_RENDERINGS=$count swift test -c release -Xswiftc -enable-testing --skip-build \
    --filter RandomTemplateTests
}

# --- crashes ----------------------------------------------------------------------------------------------------------

# The last line is the balance: lost 0, duplicates 0, false sent 0, unknown N (bound M).
crashes() {
  local seed=${1-} code=0
  [[ $seed =~ ^[0-9]+$ ]] || { usage >&2; exit 64; }
  prepare "${build_packages[@]}" "${stack_packages[@]}"
  work=$(mktemp -d /tmp/salvo-drill.XXXXXX)
  swift build --build-tests
  SALVO_DRILL_SEED=$seed swift test --skip-build --filter CrashLongDrillTests 2>&1 | tee "$work/log" || code=$?
  grep '^lost ' "$work/log" | tail -n 1 || { echo "the drill did not come to its balance" >&2; code=1; }
  return "$code"
}

case ${1-} in
  --seed) crashes "${2-}" ;;
  --memory) memory ;;
  --templates) templates "${2-}" ;;
  --help | -h) usage ;;
  *) usage >&2; exit 64 ;;
esac
