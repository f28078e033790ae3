# Asking the stand-ins and comparing what they answer; sourced by check.sh.

# is WHAT WANTED GOT
is() {
  checks=$((checks + 1))
  if [[ $2 != "$3" ]]; then
    failures=$((failures + 1))
    printf 'check (%s): %s\n  wanted %s\n  got    %s\n' "$(id -un)" "$1" "$2" "$3" >&2
  fi
}

# ask URL [curl options]: leaves $status, $body and $head.
ask() {
  status=$(curl -sS --max-time 20 --cacert "$SALVO_CA_FILE" -D "$work/head" -o "$work/body" \
    -w '%{http_code}' "$@") || true
  body=$(cat "$work/body" 2>/dev/null || true)
  head=$(tr -d '\r' <"$work/head" 2>/dev/null || true)
  rm -f "$work/body" "$work/head"
}

# answered WHAT STATUS JQ WANTED: the last answer's status and what jq finds in its body, names sorted.
answered() {
  is "$1" "$2 $4" "$status $(jq -rSc "$3" <<<"$body" 2>&1)"
}

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

# jwt HEADER CLAIMS KEYFILE: RS256 or ES256, whatever the key is.
jwt() {
  local text
  text=$(printf %s "$1" | base64url).$(printf %s "$2" | base64url)
  printf '%s.' "$text"
  if [[ $(head -n 1 "$3") == *PRIVATE* ]] && openssl pkey -in "$3" -noout -text 2>/dev/null | grep -q prime256v1; then
    printf %s "$text" | openssl dgst -sha256 -sign "$3" | /usr/bin/python3 -c '
import sys
der = sys.stdin.buffer.read()
at, raw = 2, b""
for _ in range(2):
    count = der[at + 1]
    raw += der[at + 2:at + 2 + count].lstrip(b"\0").rjust(32, b"\0")
    at += 2 + count
sys.stdout.buffer.write(raw)' | base64url
  else
    printf %s "$text" | openssl dgst -sha256 -sign "$3" | base64url
  fi
}

# One byte of the signature changed: the character for its highest six bits.
flipped() {
  local signature=${1##*.} first=A
  [[ ${signature:0:1} != A ]] || first=B
  printf '%s.%s%s' "${1%.*}" "$first" "${signature:1}"
}
