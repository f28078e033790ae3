# What Salvo is built and tested with, from Debian 12. Sourced by demo.sh and test.sh.

build_packages=(libcurl4-openssl-dev libpq-dev libssl-dev libmicrohttpd-dev pkg-config)
stack_packages=(postgresql-15 postgresql-client-15 nginx-light libnginx-mod-http-lua lua-cjson
  python3 python3-cryptography openssl curl jq)
test_packages=(python3-h2 docker-compose procps pgbouncer cron systemd python3-yaml prometheus)

# need_packages NAME…: installs what is missing; as a plain user it says what root has to do.
need_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      root=(sudo)
    else
      echo "missing packages; as root: apt-get install ${missing[*]}" >&2
      return 1
    fi
  fi
  echo "installing ${missing[*]}"
  "${root[@]}" apt-get update -qq
  # The servers are started by stack.sh, each in a folder of its own; Debian must not start one at installation.
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
