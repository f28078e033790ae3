#!/usr/bin/env bash
# Holds the crontab, the systemd units and the Kubernetes manifests of this folder against the tools that know their
# form, and every command in them against the executable.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ ${1-} == --help || ${1-} == -h || $# -ne 1 ]]; then
  echo "Usage: Jobs/deployment.sh SALVO   SALVO is the executable"
  [[ ${1-} == --help || ${1-} == -h ]] && exit 0
  exit 64
fi
salvo=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { echo "$*" >&2; failed=1; }

# command WORDS…: known to the executable, options and all?
command_exists() {
  local place=$1 words=() word help
  shift
  while [[ ${1-} =~ ^[a-z]+$ ]]; do words+=("$1"); shift; done
  help=$("$salvo" "${words[@]}" --help 2>&1) || { wrong "$place: there is no salvo ${words[*]}"; return; }
  for word; do
    [[ $word != --* ]] || grep -q -- "^  $word " <<<"$help" || wrong "$place: salvo ${words[*]} takes no $word"
  done
}

# cron's own parser.
crontab -n Jobs/crontab >"$work/said" 2>&1 || wrong "crontab: $(cat "$work/said")"
while read -r line; do
  # shellcheck disable=SC2086  # one word a word
  command_exists crontab $line
done < <(sed -nE 's/ 2>&1.*//; s/^[^#]* salvo (.*)/\1/p' Jobs/crontab)

# systemd says nothing of what is right. The executable must be where the units say, so they are looked at with this one.
cp -r Jobs/systemd "$work/units"
sed -i "s#/usr/local/bin/salvo#$salvo#" "$work"/units/*.service
for unit in "$work"/units/*.service "$work"/units/*.timer; do
  said=$(systemd-analyze verify --man=no --recursive-errors=no "$unit" 2>&1) || wrong "${unit##*/}: verify failed"
  [[ -z $said ]] || wrong "${unit##*/}: $said"
done
for unit in "$work"/units/*.service; do
  # From 0, which can do nothing, to 100; an ordinary unit has 96.
  systemd-analyze security --offline=yes --no-pager --threshold=15 "$unit" >"$work/said" 2>&1 ||
    wrong "${unit##*/}: $(tail -n 1 "$work/said")"
  # shellcheck disable=SC2046
  command_exists "${unit##*/}" $(sed -n "s#^ExecStart=$salvo ##p" "$unit")
done

Jobs/kubernetes/check.py >"$work/commands" || failed=1
while read -r line; do
  # shellcheck disable=SC2086
  command_exists kubernetes $line
done <"$work/commands"

exit "$failed"
