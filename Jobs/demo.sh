#!/usr/bin/env bash
# Shows Salvo at work on this machine alone: builds it, brings a stack up, sends a campaign of 20,000 messages over eight
# lanes to the providers' stand-ins, shows what became of them and holds the providers' ledger against the table.
#
# Uses a private PostgreSQL, or the database that PGHOST, PGSERVICE or PGDATABASE points at.
set -euo pipefail
cd "$(dirname "$0")/.."
. Jobs/lib/packages.sh

command -v swift >/dev/null || { echo "swift is not on the PATH; a Swift 6.3 toolchain is needed" >&2; exit 1; }
need_packages "${build_packages[@]}" "${stack_packages[@]}"

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

work=$(mktemp -d /tmp/salvo-demo.XXXXXX)
finish() {
  local code=$?
  Jobs/stack.sh down "$work" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

say "Building"
swift build -c release --product salvo
salvo=$(swift build -c release --show-bin-path)/salvo

say "Bringing the stack up"
given=()
[ -z "${PGHOST-}${PGSERVICE-}${PGDATABASE-}" ] || given=(--no-database)
Jobs/stack.sh up "$work" "${given[@]}"
eval "$(Jobs/stack.sh env "$work")"
# Where two lanes of 2,500 share a stand-in, so many bodies have both lanes' among them.
kept=2501
Jobs/stack.sh set "$work" keep-bodies "$kept"
"$salvo" migrate

say "Loading a campaign of 20,000 subscriptions"
read -r account campaign < <(psql -Xq -f Jobs/demo/load.sql \
  -v fcm="$SALVO_FCM_ENDPOINT" -v apns="$SALVO_APNS_ENDPOINT" -v hms="$SALVO_HMS_ENDPOINT" \
  -v hms_token="$SALVO_HMS_TOKEN_ENDPOINT" -v appmetrica="$SALVO_APPMETRICA_ENDPOINT" \
  -v rustore="$SALVO_RUSTORE_ENDPOINT")
launch=$("$salvo" launch create --campaign "$campaign" --content Jobs/demo/content.json)
psql -Xq -v ON_ERROR_STOP=1 -v launch="$launch" -v account="$account" -f Jobs/demo/audience.sql
echo "account $account, campaign $campaign, launch $launch"

say "Sending: salvo run $launch"
time "$salvo" run "$launch"

say "What became of it (salvo.launch_progress)"
psql -X -c "select channel, planned, sent, token_retired, rejected, expired, skipped, unknown, remaining
  from salvo.launch_progress where launch_id = $launch order by channel_id"
psql -X -c "select provider, outcome, reason, count(*) from salvo.message_log
  where launch_id = $launch group by 1, 2, 3 order by 1, 4 desc"

show() {
  say "A payload as $1 received it${3:+ for $3}"
  Jobs/demo/payload.py "$2" < <(Jobs/stack.sh bodies "$work" "$1" "$kept")
}
show fcm message.android android-firebase
show fcm message.apns ios-firebase
show apns aps
show hms message.android android-hms
show hms message.apns ios-hms
show appmetrica push_batch_request.batch.0.messages.android "android-appmetrica, the first of its batch"
show appmetrica push_batch_request.batch.0.messages.iOS "ios-appmetrica, the first of its batch"
show rustore message.data

say "The providers' ledger against salvo.delivery"
Jobs/stack.sh ledger "$work" >"$work/ledger.jsonl"
(cd "$work" && psql -X -v launch="$launch" -v account="$account" -f "$OLDPWD/Jobs/demo/check.sql")
echo "every request that a provider saw is written, and no token of a lane was sent to twice"
