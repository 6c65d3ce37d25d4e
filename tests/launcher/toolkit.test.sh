# The toolkit in use compiles and links CUDA, CUPTI and NVTX through CMake, and nothing else's.
# shellcheck shell=bash
# shellcheck source=tests/launcher/sandbox.sh
source "$(dirname "$0")/sandbox.sh"
# shellcheck source=workbench/setup/messages.sh
source "$source_root/workbench/setup/messages.sh"
# shellcheck source=workbench/setup/toolkit.sh
source "$source_root/workbench/setup/toolkit.sh"

# What must not be taken for a CUDA 13 toolkit: another version, one without CUPTI, none.
fake="$sandbox/fake"
make_toolkit "$fake" 13.0
is_usable_toolkit "$fake" || broken "a complete CUDA 13 toolkit is usable"
make_toolkit "$fake" 12.8
! is_usable_toolkit "$fake" || broken "CUDA 12 must not do"
make_toolkit "$fake" 13.1
rm "$fake/include/cupti.h"
! is_usable_toolkit "$fake" || broken "a toolkit without CUPTI must not do"
! is_usable_toolkit "$sandbox/nowhere" || broken "no toolkit must not do"

# A folder that the user names wrongly is said, not silently replaced.
make_tree
run env KLAB_CUDA_HOME="$fake" "$sandbox/klab" list
expect_status 4
expect_in "KLAB_CUDA_HOME names $fake" "$err"

# The toolkit that the launcher set up, or found earlier when this file is run by hand.
toolkit_record="$source_root/build/toolkit.json"
toolkit_root="${KLAB_CUDA_HOME:-$(recorded root)}"
[[ -n "$toolkit_root" ]] || skip "no toolkit is set up: ./klab --setup brings one"

mkdir "$sandbox/cuda"
cat >"$sandbox/cuda/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(toolkit LANGUAGES CXX CUDA)
# CMake 3.25 as Debian 12 ships it sets a property of this target, which CUDA 13 no longer has.
add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
find_package(CUDAToolkit 13 REQUIRED)
add_executable(probe probe.cu)
target_compile_options(probe PRIVATE -std=c++20)
# CMake takes the toolkit's folder for one that the loader knows, which it need not be.
set_target_properties(probe PROPERTIES CUDA_RUNTIME_LIBRARY Shared CUDA_ARCHITECTURES 90
    BUILD_RPATH "${CUDAToolkit_LIBRARY_DIR}")
target_link_libraries(probe PRIVATE CUDA::cudart CUDA::cupti CUDA::nvtx3)
END
cat >"$sandbox/cuda/probe.cu" <<'END'
#include <cuda_occupancy.h>
#include <cuda_runtime.h>
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <cstdio>
#include <cuda/std/span>

__global__ void twice(cuda::std::span<float> values) { values[threadIdx.x] *= 2; }

int main() {
  int runtime = 0;
  std::uint32_t cupti = 0;
  nvtxRangePushA("probe");
  const bool good = cudaRuntimeGetVersion(&runtime) == cudaSuccess &&
                    cuptiGetVersion(&cupti) == CUPTI_SUCCESS;
  nvtxRangePop();
  cudaDeviceProp device{};
  if (runtime == 0) twice<<<1, 1>>>({});  // keeps the kernel; never launched
  std::printf("%d %u %d\n", runtime / 1000, cupti, device.major);
  return good ? 0 : 1;
}
END
export KLAB_CUDA_HOME="$toolkit_root"
export_toolkit
if ! { cmake -G Ninja -S "$sandbox/cuda" -B "$sandbox/cuda/build" &&
  cmake --build "$sandbox/cuda/build"; } >"$sandbox/cuda/log" 2>&1; then
  tail -n 40 "$sandbox/cuda/log"
  broken "the toolkit does not build a small CUDA program"
fi
run "$sandbox/cuda/build/probe"
expect_status 0
expect_in "13 " "$out"

# Every library of the toolkit comes from its root and from nowhere else, in the product too.
expect_own_libraries() {
  local program="$1" libraries file
  libraries="$(ldd "$program" | sed -nE '/cudart|cupti|nvperf/ s/.*=> (.*) \(0x.*/\1/p')"
  [[ -n "$libraries" ]] || broken "$program uses no library of the toolkit"
  while read -r file; do
    [[ "$(readlink -f "$file")" == "$(readlink -f "$toolkit_root")"/* ]] ||
      broken "$program takes $file, which is not of $toolkit_root"
  done <<<"$libraries"
}
expect_own_libraries "$sandbox/cuda/build/probe"
runner="${KLAB_BINARY_DIR:-$source_root/build/release}/bin/klab-runner-gpu"
[[ ! -x "$runner" ]] || expect_own_libraries "$runner"
! grep -q /usr/local/cuda "$sandbox/cuda/build/build.ninja" ||
  [[ "$(readlink -f /usr/local/cuda)" == "$(readlink -f "$toolkit_root")" ]] ||
  broken "the build reaches for another toolkit"
echo "toolkit: $toolkit_root"
