// Rejected by: cause — the room is allocated once per call, but the few bytes in which the
// thermostat sees are registered and given back in each step
#include <cstdlib>

#include "contract.cuh"

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, float share,
                       std::int64_t probe, float* seen) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  const float now = own + share * (left + right - 2 * own);
  to[i] = now;
  if (seen != nullptr && i == probe) *seen = now;
}

struct Seen {
  float* host = nullptr;
  float* device = nullptr;
  Seen() {
    host = static_cast<float*>(std::malloc(sizeof(float)));
    cudaHostRegister(host, sizeof(float), cudaHostRegisterMapped);
    cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), host, 0);
  }
  ~Seen() {
    cudaHostUnregister(host);
    std::free(host);
  }
};

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  float* between = nullptr;
  cudaMallocAsync(&between, static_cast<std::size_t>(args.cells) * sizeof(float), stream);
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    const Seen seen;
    spread<<<blocks, 256, 0, stream>>>(args.state, between, args.cells, share, 0, nullptr);
    spread<<<blocks, 256, 0, stream>>>(between, args.state, args.cells, share, args.probe,
                                       seen.device);
    cudaStreamSynchronize(stream);
    args.history[step] = *seen.host;
    share = share_after(*seen.host);
  }
  cudaFreeAsync(between, stream);
}
