# What Huawei's Push Kit and its token endpoint answer; sourced by check.sh.

check_hms_tokens() {
  local id secret
  id=$(jq -r .client_id "$SALVO_CREDENTIALS/hms.json")
  secret=$(jq -r .client_secret "$SALVO_CREDENTIALS/hms.json")
  exchange() { # ID SECRET [GRANT]
    ask "$SALVO_HMS_TOKEN_ENDPOINT" --data-urlencode grant_type="${3-client_credentials}" \
      --data-urlencode client_id="$1" --data-urlencode client_secret="$2"
  }
  exchange "$id" "$secret"
  answered 'HMS token' 200 '[.token_type, .expires_in, (.access_token | startswith("DQEDA/"))]' '["Bearer",3600,true]'
  is 'HMS token comes with escaped slashes' 1 "$(grep -c '"DQEDA\\/[^"]*\\/"' <<<"$body")"
  hms_bearer=$(jq -r .access_token <<<"$body")
  exchange "$id" wrong
  answered 'HMS wrong secret' 400 '[.error, .sub_error]' '[1101,12304]'
  exchange 100000002 "$secret"
  answered 'HMS unknown client' 400 '[.error, .sub_error]' '[1101,20003]'
  exchange client "$secret"
  answered 'HMS client id of another form' 400 '[.error, .sub_error]' '[1101,20002]'
  exchange "$id" ''
  answered 'HMS empty secret' 400 '[.error, .sub_error]' '[1101,20171]'
  ask "$SALVO_HMS_TOKEN_ENDPOINT" -d "grant_type=client_credentials&client_id=$id&client_secret=$secret"
  answered 'HMS secret that was not form-encoded' 400 '[.error, .sub_error]' '[1101,12304]'
  "$stack" set "$SALVO_STACK" hms-token-answer 503
  exchange "$id" "$secret"
  is 'HMS token endpoint out of service' 503 "$status"
  "$stack" set "$SALVO_STACK" hms-token-answer ok
}

hms() {
  ask "$SALVO_HMS_ENDPOINT/v1/${hms_client-100000001}/messages:send" -H "Authorization: Bearer $hms_bearer" \
    --data-binary "$1"
}

# hms_message UID TOKEN…
hms_message() {
  local uid=$1
  shift
  printf '{"message":{"token":[%s],"data":"{\\"_uid\\":\\"%s\\"}","android":{"urgency":"HIGH","ttl":"3600s"}}}' \
    "$(printf '"%s",' "$@" | sed 's/,$//')" "$uid"
}

hms_coded() { # WHAT STATUS CODE
  answered "$1" "$2" .code "$3"
}

check_hms() {
  hms "$(hms_message T40 hms-one hms-two)"
  answered 'HMS message' 200 '[.code, .msg, (.requestId | type)]' '["80000000","Success","string"]'
  hms "$(hms_message T41 hms-three dead-four dead-five)"
  answered 'HMS partly' 200 '[.code, (.msg | fromjson)]' \
    '["80100000",{"failure":2,"illegal_tokens":["dead-four","dead-five"],"success":1}]'
  hms "$(hms_message T42 dead-six)"
  answered 'HMS all bad' 200 '[.code, .msg]' '["80300007","All the tokens are invalid"]'
  hms '{"message":{"token":["hms-seven"],"data":{"_uid":"T43"}}}'
  hms_coded 'HMS data as an object' 400 80100003
  hms '{"message":{"token":["hms-seven"],"android":{"data":{"_uid":"T43"}}}}'
  hms_coded 'HMS android.data as an object' 400 80100003
  hms '{"message":{"token":["hms-seven"],"data":"x","android":{"ttl":3600}}}'
  hms_coded 'HMS ttl as a number' 400 80100003
  hms '{"message":{"token":["hms-seven"],"data":"x","android":{"ttl":"1h"}}}'
  hms_coded 'HMS ttl in hours' 400 80100003
  hms '{"message":{"token":["hms-seven"],"data":"x","android":{"ttl":"1296001s"}}}'
  hms_coded 'HMS ttl beyond 15 days' 400 80100003
  hms '{"message":{"token":["hms-seven"],"data":"x","android":{"collapse_key":101}}}'
  hms_coded 'HMS collapse_key 101' 400 80100013
  hms '{"message":{"token":[],"data":"x"}}'
  hms_coded 'HMS no tokens' 400 80300010
  hms '{"massage":{}}'
  hms_coded 'HMS misspelt message' 400 80300010
  # shellcheck disable=SC2046  # one word a token
  hms "$(hms_message T44 $(seq -f 'hms-%04g' 1000))"
  hms_coded 'HMS 1000 tokens' 200 80000000
  # shellcheck disable=SC2046
  hms "$(hms_message T45 $(seq -f 'hms-%04g' 1001))"
  hms_coded 'HMS 1001 tokens' 400 80300010
  # The frame is 34 bytes without the token and its quotes.
  hms "$(printf '{"message":{"token":["hms-eight"],"data":"%04062d"}}' 0)"
  hms_coded 'HMS 4096 bytes without the tokens' 200 80000000
  hms "$(printf '{"message":{"token":["hms-eight"],"data":"%04063d"}}' 0)"
  hms_coded 'HMS 4097 bytes' 400 80300008
  hms $'{"message":{"token":["hms-nine"],"data":"a\tb"}}'
  hms_coded 'HMS raw tab in a string' 400 80100003
  hms "$(hms_message T46 hms-ten e503-eleven)"
  is 'HMS flow control is a page' '503 <!DOCTYPE html>' "$status $(head -n 1 <<<"$body")"
  hms_client=100000002 hms "$(hms_message T47 hms-twelve)"
  hms_coded 'HMS other client id in the path' 400 80300002
  check_hms_bearer "$(hms_message T48 hms-thirteen)"
}

check_hms_bearer() {
  local kept=$hms_bearer secret
  hms_bearer=wrong
  hms "$1"
  hms_coded 'HMS unknown bearer' 401 80200001
  "$stack" set "$SALVO_STACK" hms-token-life-s 0
  secret=$(jq -r .client_secret "$SALVO_CREDENTIALS/hms.json")
  exchange 100000001 "$secret"
  hms_bearer=$(jq -r .access_token <<<"$body")
  hms "$1"
  hms_coded 'HMS expired bearer' 401 80200003
  hms_bearer=$kept
  "$stack" set "$SALVO_STACK" hms-codes-at-200 on
  "$stack" set "$SALVO_STACK" hms-bearer refuse
  hms "$1"
  hms_coded 'HMS refused bearer with HTTP 200' 200 80200001
  "$stack" set "$SALVO_STACK" hms-bearer accept
  "$stack" set "$SALVO_STACK" hms-codes-at-200 off
}
