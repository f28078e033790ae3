#!/usr/bin/env bash
# Runs every test: installs what is missing, starts each server it needs, and stops them again.
set -euo pipefail
cd "$(dirname "$0")/.."
. Jobs/lib/packages.sh

command -v swift >/dev/null || { echo "swift is not on the PATH; a Swift 6.3 toolchain is needed" >&2; exit 1; }
need_packages "${build_packages[@]}" "${stack_packages[@]}" "${test_packages[@]}"

work=$(mktemp -d /tmp/salvo-test.XXXXXX)
chmod 755 "$work"
finish() {
  local code=$?
  Jobs/stack.sh down "$work/stack" >/dev/null 2>&1 || true
  rm -rf "$work"
  exit "$code"
}
trap finish EXIT
trap 'exit 130' INT TERM

step() { printf '\n== %s\n' "$*"; }

step "format"
swift format lint --strict -r Sources Tests SQL Package.swift

step "compose files"
docker-compose -f Docker/compose.yaml config -q

step "alert rules"
promtool check config Docker/prometheus/prometheus.yml

step "build"
swift build --build-tests --explicit-target-dependency-import-check error

step "crontab, systemd units and Kubernetes manifests"
Jobs/deployment.sh .build/debug/salvo

step "stand-ins answer as the providers do"
Docker/providers/check.sh

step "tests"
Jobs/stack.sh up "$work/stack"
eval "$(Jobs/stack.sh env "$work/stack")"
# Tests kill servers and connections, never the machine: rows needn't reach the disk. 144 s become 14.
psql -Xqc "alter system set fsync = off" -c "select pg_reload_conf()" >/dev/null
export SALVO_TEST_DATABASE="host=$PGHOST port=$PGPORT user=$PGUSER dbname=$PGDATABASE"
export SALVO_TEST_REQUIRED=1
# Two processes beside each other: end-to-end tests wait more than they compute, and one after the other they took
# thirteen minutes. Each process has a stack of its own for them. Those that compare times come last, alone.
tests=$(swift build --show-bin-path)/salvoPackageTests.xctest
run() { "$tests" --testing-library swift-testing "$@"; }
second='Runs/(Overlap|Pace|Page|Pooler|Preflight|Refusal|Retry|Runner|Settle|Stop|Surface|Wire|Work)[A-Za-z]*Tests'
last='Runs/LaneTests'
run --filter "$second" >"$work/second.log" 2>&1 &
other=$!
code=0
run --skip "$second|$last" || code=$?
wait "$other" || code=$?
cat "$work/second.log"
run --filter "$last" || code=$?
exit "$code"
