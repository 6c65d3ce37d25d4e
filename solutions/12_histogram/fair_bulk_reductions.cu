// Ends in: pass — eight lanes each add a set of counters to the result by a bulk reduction
#include "contract.cuh"
namespace {
constexpr int block = 1024;
__global__ void __launch_bounds__(block) histogram(Args args) {
  __shared__ alignas(16) unsigned mine[8][values];
  for (int i = threadIdx.x; i < 8 * values; i += block) (&mine[0][0])[i] = 0;
  __syncthreads();
  unsigned* counters = mine[threadIdx.x % 8];
  const std::int64_t vectors = args.count / 16, all = gridDim.x * static_cast<std::int64_t>(block);
  const std::int64_t me = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  for (std::int64_t v = me; v < vectors; v += all) {
    const uint4 p = __ldg(reinterpret_cast<const uint4*>(args.pixels) + v);
    for (const unsigned word : {p.x, p.y, p.z, p.w})
      for (int k = 0; k < 32; k += 8) atomicAdd(&counters[word >> k & 255], 1u);
  }
  if (16 * vectors + me < args.count) atomicAdd(&counters[args.pixels[16 * vectors + me]], 1u);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x < 8) {
    const auto from = static_cast<unsigned>(__cvta_generic_to_shared(mine[threadIdx.x]));
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(
                     args.counts),
                 "r"(from), "r"(values * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
  }
}
}  // namespace
void launch(const Args& args, cudaStream_t stream) {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const std::int64_t needed = (args.count / 16 + block - 1) / block + 1;
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<static_cast<unsigned>(needed < 2 * sms ? needed : 2 * sms), block, 0, stream>>>(args);
}
