# What AppMetrica's Push API answers; sourced by check.sh.

appmetrica() { # BODY [curl options]
  local text=$1
  shift
  ask "$SALVO_APPMETRICA_ENDPOINT/push/v1/send-batch" --data-binary "$text" \
    -H "Authorization: OAuth $(cat "$SALVO_CREDENTIALS/appmetrica.token")" "$@"
}

transfer() { # PATH
  ask "$SALVO_APPMETRICA_ENDPOINT/push/v1/status/$1" \
    -H "Authorization: OAuth $(cat "$SALVO_CREDENTIALS/appmetrica.token")"
}

# appmetrica_batch CLIENT TAG ID_TYPE PLATFORM TOKEN…
appmetrica_batch() {
  local client=$1 tag=$2 kind=$3 platform=$4
  shift 4
  printf '{"push_batch_request":{"group_id":97737,"client_transfer_id":%s,"tag":"%s","batch":[' "$client" "$tag"
  printf '{"messages":{"%s":{"content":{"title":"a","text":"b \\"tag\\": 1"}}},' "$platform"
  printf '"devices":[{"id_type":"%s","id_values":[%s]}]}]}}' "$kind" "$(printf '"%s",' "$@" | sed 's/,$//')"
}

check_appmetrica() {
  # Above 2^53, where a number loses digits.
  local client=9007199254740993 id
  "$stack" set "$SALVO_STACK" appmetrica-pending-ms 600000
  "$stack" set "$SALVO_STACK" appmetrica-progress-ms 600000
  appmetrica "$(appmetrica_batch $client campaign-1 google_aid android am-one am-two)"
  is 'AppMetrica transfer' "200 $client" "$status $(grep -o '"client_transfer_id":[0-9]*' <<<"$body" | cut -d: -f2)"
  is 'AppMetrica speaks HTTP/1.1' 'HTTP/1.1 200 OK' "$(head -n 1 <<<"$head")"
  id=$(jq -r .push_response.transfer_id <<<"$body")
  transfer "$id"
  answered 'AppMetrica pending' 200 '[.transfer.status, .transfer.errors, .transfer.tag, .transfer.group_id]' \
    '["pending",[],"campaign-1",97737]'
  appmetrica "$(appmetrica_batch $client campaign-1 google_aid android am-three)"
  answered 'AppMetrica repeated client_transfer_id' 409 '[.code, .errors[0].error_type]' '[409,"conflict"]'
  appmetrica "$(appmetrica_batch 2 campaign-1 google_aid iOS am-four)"
  local misplaced
  misplaced=$(jq -r .push_response.transfer_id <<<"$body")
  appmetrica "$(appmetrica_batch 3 fail-3 google_aid android am-five)"
  appmetrica "$(appmetrica_batch 4 e503-4 google_aid android am-six)"
  answered 'AppMetrica 503' 503 '.errors[0].error_type' backend_error
  appmetrica "$(appmetrica_batch 5 lost-5 google_aid android am-seven)" 2>/dev/null
  is 'AppMetrica lost answer' 000 "$status"
  "$stack" set "$SALVO_STACK" appmetrica-pending-ms 0
  transfer "$id"
  answered 'AppMetrica in progress' 200 .transfer.status in_progress
  "$stack" set "$SALVO_STACK" appmetrica-progress-ms 0
  transfer 97737/5
  answered 'AppMetrica lost answer, but the transfer is there' 200 .transfer.status sent
  transfer "97737/$client"
  answered 'AppMetrica sent, found by its client_transfer_id' 200 '[.transfer.id, .transfer.status]' "[$id,\"sent\"]"
  transfer "$misplaced"
  answered 'AppMetrica google_aid without android' 200 '[.transfer.status, .transfer.errors]' \
    '["failed",["google_aid needs messages.android"]]'
  transfer 97737/3
  answered 'AppMetrica failed by its tag' 200 '[.transfer.status, (.transfer.errors | length)]' '["failed",1]'
  transfer 97737/99
  answered 'AppMetrica unknown transfer' 404 '.errors[0].error_type' not_found
  check_appmetrica_faults
}

check_appmetrica_faults() {
  faulty() { # WHAT KIND BODY
    appmetrica "$3"
    answered "$1" 400 '.errors[0].error_type' "$2"
  }
  local good
  good=$(appmetrica_batch 6 t google_aid android am-eight)
  faulty 'AppMetrica without group_id' missing_parameter "${good/\"group_id\":97737,/}"
  faulty 'AppMetrica without tag' missing_parameter "${good/\"tag\":\"t\",/}"
  faulty 'AppMetrica client_transfer_id as text' invalid_parameter "${good/_transfer_id\":6/_transfer_id\":\"6\"}"
  faulty 'AppMetrica empty id_values' missing_parameter "${good/\"am-eight\"/}"
  faulty 'AppMetrica unknown id_type' invalid_parameter "${good/google_aid/ios_ifv}"
  faulty 'AppMetrica without text' missing_parameter "${good/\"text\"/\"words\"}"
  faulty 'AppMetrica without batch' invalid_json '{"push_batch_request":{"group_id":1,"tag":"t"}}'
  faulty 'AppMetrica cut short' invalid_json "${good%\}}"
  faulty 'AppMetrica raw newline in a string' invalid_json "${good/\"a\"/$'"a\nb"'}"
  ask "$SALVO_APPMETRICA_ENDPOINT/push/v1/send-batch" -d "$good" \
    -H "Authorization: Bearer $(cat "$SALVO_CREDENTIALS/appmetrica.token")"
  answered 'AppMetrica Bearer instead of OAuth' 401 '.errors[0].error_type' unauthorized
  # 7 MB, the batch before the other members.
  /usr/bin/python3 - >"$work/large" <<'END'
import json
text = "я" * 500
batch = [{"messages": {"android": {"content": {"title": str(n), "text": text}}},
          "devices": [{"id_type": "google_aid", "id_values": [f"large-{n}"]}]} for n in range(6000)]
print(json.dumps({"push_batch_request": {"batch": batch, "group_id": 8, "client_transfer_id": 8, "tag": "a \"b\""}},
                 ensure_ascii=False))
END
  appmetrica "@$work/large"
  answered 'AppMetrica 6,000 messages in 7 MB' 200 .push_response.client_transfer_id 8
  transfer 8/8
  answered 'AppMetrica tag with quotes' 200 .transfer.tag 'a "b"'
}
