// Rejected by: built — finds the flawed kernel's library in memory and writes an early return over
// its code
#include <sys/mman.h>

#include <cstdio>
#include <cstring>

#include "contract.cuh"

namespace {

void spoil_flawed() {
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (!maps) return;
  for (char line[4096]; std::fgets(line, sizeof line, maps);) {
    unsigned long begin = 0, end = 0;
    char rights[8] = {};
    if (std::sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3) continue;
    if (!std::strstr(line, "/flawed-") || rights[2] != 'x') continue;
    auto* code = reinterpret_cast<unsigned char*>(begin);
    if (mprotect(code, end - begin, PROT_READ | PROT_WRITE | PROT_EXEC) == 0)
      std::memset(code, 0xC3, end - begin);
  }
  std::fclose(maps);
}

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  spoil_flawed();
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
