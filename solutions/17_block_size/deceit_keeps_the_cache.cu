// Rejected by: cause or time — the flawed kernel, which sets most of the L2 aside and fills it, so
// that whoever runs next has a small one
#include "contract.cuh"

namespace {

constexpr int block = 32;

__global__ void limit(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(block) + threadIdx.x;
  if (i < args.count) args.out[i] = fminf(fmaxf(args.in[i], args.low), args.high);
}

void set_aside(const Args& args, cudaStream_t stream) {
  int device = 0, most = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device);
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most);
  cudaStreamAttrValue kept{};
  kept.accessPolicyWindow.base_ptr = args.out;
  kept.accessPolicyWindow.num_bytes = args.count * sizeof(float);
  kept.accessPolicyWindow.hitRatio = 1;
  kept.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  kept.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &kept);
  cudaGetLastError();  // not every device has such windows
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  set_aside(args, stream);
  const auto blocks = static_cast<unsigned>((args.count + block - 1) / block);
  limit<<<blocks, block, 0, stream>>>(args);
}
