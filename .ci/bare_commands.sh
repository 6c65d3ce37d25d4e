#!/usr/bin/env bash
# What a newcomer runs on a bare machine; .ci/bare.sh runs it in its tree.
# Usage: bare_commands.sh [OPTION of ./klab test ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Runs a command; a person who is not root answers at a terminal, with yes.
at_terminal() {
  if ((EUID == 0)); then
    "$@"
  else
    printf 'y\ny\ny\n' | script -qec "$(printf '%q ' "$@")" /dev/null
  fi
}

expect_bare() {
  local name
  for name in nvcc g++ cmake ninja python3; do
    ! command -v "$name" || { echo "This machine has $name: it is not bare." >&2 && exit 1; }
  done
  [[ ! -e /usr/local/cuda && -z "${CUDA_HOME:-}" ]]
}

# Without a GPU a right kernel passes provisionally, which is "not checkable here".
expect_provisional_pass() {
  local status=0
  ./klab check coalescing --variant optimized || status=$?
  ((status == 4)) || { echo "The check ended with $status, want 4." >&2 && exit 1; }
}

took() { printf '===== %s: %d s\n' "$1" $((SECONDS - begun)) && begun=$SECONDS; }

begun=$SECONDS
expect_bare
at_terminal ./klab --setup
took "set-up of $(. /etc/os-release && echo "$PRETTY_NAME") as $(id -un)"
expect_provisional_pass
took "check"
at_terminal ./klab test "$@"
took "tests"
