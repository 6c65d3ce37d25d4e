# For every launcher test: a small source tree around the real launcher, and expectations.
# shellcheck shell=bash
set -euo pipefail

source_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
# The blank in the name is on purpose: a clone may lie in such a folder.
sandbox="$(mktemp -d "/tmp/klab launcher.XXXXXX")"
# Some tests act as another user, who must be able to get here.
chmod 755 "$sandbox"
trap 'rm -rf "$sandbox"' EXIT
unset KLAB_TOOLKIT
export CCACHE_DISABLE=1

# Fills the sandbox with the real launcher and a source tree that builds in a second. What the
# real tree has already fetched is reused, so that no test waits for a network.
make_tree() {
  local fixture="$source_root/tests/launcher/fixture"
  mkdir -p "$sandbox/workbench" "$sandbox/build" "$sandbox/stubs"
  cp "$source_root/klab" "$source_root/CMakePresets.json" "$fixture/CMakeLists.txt" "$sandbox"
  cp -r "$source_root/workbench/setup" "$fixture/tool.cpp" "$fixture/window.cpp" \
    "$sandbox/workbench"
  if [[ -d "$source_root/build/deps" ]]; then
    cp -r "$source_root/build/deps" "$sandbox/build/deps"
  fi
}

# Makes what the launcher takes for a complete toolkit of a release, such as 13.0.
make_toolkit() {
  mkdir -p "$1/bin" "$1/include/nvtx3"
  touch "$1/include/cupti.h" "$1/include/nvtx3/nvToolsExt.h"
  printf '#!/bin/sh\necho "Cuda compilation tools, release %s, V0"\n' "$2" >"$1/bin/nvcc"
  chmod 755 "$1/bin/nvcc"
}

# Puts a stub of a command first on PATH, to play a failure. Each call is noted in calls.txt.
stub() {
  local name="$1" body="$2"
  printf '#!/bin/bash\necho "%s $*" >>"%s/calls.txt"\n%s\n' "$name" "$sandbox" "$body" \
    >"$sandbox/stubs/$name"
  chmod 755 "$sandbox/stubs/$name"
  [[ "$PATH" == "$sandbox/stubs:"* ]] || export PATH="$sandbox/stubs:$PATH"
}

# Runs a command without a terminal; leaves its status, standard output and error for the
# expectations.
run() {
  status=0
  "$@" >"$sandbox/out.txt" 2>"$sandbox/err.txt" </dev/null || status=$?
  out="$(cat "$sandbox/out.txt")"
  err="$(cat "$sandbox/err.txt")"
}

broken() {
  printf 'FAILED: %s\n--- status %s\n--- standard output\n%s\n--- standard error\n%s\n' \
    "$1" "${status:-}" "${out:-}" "${err:-}" >&2
  exit 1
}

expect_status() { [[ "$status" == "$1" ]] || broken "status $status, want $1"; }
expect_equal() { [[ "$1" == "$2" ]] || broken "got '$1', want '$2'"; }
expect_in() { [[ "$2" == *"$1"* ]] || broken "'$1' is missing in: $2"; }
expect_not_in() { [[ "$2" != *"$1"* ]] || broken "'$1' must not be in: $2"; }

skip() {
  echo "SKIPPED: $1"
  exit 77
}

calls() { cat "$sandbox/calls.txt" 2>/dev/null || true; }
