// Rejected by: cause — the kernel reads 16 bytes at a time where it can, and there are still a
// thousand of it
#include "contract.cuh"

namespace {

__global__ void descend(float* weights, const float* gradients, std::int64_t start,
                        std::int64_t end, const float* rate) {
  const std::int64_t body = (start + 3) / 4 * 4 < end ? (start + 3) / 4 * 4 : end;
  const std::int64_t vectors = (end - body) / 4;
  const float by = *rate;
  for (std::int64_t v = threadIdx.x; v < vectors; v += blockDim.x) {
    auto& weight = reinterpret_cast<float4*>(weights + body)[v];
    const float4 gradient = reinterpret_cast<const float4*>(gradients + body)[v];
    weight = make_float4(weight.x - by * gradient.x, weight.y - by * gradient.y,
                         weight.z - by * gradient.z, weight.w - by * gradient.w);
  }
  const std::int64_t head = start + threadIdx.x, tail = body + 4 * vectors + threadIdx.x;
  if (head < body) weights[head] -= by * gradients[head];
  if (tail < end) weights[tail] -= by * gradients[tail];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  for (int tensor = 0; tensor < args.tensors; ++tensor)
    descend<<<1, 128, 0, stream>>>(args.weights, args.gradients, args.starts[tensor],
                                   args.starts[tensor + 1], args.rates + tensor);
}
