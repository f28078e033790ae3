# What RuStore answers; sourced by check.sh.

rustore() { # BODY
  ask "$SALVO_RUSTORE_ENDPOINT/v1/projects/${rustore_project-salvo-demo}/messages:send" \
    -H "Authorization: Bearer ${rustore_bearer-$(cat "$SALVO_CREDENTIALS/rustore.token")}" --data-binary "$1"
}

check_rustore() {
  local good='{"message":{"token":"rs-one","data":{"_uid":"T60"},"android":{"ttl":"3.5s","priority":"HIGH"}}}'
  rustore "$good"
  is 'RuStore message' '200 {}' "$status $body"
  rustore "${good/rs-one/dead-two}"
  answered 'RuStore dead token' 404 . '{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND"}'
  rustore "${good/rs-one/e429-three}"
  answered 'RuStore 429' 429 .status TOO_MANY_REQUESTS
  rustore "${good/\"T60\"/60}"
  answered 'RuStore data value that is a number' 400 .status INVALID_ARGUMENT
  rustore "$(printf '{"message":{"token":"rs-four","data":{"k":"%04096d"}}}' 0)"
  answered 'RuStore more than 4096 bytes' 400 .status INVALID_ARGUMENT
  rustore_bearer=wrong rustore "$good"
  answered 'RuStore wrong bearer' 401 '[.status, .message]' '["UNAUTHORIZED","Invalid S2S token"]'
  rustore_project=other rustore "$good"
  answered 'RuStore other project' 404 .status NOT_FOUND
}
