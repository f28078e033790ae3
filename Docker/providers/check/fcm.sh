# What FCM and Google's token endpoint answer; sourced by check.sh.

check_fcm_tokens() {
  local credential=$SALVO_CREDENTIALS/fcm.json kid mail now header claims
  jq -r .private_key "$credential" >"$work/fcm.key"
  jq -r .private_key "$SALVO_CREDENTIALS/fcm-wrong.json" >"$work/fcm-wrong.key"
  is 'token_uri of the credential' "$SALVO_FCM_TOKEN_URI" "$(jq -r .token_uri "$credential")"
  is 'project of the credential' salvo-demo "$(jq -r .project_id "$credential")"
  kid=$(jq -r .private_key_id "$credential")
  mail=$(jq -r .client_email "$credential")
  now=$(date +%s)
  header='{"alg":"RS256","typ":"JWT","kid":"'$kid'"}'
  claims='{"iss":"'$mail'","aud":"'$SALVO_FCM_TOKEN_URI'","iat":'$now',"exp":'$((now + 3600))
  claims+=',"scope":"https://www.googleapis.com/auth/firebase.messaging"}'

  exchange() {
    ask "$SALVO_FCM_TOKEN_URI" --data-urlencode grant_type="${2-urn:ietf:params:oauth:grant-type:jwt-bearer}" \
      --data-urlencode assertion="$1"
  }
  refused() { # WHAT ERROR HEADER CLAIMS [KEY]
    exchange "$(jwt "$3" "$4" "${5-$work/fcm.key}")"
    answered "$1" 400 .error "$2"
  }
  local good
  good=$(jwt "$header" "$claims" "$work/fcm.key")
  exchange "$good"
  answered 'FCM token' 200 '[.token_type, .expires_in, (.access_token | startswith("ya29."))]' '["Bearer",3599,true]'
  fcm_bearer=$(jq -r .access_token <<<"$body")
  exchange "$(flipped "$good")"
  answered 'FCM token, a flipped signature byte' 400 . \
    '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}'
  refused 'FCM token, another key' invalid_grant "$header" "$claims" "$work/fcm-wrong.key"
  refused 'FCM token, unknown kid' invalid_grant "${header/$kid/0123}" "$claims"
  refused 'FCM token, HS256 named' invalid_grant "${header/RS256/HS256}" "$claims"
  refused 'FCM token, other account' invalid_grant "$header" "${claims/sender@/other@}"
  refused 'FCM token, other audience' invalid_grant "$header" "${claims/\/token/\/tokens}"
  refused 'FCM token, no scope' invalid_scope "$header" "${claims/firebase.messaging/firebase}"
  refused 'FCM token, longer than an hour' invalid_grant "$header" "${claims/$((now + 3600))/$((now + 3601))}"
  refused 'FCM token, issued in the future' invalid_grant "$header" "${claims/\"iat\":$now/\"iat\":$((now + 60))}"
  refused 'FCM token, iat as text' invalid_grant "$header" "${claims/\"iat\":$now/\"iat\":\"$now\"}"
  refused 'FCM token, expired' invalid_grant "$header" "${claims/$((now + 3600))/$((now - 1))}"
  exchange "$good" password
  answered 'FCM token, other grant' 400 .error unsupported_grant_type
  exchange 'not-a-jwt'
  answered 'FCM token, no JWT' 400 .error invalid_grant
  "$stack" set "$SALVO_STACK" fcm-token-answer 503
  exchange "$good"
  is 'FCM token endpoint out of service' 503 "$status"
  "$stack" set "$SALVO_STACK" fcm-token-answer invalid_grant
  exchange "$good"
  answered 'FCM token endpoint refuses' 400 .error invalid_grant
  "$stack" set "$SALVO_STACK" fcm-token-answer ok
}

fcm() { # BODY [curl options]
  local text=$1
  shift
  ask "$SALVO_FCM_ENDPOINT/v1/projects/salvo-demo/messages:send" -H "Authorization: Bearer $fcm_bearer" \
    -H 'Content-Type: application/json' --data-binary "$text" "$@"
}

fcm_message() { # TOKEN UID
  printf '{"message":{"token":"%s","android":{"priority":"HIGH","ttl":"3600s",' "$1"
  printf '"data":{"_uid":"%s","_title":"a/b \\"c\\""}}}}' "$2"
}

# Error code of FcmError (null: none) and the first violated field.
fcm_fault='[.error.status, (.error.details // [] | map(.errorCode // empty) | first),
  (.error.details // [] | map(.fieldViolations // empty) | first | .[0].field)]'

check_fcm() {
  fcm "$(fcm_message fcm-one T1)"
  answered 'FCM message' 200 '.name | test("^projects/salvo-demo/messages/0:[0-9]+%[0-9a-f]{8}$")' true
  is 'FCM speaks HTTP/2' 'HTTP/2 200' "$(head -n 1 <<<"$head" | sed 's/ *$//')"
  fcm "$(fcm_message dead-two T2)"
  answered 'FCM dead token' 404 "$fcm_fault" '["NOT_FOUND","UNREGISTERED",null]'
  fcm "$(fcm_message e503-three T3)"
  answered 'FCM 503' 503 "$fcm_fault" '["UNAVAILABLE","UNAVAILABLE",null]'
  fcm "$(fcm_message e502-four T4)"
  is 'FCM 502 is a page' '502 <!DOCTYPE html>' "$status $(head -n 1 <<<"$body")"
  fcm "$(fcm_message f429-five T5)"
  answered 'FCM 429 for the first request of a token' 429 "$fcm_fault" '["RESOURCE_EXHAUSTED","QUOTA_EXCEEDED",null]'
  fcm "$(fcm_message f429-five T5)"
  is 'FCM success for its second' 200 "$status"
  check_fcm_bearer "$(fcm_message fcm-six T6)"
  fcm '{"message":{"token":"fcm-seven","android":{"data":{"_uid":7}}}}'
  answered 'FCM data value that is a number' 400 \
    "$fcm_fault" '["INVALID_ARGUMENT",null,"message.android.data[0].value"]'
  fcm '{"message":{"token":"fcm-seven","data":{"nested":{"a":"b"}}}}'
  answered 'FCM data value that is an object' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,"message.data[0].value"]'
  fcm '{"message":{"token":"fcm-eight","android":{"ttl":3600}}}'
  answered 'FCM ttl as a number' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,"message.android.ttl"]'
  fcm '{"message":{"token":"fcm-eight","android":{"ttl":"1h"}}}'
  answered 'FCM ttl in hours' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,"message.android.ttl"]'
  fcm '{"message":{"token":"fcm-eight","android":{"ttl":"2419201s"}}}'
  answered 'FCM ttl beyond 28 days' 400 "$fcm_fault" '["INVALID_ARGUMENT","INVALID_ARGUMENT","message.android.ttl"]'
  fcm '{"message":{"token":"fcm-eight","colour":"red"}}'
  answered 'FCM unknown name' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,"message"]'
  fcm '{"message":{"token":"fcm-eight"},"unknown":1}'
  answered 'FCM unknown name at the root' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,null]'
  fcm '{"message":{"token":"fcm-eight","android":{"priority":"URGENT"}}}'
  answered 'FCM unknown priority' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,"message.android.priority"]'
  fcm '{"message":{"token":"fcm-eight","topic":"news"}}'
  answered 'FCM two targets' 400 "$fcm_fault" '["INVALID_ARGUMENT","INVALID_ARGUMENT","message.topic"]'
  fcm '{"message":{"data":{"a":"b"}}}'
  answered 'FCM no target' 400 "$fcm_fault" '["INVALID_ARGUMENT","INVALID_ARGUMENT","message"]'
  fcm '{"message":{"token":"fcm-eight","data":{"google.x":"b"}}}'
  answered 'FCM reserved name' 400 "$fcm_fault" '["INVALID_ARGUMENT","INVALID_ARGUMENT","message.data"]'
  # 4096 bytes of keys and values are taken, one more is not.
  fcm "$(printf '{"message":{"token":"fcm-nine","data":{"k":"%04095d"}}}' 0)"
  is 'FCM 4096 bytes' 200 "$status"
  fcm "$(printf '{"message":{"token":"fcm-nine","data":{"k":"%04096d"}}}' 0)"
  answered 'FCM 4097 bytes' 400 .error.message 'Android message is too big'
  fcm $'{"message":{"token":"fcm-ten","data":{"k":"a\tb"}}}'
  answered 'FCM raw tab in a string' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,null]'
  fcm $'{"message":{"token":"fcm-ten","data":{"k":"\xff"}}}'
  answered 'FCM invalid UTF-8' 400 "$fcm_fault" '["INVALID_ARGUMENT",null,null]'
  fcm $'{\n\t"message": {"token": "fcm-eleven", "data": {"k": "\xf0\x9f\x98\x80 \\u2028 \\\\"}}\r\n}'
  is 'FCM white space outside strings and astral UTF-8' 200 "$status"
  fcm '{"validate_only":true,"message":{"token":"fcm-twelve"}}'
  is 'FCM validate_only' 200 "$status"
  ask "$SALVO_FCM_ENDPOINT/v1/projects/other/messages:send" -H "Authorization: Bearer $fcm_bearer" -d '{}'
  answered 'FCM other project' 404 "$fcm_fault" '["NOT_FOUND",null,null]'
  ask "$SALVO_FCM_ENDPOINT/batch" -d '{}'
  is 'FCM other path is a page' '404 <!DOCTYPE html>' "$status $(head -n 1 <<<"$body")"
}

check_fcm_bearer() {
  local kept=$fcm_bearer
  fcm_bearer=ya29.unknown
  fcm "$1"
  answered 'FCM unknown bearer' 401 "$fcm_fault" '["UNAUTHENTICATED",null,null]'
  fcm_bearer=$kept
  "$stack" set "$SALVO_STACK" fcm-bearer refuse
  fcm "$1"
  is 'FCM every bearer refused' 401 "$status"
  "$stack" set "$SALVO_STACK" fcm-bearer accept
}
