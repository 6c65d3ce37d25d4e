# The build: configures a tree of the presets when its inputs changed and builds what changed.
# shellcheck shell=bash

# What every verb needs. The window is built for those who open it, the runner of a GPU where there may be
# one, klab-course for who keeps the course; lab plugins follow on demand, galleries with the tests.
tool_targets=(klab klab-runner-sim klab_cudart)
more_tool_targets=(klab-runner-gpu klab-course)
# What the sanitizers watch: host code with its tests, not galleries.
sanitized_targets=("${tool_targets[@]}" "${more_tool_targets[@]}" klab_core_tests klab_cli_tests
  klab_runner_tests klab_simulator_tests)

# Some characters in a path reach a shell or end an entry of a list, however they are quoted: nvcc
# passes paths on between double quotes and splits at commas, CMake splits at semicolons, takes a
# backslash for a slash, brackets, stars and question marks for patterns and angle brackets for
# expressions of its own, drops definitions with a hash, and does not escape the others for the
# compilers it tries.
check_place() {
  local forbidden=$'"\'`$,;|\\#[]*?<>\n' character i
  for ((i = 0; i < ${#forbidden}; i++)); do
    character="${forbidden:i:1}"
    [[ "$root" == *"$character"* ]] || continue
    [[ "$character" != $'\n' ]] || character="a line break"
    fail "nvcc and CMake cannot build in a folder whose path has $character in it: $root." \
      "Move this clone to another folder and run ./klab again."
  done
}

# What a configured tree depends on besides its sources: where it lies and which toolkit it uses.
tree_key() { printf '%s with %s\n' "$root" "$toolkit_root"; }

is_configured() {
  [[ -e "$1/build.ninja" && "$(cat "$1/made_for" 2>/dev/null)" == "$(tree_key)" ]]
}

# Has the compilers go through ccache where there is one. It keeps what was built with a precompiled
# header only when told that macros and times of day in it do not matter; with relative paths a
# second clone finds what the first one built, except the batches of files, which name it.
export_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  export CCACHE_SLOPPINESS="${CCACHE_SLOPPINESS:+$CCACHE_SLOPPINESS,}pch_defines,time_macros"
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}"
}

# Configures the tree of a preset, from scratch when it was made elsewhere or with another toolkit.
configure_tree() {
  local preset="$1" tree="$build_root/$1" log
  local -a fresh=()
  if ! is_configured "$tree"; then
    fresh=(--fresh)
  elif [[ -z "$(find "$root/CMakePresets.json" "$root/CMakeLists.txt" "$root/workbench" \
    "$root/tests" -name 'CMake*' -newer "$tree/build.ninja" -print -quit 2>/dev/null)" ]]; then
    # ninja sees a changed CMake file, but not one that is new.
    return
  fi
  log="$build_root/configure-$preset.log"
  (cd "$root" && cmake --preset "$preset" ${fresh[@]+"${fresh[@]}"}) >"$log" 2>&1 || {
    tail -n 30 "$log" >&2
    fail "The build could not be configured: the last lines of $log are above."
  }
  # CMake leaves an unchanged build.ninja as it is.
  touch "$tree/build.ninja"
  tree_key >"$tree/made_for"
}

# Prints those of the named targets that the tree has: a layer may be absent.
known_targets() {
  local tree="$1"
  shift
  comm -12 <(ninja -C "$tree" -t targets all 2>/dev/null | sed -n 's/: phony$//p' | sort -u) \
    <(printf '%s\n' "$@" | sort -u)
}

# True when something under the paths is newer than the stamp; a removed file makes its folder newer.
changed_since() {
  local stamp="$1"
  shift
  [[ ! -e "$stamp" ]] || [[ -n "$(find "$@" -newer "$stamp" -print -quit 2>/dev/null)" ]]
}

# Builds targets of a preset's tree if a source, the toolkit or a package changed since.
# Usage: build_tree PRESET NAME TARGET...; NAME tells sets of targets of one tree apart.
build_tree() {
  local preset="$1" tree="$build_root/$1" stamp="$build_root/stamps/$1-$2" known
  shift 2
  local -a targets
  if is_configured "$tree" && ! changed_since "$stamp" "$root/workbench" "$root/tests" \
    "$root/CMakeLists.txt" "$root/CMakePresets.json" "$toolkit_record" "$dpkg_status" \
    "$root/labs" "$root/kernels" "$root/solutions" "$root/.git/logs/HEAD"; then
    return
  fi
  touch "$stamp.part"
  export_compiler_cache
  configure_tree "$preset"
  known="$(known_targets "$tree" "$@")"
  [[ -n "$known" ]] || fail "This source tree has none of the targets: $*."
  mapfile -t targets <<<"$known"
  [[ -e "$stamp" ]] || say "Building Kernel Lab; the first time takes a while."
  ninja -C "$tree" -j "$(nproc)" "${targets[@]}" >&2 ||
    fail "The build failed: the compiler's message is above."
  mv "$stamp.part" "$stamp"
}

# Builds what every verb needs, and of the rest what is asked for or has been built before: what is not
# as old as the others answers wrongly. Usage: build_tools PRESET PART...
build_tools() {
  local name=tools bin="$build_root/$1/bin" parts=" ${*:2} "
  local -a targets=("${tool_targets[@]}")
  if may_have_gpu || [[ "$parts" == *" gpu "* || -e "$bin/klab-runner-gpu" ]]; then
    name+=-gpu
    targets+=(klab-runner-gpu)
  fi
  if [[ "$parts" == *" course "* || -e "$bin/klab-course" ]]; then
    name+=-course
    targets+=(klab-course)
  fi
  build_tree "$1" "$name" "${targets[@]}"
}

# Has the workbench build the lab plugins that this machine's learner needs, when labs or the tool
# changed. A lab that does not build is the lab's affair: the tool says so when it is opened.
# Usage: build_plugins TOOL [NICENESS]
build_plugins() {
  local tool="$1" stamp="$build_root/stamps/plugins" status=0
  changed_since "$stamp" "$tool" "$root/labs" "$root/kernels" || return 0
  touch "$stamp.part"
  nice -n "${2:-0}" "$tool" build --needed || status=1
  mv "$stamp.part" "$stamp"
  return "$status"
}

# Has the whole course compiled before its tests run, galleries too, as many files at a time as there
# are processors; each is kept by its digest. What is not as its first line says, the tests tell.
build_galleries() {
  local tool="$1" started=$SECONDS log="$build_root/galleries.log" built
  "$tool" build --all >"$log" 2>&1 || true
  built="$(grep -c ' built$' "$log" || true)"
  [[ "$built" == 0 ]] || say "$built kernel files of the course were built in" \
    "$((SECONDS - started)) s; the tests that follow find them ready."
}
