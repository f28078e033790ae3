#!/usr/bin/env bash
# A private PostgreSQL and the provider stand-ins in one folder, for the demo, the tests and your own trials.
# Any number of stacks can run side by side, as root or as an ordinary user; nothing outside the folder is written.
set -euo pipefail

usage() {
  cat <<'END'
Usage: Jobs/stack.sh COMMAND DIR [...]
  up DIR [--no-database]   start PostgreSQL (or use the one PG* points at) and the stand-ins
  down DIR                 stop both; the files stay
  env DIR                  print `export` lines for the shell: eval "$(Jobs/stack.sh env DIR)"
  ledger DIR [--summary]   one JSON line per message a stand-in received, or the counts
  bodies DIR PROVIDER [N]  the first N request bodies of fcm, apns, apns-sandbox, hms, appmetrica or rustore (1)
  connections DIR          connections, streams and requests per stand-in, as JSON
  set DIR NAME VALUE       turn a knob of a stand-in (Docker/providers/README.md lists them)
  reset DIR                forget ledger, bodies, transfers, counters and knobs
END
}

say() { printf 'stack: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
standins=$home/Docker/providers

# --- what must be installed -------------------------------------------------------------------------------------------

nginx=$(PATH=$PATH:/usr/sbin command -v nginx || true)
postgres=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1 || true)

check_installed() {
  local database=$1 missing=()
  [[ -n $nginx ]] || missing+=(nginx-light)
  [[ -e /usr/lib/nginx/modules/ngx_http_lua_module.so ]] || missing+=(libnginx-mod-http-lua)
  compgen -G '/usr/lib/*/lua/5.1/cjson.so' >/dev/null || missing+=(lua-cjson)
  [[ -x /usr/bin/python3 ]] || missing+=(python3)
  command -v openssl >/dev/null || missing+=(openssl)
  command -v curl >/dev/null || missing+=(curl)
  if [[ $database == private ]]; then
    [[ -x $postgres/initdb ]] || missing+=(postgresql-15)
  else
    command -v psql >/dev/null || missing+=(postgresql-client-15)
  fi
  if ((${#missing[@]})); then
    die "missing: ${missing[*]}. Install: apt-get install --no-install-recommends ${missing[*]}"
  fi
}

# --- processes --------------------------------------------------------------------------------------------------------

# The living processes called $1 that work in folder $2. A pid file may be stale and name somebody else's process, and
# workers outlive a killed master; name and working folder tell them apart for sure. Zombies have no folder any more.
processes() {
  local name=$1 folder=$2 entry comm
  for entry in /proc/[0-9]*; do
    if { read -r comm <"$entry/comm"; } 2>/dev/null && [[ $comm == "$name" ]] &&
      [[ $(readlink "$entry/cwd") == "$folder" ]]; then
      echo "${entry#/proc/}"
    fi
  done
}

# Sends each signal in turn to the processes of $1 in $2, first of all to $3 alone, until none is left.
stop_all() {
  local name=$1 folder=$2 first=$3 signal round pids
  shift 3
  for signal in "$@"; do
    pids=$(processes "$name" "$folder")
    [[ -n $pids ]] || return 0
    if [[ -n $first ]] && grep -qx "$first" <<<"$pids"; then
      kill -"$signal" "$first" 2>/dev/null || true
    else
      # shellcheck disable=SC2086  # one word a process
      kill -"$signal" $pids 2>/dev/null || true
    fi
    for round in {1..60}; do
      [[ -n $(processes "$name" "$folder") ]] || return 0
      sleep 0.05
    done
    first=
  done
  [[ -z $(processes "$name" "$folder") ]] || die "$name in $folder does not end"
}

pid_in() { head -n 1 "$1" 2>/dev/null || true; }

# --- PostgreSQL -------------------------------------------------------------------------------------------------------

# PostgreSQL refuses to run as root, so root starts it as Debian's user for it.
as_postgres() {
  if ((EUID == 0)); then
    (cd / && exec runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

database_up() {
  local folder=$dir/postgres data=$dir/postgres/data
  # sockaddr_un holds 107 bytes, and the file's name is part of them.
  ((${#folder} <= 90)) || die "$dir is too long a path for a Unix socket: choose one of at most 81 bytes"
  mkdir -p -m 700 "$folder"
  if ((EUID == 0)); then
    chown postgres: "$folder"
    runuser -u postgres -- test -x "$folder" ||
      die "user postgres cannot reach $dir: choose a folder below /tmp or /var/tmp"
  fi
  if [[ ! -e $data/PG_VERSION ]]; then
    as_postgres "$postgres/initdb" -D "$data" -U salvo -A trust -E UTF8 --locale=C.UTF-8 --no-instructions \
      >"$dir/initdb.log" 2>&1 || die "initdb failed, see $dir/initdb.log"
    as_postgres tee "$data/pg_hba.conf" >/dev/null <<<'local all all trust'
    as_postgres tee -a "$data/postgresql.conf" >/dev/null <<END
listen_addresses = ''
unix_socket_directories = '$folder'
unix_socket_permissions = 0777
max_connections = 400
END
  fi
  if [[ -z $(processes postgres "$data") ]]; then
    as_postgres "$postgres/pg_ctl" start -D "$data" -w -t 60 -s -l "$folder/log" ||
      die "PostgreSQL did not start, see $folder/log"
  fi
  export PGHOST=$folder PGPORT=5432 PGUSER=salvo PGDATABASE=salvo
  if [[ -z $("$postgres/psql" -XAtd postgres -c "SELECT 1 FROM pg_database WHERE datname = 'salvo'") ]]; then
    "$postgres/createdb" salvo
  fi
}

database_down() {
  local data=$dir/postgres/data
  stop_all postgres "$data" "$(pid_in "$data/postmaster.pid")" INT QUIT KILL
}

# --- the stand-ins ----------------------------------------------------------------------------------------------------

ask() {
  local reply status
  [[ -S $providers/control.sock ]] || die "no stand-ins run in $dir: Jobs/stack.sh up $dir"
  reply=$(curl -sS --max-time 5 --unix-socket "$providers/control.sock" -w '\n%{http_code}' -G "http://stand-ins$1" \
    "${@:2}") || die "the stand-ins in $dir do not answer: Jobs/stack.sh up $dir"
  status=${reply##*$'\n'} reply=${reply%$'\n'*}
  [[ $status == 200 ]] || die "$reply"
  printf '%s\n' "$reply"
}

standins_up() {
  local try options=()
  ((EUID != 0)) || options=(--user www-data)
  if [[ -n $(processes nginx "$providers") ]]; then
    ask /ready >/dev/null
    return
  fi
  # Another stack may take a port between the look and the bind: then again with other ports.
  for try in 1 2 3; do
    "$standins/prepare.py" "$dir" "${options[@]}"
    if ((EUID == 0)); then
      runuser -u www-data -- test -x "$providers" ||
        die "user www-data cannot reach $dir: choose a folder below /tmp or /var/tmp"
    fi
    if (cd "$providers" &&
      STANDINS_FOLDER=$providers "$nginx" -e error.log -p "$providers" -c nginx.conf 2>start.log); then
      ask /ready >/dev/null
      return
    fi
    grep -q 'could not bind\|Address already in use' "$providers/start.log" "$providers/error.log" || break
  done
  die "nginx did not start: $(tail -n 1 "$providers/start.log")"
}

standins_down() {
  stop_all nginx "$providers" "$(pid_in "$providers/nginx.pid")" QUIT TERM KILL
  rm -f "$providers/control.sock" "$providers/nginx.pid"
}

# --- commands ---------------------------------------------------------------------------------------------------------

up() {
  local database=private
  case ${1-} in
    '') ;;
    --no-database) database=given ;;
    *) usage >&2; exit 64 ;;
  esac
  check_installed "$database"
  mkdir -p "$dir"
  # The keys lie in folders of mode 700; this one must let PostgreSQL's and nginx's users through.
  chmod 711 "$dir"
  if [[ $database == private ]]; then
    database_up
  else
    psql -XAtqc 'SELECT 1' >/dev/null || die "the database that PG* points at does not answer"
  fi
  # A password never goes into a file: PGPASSWORD or a .pgpass stay the caller's.
  local name
  for name in PGHOST PGPORT PGUSER PGDATABASE; do
    [[ -z ${!name-} ]] || printf '%s=%s\n' "$name" "${!name}"
  done >"$dir/database"
  standins_up
  say "up in $dir"
}

print_env() {
  local line
  [[ -r $providers/endpoints ]] || die "no stack in $dir: Jobs/stack.sh up $dir"
  {
    cat "$dir/database" "$providers/endpoints"
    printf '%s\n' "SALVO_CREDENTIALS=$dir/credentials" "SALVO_CA_FILE=$dir/ca.pem" "SALVO_STACK=$dir"
  } | while IFS= read -r line; do
    printf 'export %s=%q\n' "${line%%=*}" "${line#*=}"
  done
}

bodies() {
  local provider=${1-} count=${2-1} path
  [[ $provider =~ ^[a-z-]+$ && $count =~ ^[0-9]+$ ]] || { usage >&2; exit 64; }
  for path in "$providers/bodies/$provider".*.json; do
    ((count-- > 0)) && [[ -e $path ]] || break
    cat "$path"
    echo
  done
}

command=${1-}
if [[ $command == --help || $command == -h ]]; then
  usage
  exit
fi
if [[ -z $command || -z ${2-} ]]; then
  usage >&2
  exit 64
fi
dir=$(realpath -m "$2")
providers=$dir/providers
shift 2

case $command in
  up) up "$@" ;;
  down) standins_down; database_down ;;
  env) print_env ;;
  ledger) exec "$standins/ledger.py" "$providers" "$@" ;;
  bodies) bodies "$@" ;;
  connections) ask /connections ;;
  set)
    (($# == 2)) || { usage >&2; exit 64; }
    ask /set --data-urlencode "name=$1" --data-urlencode "value=$2" >/dev/null
    ;;
  reset)
    ask /reset >/dev/null
    find "$providers/bodies" -type f -delete
    ;;
  *) usage >&2; exit 64 ;;
esac
