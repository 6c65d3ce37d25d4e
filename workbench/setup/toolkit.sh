# The CUDA toolkit: finds one of major version 13, or brings NVIDIA's own wheels into build/toolkit.
# shellcheck shell=bash

readonly toolkit_major=13
# NVIDIA's meta package pins parts that belong together: compiler with its headers and its
# optimizer, runtime, CUPTI, NVTX, CCCL, and the profiler's header, which a kernel file may
# include.
readonly toolkit_wheels="cuda-toolkit[nvcc,crt,nvvm,cudart,cupti,nvtx,cccl,profiler]==13.0.*"

# Prints the release (13.0) of the compiler under a root, nothing when there is none that runs.
toolkit_release() {
  "$1/bin/nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p' || true
}

# Prints the root that an nvcc on PATH belongs to, through wrappers and links.
root_of_nvcc() {
  local top
  top="$("$1" --dryrun -c klab.cu 2>&1 | sed -n 's/^#\$ TOP=//p')"
  [[ -n "$top" ]] && readlink -f "$top"
}

# True for a root with all that the build needs: the right major version, CUPTI and NVTX.
is_usable_toolkit() {
  local release
  release="$(toolkit_release "$1")"
  [[ "${release%%.*}" == "$toolkit_major" ]] || return 1
  [[ -e "$1/include/cupti.h" || -e "$1/extras/CUPTI/include/cupti.h" ]] || return 1
  [[ -e "$1/include/nvtx3/nvToolsExt.h" ]]
}

# Prints the root of the system's toolkit, nothing when it has none that will do.
find_system_toolkit() {
  local candidate nvcc
  local -a candidates=("${KLAB_CUDA_HOME:-}" "${CUDA_HOME:-}")
  if nvcc="$(command -v nvcc)"; then candidates+=("$(root_of_nvcc "$nvcc" || true)"); fi
  candidates+=(/usr/local/cuda /usr/local/cuda-"$toolkit_major"*)
  for candidate in "${candidates[@]}"; do
    if [[ -n "$candidate" ]] && is_usable_toolkit "$candidate"; then
      readlink -f "$candidate"
      return
    fi
  done
}

# Reads one field of the toolkit's record; nothing when it is missing.
recorded() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" "$toolkit_record" 2>/dev/null || true; }

# The toolkit once chosen stays until it is gone or another kind is asked for: a terminal with
# other variables must not rebuild everything.
record_is_good() {
  local root source
  root="$(recorded root)"
  source="$(recorded source)"
  [[ -n "$root" && -x "$root/bin/nvcc" ]] || return 1
  [[ "$toolkit_kind" == any || "$toolkit_kind" == "$source" ]] || return 1
  [[ "$toolkit_kind" == wheels || -z "${KLAB_CUDA_HOME:-}" ||
    "$(readlink -f "$KLAB_CUDA_HOME")" == "$root" ]]
}

# Decides on the toolkit without downloading: sets toolkit_root, empty when wheels are needed.
choose_toolkit() {
  if record_is_good; then
    toolkit_root="$(recorded root)"
    return
  fi
  toolkit_root=""
  if [[ "$toolkit_kind" != wheels ]]; then
    if [[ -n "${KLAB_CUDA_HOME:-}" ]] && ! is_usable_toolkit "$KLAB_CUDA_HOME"; then
      fail "KLAB_CUDA_HOME names $KLAB_CUDA_HOME, which holds no CUDA $toolkit_major toolkit with" \
        "CUPTI and NVTX. Correct it, or unset it to have one found."
    fi
    toolkit_root="$(find_system_toolkit)"
  fi
  if [[ -z "$toolkit_root" && "$toolkit_kind" == system ]]; then
    fail "No CUDA $toolkit_major toolkit with CUPTI and NVTX was found in CUDA_HOME, on PATH or in" \
      "/usr/local. Install one, or leave out KLAB_TOOLKIT=system to get NVIDIA's wheels."
  fi
  if [[ -n "$toolkit_root" ]]; then
    record_toolkit system
  elif is_usable_toolkit "$wheels_root"; then
    toolkit_root="$wheels_root"
    record_toolkit wheels
  fi
}

record_toolkit() {
  local release
  release="$(toolkit_release "$toolkit_root")"
  mkdir -p "${toolkit_record%/*}"
  printf '{"root": "%s", "version": "%s", "source": "%s"}\n' "$toolkit_root" "$release" "$1" \
    >"$toolkit_record.part"
  mv "$toolkit_record.part" "$toolkit_record"
}

# Brings the wheels if no toolkit was found. An interrupted download leaves nothing that counts.
ensure_toolkit() {
  [[ -z "$toolkit_root" ]] || return 0
  local part="$build_root/toolkit.part"
  local -a quiet=(--quiet)
  ! has_terminal || quiet=()
  [[ "$toolkit_kind" == wheels ]] || say "No CUDA $toolkit_major toolkit was found."
  say "Bringing NVIDIA's toolkit wheels into build/toolkit (about 550 MB on disk)."
  rm -rf "$part"
  # A person's own pip settings may demand what does not go with a target folder.
  PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore \
    python3 -m pip install ${quiet[@]+"${quiet[@]}"} --no-cache-dir --only-binary=:all: \
    --target "$part" "$toolkit_wheels" >&2 ||
    fail "The toolkit's wheels could not be fetched: pip's message is above. Connect and run" \
      "./klab again, or install the CUDA $toolkit_major toolkit."
  complete_wheels "$part/nvidia/cu$toolkit_major"
  rm -rf "${wheels_root%/nvidia/*}"
  mv "$part" "${wheels_root%/nvidia/*}"
  is_usable_toolkit "$wheels_root" || fail "The toolkit's wheels do not work on this machine:" \
    "install the CUDA $toolkit_major toolkit, or look at $wheels_root."
  toolkit_root="$wheels_root"
  record_toolkit wheels
}

# Wheels lack what a linker looks for: lib64 and library names without a version.
complete_wheels() {
  local library name
  ln -sfn lib "$1/lib64"
  for library in "$1"/lib/lib*.so.*; do
    name="${library##*/}"
    ln -sfn "$name" "$1/lib/${name%%.so.*}.so"
  done
}

# What the toolkit needs of the distribution: pip, and only when wheels are to be brought.
toolkit_packages() {
  if [[ -z "$toolkit_root" ]] && ! python3 -m pip --version >/dev/null 2>&1; then
    echo "python3-pip"
  fi
}

# Points CMake, nvcc and the workbench at the toolkit and at no other.
export_toolkit() {
  export KLAB_CUDA_HOME="$toolkit_root" CUDAToolkit_ROOT="$toolkit_root" CUDA_HOME="$toolkit_root"
  export CUDACXX="$toolkit_root/bin/nvcc" PATH="$toolkit_root/bin:$PATH"
  unset CUDA_PATH
  local name
  for name in LIBRARY_PATH LD_LIBRARY_PATH CPATH; do
    [[ -z "${!name:-}" ]] || export "$name=$(without_other_toolkits "${!name}")"
  done
}

# Drops from a list of folders those of another toolkit.
without_other_toolkits() {
  local folder kept=""
  local -a folders
  IFS=: read -r -a folders <<<"$1"
  for folder in ${folders[@]+"${folders[@]}"}; do
    [[ "$folder" == *cuda* && "$(readlink -f "$folder")" != "$toolkit_root"/* ]] && continue
    kept+="${kept:+:}$folder"
  done
  printf '%s\n' "$kept"
}
