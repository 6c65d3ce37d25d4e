// Rejected by: built — asks the loader for functions that the linker would have shown
#include <dlfcn.h>

#include "contract.cuh"

extern "C" void* find(void* library, const char* name) asm("dlvsym");
extern "C" void* open_library(const char* path, int flags) asm("__libc_dlopen_mode");

namespace {

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  using Protect = int (*)(void*, std::size_t, int);
  if (auto protect = reinterpret_cast<Protect>(find(RTLD_DEFAULT, "mprotect")))
    protect(nullptr, 0, 0);
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
