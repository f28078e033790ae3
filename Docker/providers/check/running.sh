# The ledger, the counters, the knobs, and starting and stopping; sourced by check.sh.

# ledger JQ: what jq finds over all lines, read as one list.
ledger() {
  "$stack" ledger "$SALVO_STACK" | jq -src "$1"
}

check_ledger() {
  local received='fcm-one T1 200 null
dead-two T2 404 UNREGISTERED
e503-three T3 503 UNAVAILABLE
e502-four T4 502 null
f429-five T5 429 QUOTA_EXCEEDED
f429-five T5 200 null
fcm-six T6 401 UNAUTHENTICATED
fcm-six T6 401 UNAUTHENTICATED
fcm-seven null 400 INVALID_ARGUMENT'
  is 'ledger keeps every FCM request with its answer' "$received" \
    "$("$stack" ledger "$SALVO_STACK" | jq -r 'select(.provider == "fcm") | "\(.token) \(.uid) \(.status) \(.code)"' |
      head -n 9)"
  is 'ledger has no line for validate_only' 0 "$(ledger '[.[] | select(.token == "fcm-twelve")] | length')"
  is 'ledger names the APNs key of each push' \
    '[["a025","KEY1234567",200],["a026",null,403],["a027","KEY7654321",200]]' \
    "$(ledger '[.[] | select(.token | IN("a025", "a026", "a027")) | [.token, .key, .status]]')"
  is 'ledger has a line per HMS token' \
    '[["hms-three",true,"80000000"],["dead-four",false,"80300007"],["dead-five",false,"80300007"]]' \
    "$(ledger '[.[] | select(.uid == "T41") | [.token, .accepted, .code]]')"
  is 'ledger has 1000 lines for one request' '[1000,1]' \
    "$(ledger '[.[] | select(.uid == "T44")] | [length, (map(.request) | unique | length)]')"
  is 'ledger opens AppMetrica bodies' \
    '[["am-one",200,null],["am-two",200,null],["am-three",409,null],["am-six",503,null]]' \
    "$(ledger '[.[] | select(.token | IN("am-one", "am-two", "am-three", "am-six")) | [.token, .status, .uid]]')"
  is 'ledger keeps client_transfer_id digit for digit' 3 \
    "$("$stack" ledger "$SALVO_STACK" | grep -c '"client_transfer_id":9007199254740993')"
  fcm "$(fcm_message fcm-one T1)"
  is 'summary: accepted and repeated' '[6005,1]' "$("$stack" ledger "$SALVO_STACK" --summary |
    jq -c '[.appmetrica.accepted, .fcm.duplicates]')"
  is 'bodies as they came' "$(fcm_message fcm-one T1)" "$("$stack" bodies "$SALVO_STACK" fcm)"
  is 'bodies, three of them' 3 "$("$stack" bodies "$SALVO_STACK" hms 3 | wc -l)"
}

# Over h2load, with the pace of a whole lane.
check_load() {
  local report before after
  "$stack" reset "$SALVO_STACK"
  is 'reset empties the ledger' 0 "$("$stack" ledger "$SALVO_STACK" | wc -l)"
  fcm_message fcm-load T9 >"$work/load"
  before=$(date +%s%N)
  report=$(h2load -n 20000 -c 4 -m 50 -d "$work/load" -H "Authorization: Bearer $fcm_bearer" \
    -H 'Content-Type: application/json' "$SALVO_FCM_ENDPOINT/v1/projects/salvo-demo/messages:send")
  after=$(date +%s%N)
  is 'h2load 20,000 requests' 'status codes: 20000 2xx, 0 3xx, 0 4xx, 0 5xx' "$(grep '^status' <<<"$report")"
  is 'ledger has all 20,000' 20000 "$("$stack" ledger "$SALVO_STACK" --summary | jq .fcm.accepted)"
  is 'connections are counted' '[4,0,20000,50]' \
    "$("$stack" connections "$SALVO_STACK" | jq -c '.fcm | [.opened, .open, .requests, .most_streams]')"
  echo "check ($(id -un)): 20,000 FCM requests in $(((after - before) / 1000000)) ms"
}



# With every answer late, four connections of 50 streams are full.
check_knobs() {
  local before=$EPOCHREALTIME
  "$stack" set "$SALVO_STACK" fcm-delay-ms 300
  fcm "$(fcm_message fcm-slow T10)"
  is 'a whole provider slowed down' 1 "$((${EPOCHREALTIME/./} - ${before/./} >= 300000))"
  "$stack" set "$SALVO_STACK" fcm-delay-ms 2000
  h2load -n 200 -c 4 -m 50 -d "$work/load" -H "Authorization: Bearer $fcm_bearer" \
    "$SALVO_FCM_ENDPOINT/v1/projects/salvo-demo/messages:send" >/dev/null
  is 'requests in flight are counted' '[50,200]' \
    "$("$stack" connections "$SALVO_STACK" | jq -c '.fcm | [.most_streams, .most_in_flight]')"
  "$stack" set "$SALVO_STACK" fcm-delay-ms 0
  before=$EPOCHREALTIME
  fcm "$(fcm_message d0200e503-one T11)"
  is 'one token slowed down' '503 1' "$status $((${EPOCHREALTIME/./} - ${before/./} >= 200000))"
  "$stack" set "$SALVO_STACK" fcm-answer 429
  "$stack" set "$SALVO_STACK" fcm-retry-after-s 7
  fcm "$(fcm_message fcm-limited T12)"
  is 'every answer 429 with Retry-After' '429 retry-after: 7' "$status $(grep -i '^retry-after' <<<"$head")"
  "$stack" set "$SALVO_STACK" retry-after-form date
  fcm "$(fcm_message fcm-limited T12)"
  is 'Retry-After as a date' 'retry-after: 1' \
    "$(grep -i '^retry-after' <<<"$head" | sed -E 's/(: )[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9: ]{13} GMT\r?$/\11/')"
  check_quota
  "$stack" set "$SALVO_STACK" bearers revoke
  fcm "$(fcm_message fcm-revoked T14)"
  is 'access tokens are revoked' 401 "$status"
  is 'an unknown knob is named' 1 \
    "$("$stack" set "$SALVO_STACK" fcm-dely-ms 1 2>&1 | grep -c 'no knob named fcm-dely-ms')"
  is 'a wrong value is named' 'stack: fcm-delay-ms does not take soon' \
    "$("$stack" set "$SALVO_STACK" fcm-delay-ms soon 2>&1 || true)"
  "$stack" reset "$SALVO_STACK"
  check_fcm_tokens
  fcm "$(fcm_message e444-cut T13)" 2>/dev/null
  is 'a stream reset' 000 "$status"
}

# Three messages a window, a refused one among them.
check_quota() {
  local each seen=''
  "$stack" set "$SALVO_STACK" fcm-answer 0
  "$stack" set "$SALVO_STACK" fcm-retry-after-s 0
  "$stack" set "$SALVO_STACK" fcm-quota-window-s 3600
  "$stack" set "$SALVO_STACK" fcm-quota 3
  for each in a1 dead2 a3 a4; do
    fcm "$(fcm_message "$each" T15)"
    seen+="$status "
  done
  is "a project's quota" '200 404 200 429 ' "$seen"
  answered 'the word for it' 429 '.error.details[0].errorCode' QUOTA_EXCEEDED
  is 'and no time' 0 "$(grep -ic '^retry-after' <<<"$head")"
  "$stack" set "$SALVO_STACK" fcm-quota 0
}

check_wrong_authority() {
  "$stack" reset "$SALVO_STACK"
  is 'another authority is refused' 60 \
    "$(curl -s --cacert "$SALVO_STACK/wrong-ca.pem" "$SALVO_FCM_ENDPOINT" || echo $?)"
  is 'and no request arrived' 0 "$("$stack" connections "$SALVO_STACK" | jq .fcm.requests)"
}

# Crashes in all the ways an operator meets.
check_stopping() {
  local lines master
  lines=$("$stack" ledger "$SALVO_STACK" | wc -l)
  master=$(cat "$SALVO_STACK/providers/nginx.pid")
  kill -9 "$master"
  "$stack" down "$SALVO_STACK"
  is 'down ends the workers of a killed master' 0 "$(still_answers)"
  echo $$ >"$SALVO_STACK/providers/nginx.pid"
  "$stack" down "$SALVO_STACK"
  is 'down twice, with a stale pid file that names this script, harms nobody' 0 $?
  local ports=$SALVO_FCM_ENDPOINT
  "$stack" up "$SALVO_STACK" 2>/dev/null
  eval "$("$stack" env "$SALVO_STACK")"
  is 'up again takes the same ports' "$ports" "$SALVO_FCM_ENDPOINT"
  is 'up again keeps the ledger' "$lines" "$("$stack" ledger "$SALVO_STACK" | wc -l)"
  is 'up again keeps the database' salvo "$(psql -XAtc 'SELECT current_user')"
  "$stack" up "$SALVO_STACK" 2>/dev/null
  is 'up of a running stack changes nothing' "$lines" "$("$stack" ledger "$SALVO_STACK" | wc -l)"
}

# Whether something still listens on the FCM stand-in's port.
still_answers() {
  curl -s -o /dev/null --cacert "$SALVO_CA_FILE" "$SALVO_FCM_ENDPOINT" && echo 1 || echo 0
}

check_mistakes() {
  local long
  long=$work/$(printf '%090d' 0)
  is 'a path too long for a socket' 1 "$("$stack" up "$long" 2>&1 | grep -c 'too long a path for a Unix socket')"
  is 'no stack there' "stack: no stack in $work/none: Jobs/stack.sh up $work/none" \
    "$("$stack" env "$work/none" 2>&1 || true)"
  is 'no database behind PG*' 'stack: the database that PG* points at does not answer' \
    "$(PGHOST=$work/none "$stack" up "$work/other" --no-database 2>&1 | tail -n 1)"
  "$stack" up "$work/other" --no-database 2>/dev/null
  is 'up --no-database uses the one given' "$PGHOST" "$(eval "$("$stack" env "$work/other")" && echo "$PGHOST")"
  is 'two stacks differ in their ports' 0 "$("$stack" env "$work/other" | grep -c "=$SALVO_FCM_ENDPOINT" || true)"
  "$stack" down "$work/other"
}

check_running() {
  check_ledger
  check_load
  check_knobs
  check_wrong_authority
  check_stopping
  check_mistakes
}
