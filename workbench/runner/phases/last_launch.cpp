// The launch calls that nvcc puts into kernel files, noted on their way to the runtime.
//
// The dynamic loader resolves a kernel file's references in the executable first, so these
// definitions stand before libcudart's; each hands the call on to it. The `<<<>>>` of CUDA 13 calls
// __cudaLaunchKernel (crt/device_functions.h); cudaLaunchKernelExC is the call with attributes.
#include "runner/phases/last_launch.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <unordered_map>

#include "core/build/demangle.hpp"

namespace {

const void* last_kernel = nullptr;
dim3 last_grid;
dim3 last_block;
std::size_t last_shared_bytes = 0, most_shared_bytes = 0;

void note(const void* kernel, dim3 grid, dim3 block, std::size_t shared_bytes) {
  last_kernel = kernel;
  last_grid = grid;
  last_block = block;
  last_shared_bytes = shared_bytes;
  most_shared_bytes = std::max(most_shared_bytes, shared_bytes);
}

/// The runtime's own definition behind the one here.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** args,
                                          size_t shared_bytes, cudaStream_t stream) {
  static auto* const launch = next<decltype(__cudaLaunchKernel)>("__cudaLaunchKernel");
  note(kernel, grid, block, shared_bytes);
  return launch ? launch(kernel, grid, block, args, shared_bytes, stream) : cudaErrorUnknown;
}

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                           void** args) {
  static auto* const launch = next<decltype(cudaLaunchKernelExC)>("cudaLaunchKernelExC");
  if (config) note(function, config->gridDim, config->blockDim, config->dynamicSmemBytes);
  return launch ? launch(config, function, args) : cudaErrorUnknown;
}

namespace klab::runner {

void forget_last_launch() {
  last_kernel = nullptr;
  most_shared_bytes = 0;
}

std::string last_launch() {
  if (!last_kernel) return {};
  // Kept, so that asking again costs nothing where the clock runs, and after a fault, when the
  // runtime no longer answers.
  static std::unordered_map<const void*, std::string> names;
  const auto [known, is_new] = names.try_emplace(last_kernel);
  if (!is_new) return known->second;
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, last_kernel) != cudaSuccess || !mangled) return {};
  known->second = demangled(mangled);
  return known->second;
}

std::optional<record::Launched> last_launch_shape() {
  if (!last_kernel) return std::nullopt;
  record::Launched shape;
  shape.kernel = last_launch();
  shape.blocks = std::int64_t{last_grid.x} * last_grid.y * last_grid.z;
  shape.block_threads = static_cast<int>(last_block.x * last_block.y * last_block.z);
  shape.dynamic_shared_bytes = static_cast<std::int64_t>(last_shared_bytes);
  return shape;
}

std::size_t most_dynamic_shared_bytes() { return most_shared_bytes; }

bool is_last_grid_in_rows() { return last_kernel && last_grid.y * last_grid.z > 1; }

}  // namespace klab::runner
