# What APNs answers; sourced by check.sh.

# apns TOKEN BODY [curl options]: with the provider token in $apns_bearer.
apns() {
  local token=$1 text=$2
  shift 2
  ask "${apns_endpoint-$SALVO_APNS_ENDPOINT}/3/device/$token" --http2 -H "authorization: bearer $apns_bearer" \
    -H 'apns-topic: com.example.salvo' -H 'apns-push-type: alert' --data-binary "$text" "$@"
}

apns_refused() { # WHAT STATUS REASON
  answered "$1" "$2" .reason "$3"
}

check_apns_tokens() {
  local now header claims good key=$SALVO_CREDENTIALS/apns.p8 payload='{"aps":{"alert":"a"},"_uid":"T20"}'
  now=$(date +%s)
  header='{"alg":"ES256","kid":"KEY1234567"}'
  claims='{"iss":"TEAM123456","iat":'$now'}'
  tried() { # WHAT REASON JWT
    apns_bearer=$3
    apns a020 "$payload"
    apns_refused "$1" 403 "$2"
  }
  good=$(jwt "$header" "$claims" "$key")
  tried 'APNs flipped signature byte' InvalidProviderToken "$(flipped "$good")"
  tried 'APNs another key' InvalidProviderToken "$(jwt "$header" "$claims" "$SALVO_CREDENTIALS/apns-wrong.p8")"
  tried 'APNs unknown key id' InvalidProviderToken "$(jwt "${header/KEY1/KEY9}" "$claims" "$key")"
  tried 'APNs other algorithm named' InvalidProviderToken "$(jwt "${header/ES256/RS256}" "$claims" "$key")"
  tried 'APNs other team' InvalidProviderToken "$(jwt "$header" "${claims/TEAM1/TEAM9}" "$key")"
  tried 'APNs iat as text' InvalidProviderToken "$(jwt "$header" '{"iss":"TEAM123456","iat":"'"$now"'"}' "$key")"
  tried 'APNs iat as fraction' InvalidProviderToken "$(jwt "$header" "${claims/$now/$now.5}" "$key")"
  tried 'APNs iat in the future' InvalidProviderToken "$(jwt "$header" "${claims/$now/$((now + 60))}" "$key")"
  tried 'APNs iat older than an hour' ExpiredProviderToken "$(jwt "$header" "${claims/$now/$((now - 3610))}" "$key")"
  tried 'APNs padded signature' InvalidProviderToken "$good=="
  ask "$SALVO_APNS_ENDPOINT/3/device/a020" --http2 -H 'apns-topic: com.example.salvo' -d "$payload"
  apns_refused 'APNs no provider token' 403 MissingProviderToken
  apns_second=$(jwt '{"alg":"ES256","kid":"KEY7654321"}' "$claims" "$SALVO_CREDENTIALS/apns-2.p8")
  apns_bearer=$good
}

check_apns_headers() {
  local payload='{"aps":{"alert":"a"},"_uid":"T22"}'
  headed() { # WHAT REASON curl options
    local what=$1 reason=$2
    shift 2
    ask "$SALVO_APNS_ENDPOINT/3/device/a022" --http2 -H "authorization: bearer $apns_bearer" \
      --data-binary "$payload" "$@"
    apns_refused "$what" 400 "$reason"
  }
  local topic='apns-topic: com.example.salvo'
  headed 'APNs no topic' MissingTopic -H 'apns-push-type: alert'
  headed 'APNs topic given twice' DuplicateHeaders -H "$topic" -H "$topic"
  headed 'APNs unknown push type' InvalidPushType -H "$topic" -H 'apns-push-type: loud'
  headed 'APNs voip without its topic' BadTopic -H "$topic" -H 'apns-push-type: voip'
  headed 'APNs priority 7' BadPriority -H "$topic" -H 'apns-priority: 7'
  headed 'APNs background with priority 10' BadPriority -H "$topic" -H 'apns-push-type: background' \
    -H 'apns-priority: 10'
  headed 'APNs id that is no UUID' BadMessageId -H "$topic" -H 'apns-id: 1'
  headed 'APNs expiration in words' BadExpirationDate -H "$topic" -H 'apns-expiration: 3600s'
  # 22 characters of three bytes each are 66 bytes.
  headed 'APNs collapse id of 66 bytes' BadCollapseId -H "$topic" \
    -H "apns-collapse-id: $(printf '\xe2\x82\xac%.0s' {1..22})"
}

check_apns() {
  local payload='{"aps":{"alert":"a"},"_uid":"T21"}' id=0f8fad5b-d9cb-469f-a165-70867728950e
  check_apns_tokens
  check_apns_headers
  apns a021 "$payload" -H "apns-id: $id" -H "apns-collapse-id: $(printf '%064d' 0)" -H 'apns-expiration: 0'
  is 'APNs push' '200 ' "$status $body"
  is 'APNs id comes back' "apns-id: $id" "$(grep -i '^apns-id' <<<"$head")"
  apns DEAD21 "$payload"
  answered 'APNs dead token' 410 '[.reason, (now * 1000 - .timestamp | fabs < 5000)]' '["Unregistered",true]'
  apns dead01d1 "$payload"
  answered 'APNs token dead since 2020' 410 '[.reason, .timestamp]' '["Unregistered",1577836800000]'
  apns e429aa "$payload"
  apns_refused 'APNs 429' 429 TooManyRequests
  apns e400aa "$payload"
  apns_refused 'APNs bad token by order' 400 BadDeviceToken
  apns xyz "$payload"
  apns_refused 'APNs token that is not hexadecimal' 400 BadDeviceToken
  apns a023 ''
  apns_refused 'APNs empty payload' 400 PayloadEmpty
  apns a023 "$(printf '{"aps":{},"k":"%04079d"}' 0)"
  is 'APNs payload of 4096 bytes' 200 "$status"
  apns a023 "$(printf '{"aps":{},"k":"%04080d"}' 0)"
  apns_refused 'APNs payload of 4097 bytes' 413 PayloadTooLarge
  apns a023 $'{"aps":{"alert":"a\nb"}}'
  apns_refused 'APNs raw newline in a string' 400 BadRequestPayload
  ask "$SALVO_APNS_ENDPOINT/3/devices/a023" --http2 -d "$payload"
  apns_refused 'APNs other path' 404 BadPath
  ask "$SALVO_APNS_ENDPOINT/3/device/a023" --http2
  apns_refused 'APNs GET' 405 MethodNotAllowed
  ask "$SALVO_APNS_ENDPOINT/3/device/a023" --http1.1 -d "$payload" 2>/dev/null
  is 'APNs does not answer HTTP/1.1' 000 "$status"
  apns_endpoint=$SALVO_APNS_SANDBOX_ENDPOINT
  apns a024 "$payload"
  is 'APNs sandbox' '200 1' "$status $(grep -ic '^apns-unique-id: ' <<<"$head")"
  unset apns_endpoint
  check_apns_keys "$payload"
  check_apns_updates "$payload"
  check_apns_certificates "$payload"
}

# One change of the provider token is borne by a connection, the next one within 20 minutes is not.
check_apns_updates() {
  local now age words=() each
  now=$(date +%s)
  for age in 30 20 10; do
    each=$(jwt '{"alg":"ES256","kid":"KEY1234567"}' '{"iss":"TEAM123456","iat":'$((now - age))'}' \
      "$SALVO_CREDENTIALS/apns.p8")
    words+=(--next -sS --http2 --cacert "$SALVO_CA_FILE" -H 'apns-topic: com.example.salvo' --data-binary "$1"
      -H "authorization: bearer $each" "$SALVO_APNS_ENDPOINT/3/device/a028" -w ' %{http_code} ')
  done
  is 'APNs third provider token on one connection' ' 200  200 {"reason":"TooManyProviderTokenUpdates"} 429 ' \
    "$(curl "${words[@]:1}")"
  # For a key as a whole the second one is too much already, whatever the connection.
  "$stack" set "$SALVO_STACK" apns-updates key
  for age in 30:200 20:429 30:200; do
    each=$(jwt '{"alg":"ES256","kid":"KEY1234567"}' '{"iss":"TEAM123456","iat":'$((now - ${age%:*}))'}' \
      "$SALVO_CREDENTIALS/apns.p8")
    ask "$SALVO_APNS_ENDPOINT/3/device/a028" --http2 -H 'apns-topic: com.example.salvo' \
      -H "authorization: bearer $each" --data-binary "$1"
    is "APNs token of the key, ${age%:*} s old" "${age#*:}" "$status"
  done
  "$stack" set "$SALVO_STACK" apns-updates connection
}

check_apns_certificates() {
  local name
  for name in apns:200 apns-wrong:403; do
    ask "$SALVO_APNS_ENDPOINT/3/device/a029" --http2 --cert "$SALVO_CREDENTIALS/${name%:*}.pem" \
      -H 'apns-topic: com.example.salvo' -H 'apns-push-type: alert' --data-binary "$1"
    is "APNs client certificate ${name%:*}" "${name#*:}" "$status"
  done
  is 'APNs reason for a wrong certificate' '{"reason":"BadCertificate"}' "$body"
}

# curl sends both requests over one connection: the second key is a stranger there, and welcome on its own.
check_apns_keys() {
  local both
  both=$(curl -sS --http2 --cacert "$SALVO_CA_FILE" -H 'apns-topic: com.example.salvo' --data-binary "$1" \
    -H "authorization: bearer $apns_bearer" "$SALVO_APNS_ENDPOINT/3/device/a025" -w '%{http_code} ' --next \
    -sS --http2 --cacert "$SALVO_CA_FILE" -H 'apns-topic: com.example.salvo' --data-binary "$1" \
    -H "authorization: bearer $apns_second" "$SALVO_APNS_ENDPOINT/3/device/a026" -w ' %{http_code}')
  is 'APNs two keys on one connection' '200 {"reason":"UnrelatedKeyIdInToken"} 403' "$both"
  local kept=$apns_bearer
  apns_bearer=$apns_second
  apns a027 "$1"
  is 'APNs second key on its own connection' 200 "$status"
  apns_bearer=$kept
  is 'APNs connections per key' '["KEY1234567","KEY7654321"] 1' \
    "$("$stack" connections "$SALVO_STACK" | jq -rc '[.apns.keys | keys, (.KEY7654321 | length)] | "\(.[0]) \(.[1])"')"
}
