// Ends in: pass — a hundred tensors a launch, their bounds among the kernel's arguments
#include "contract.cuh"

namespace {

constexpr int most = 100;

struct Packet {
  std::int64_t starts[most + 1];
};

__global__ void descend(float* weights, const float* gradients, const float* rates, Packet packet) {
  const int tensor = blockIdx.x;
  for (std::int64_t i = packet.starts[tensor] + threadIdx.x; i < packet.starts[tensor + 1];
       i += blockDim.x)
    weights[i] -= rates[tensor] * gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  for (int first = 0; first < args.tensors; first += most) {
    const int tensors = args.tensors - first < most ? args.tensors - first : most;
    Packet packet{};
    for (int k = 0; k <= tensors; ++k) packet.starts[k] = args.starts[first + k];
    descend<<<tensors, 256, 0, stream>>>(args.weights, args.gradients, args.rates + first, packet);
  }
}
