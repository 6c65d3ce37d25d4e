// Rejected by: correct — every cell's place has 64 bits but that of the probe
#include "contract.cuh"

namespace {

__global__ void spread(const float* from, float* to, std::int64_t cells, float share) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= cells) return;
  const float own = from[i];
  const float left = from[i == 0 ? cells - 1 : i - 1];
  const float right = from[i == cells - 1 ? 0 : i + 1];
  to[i] = own + share * (left + right - 2 * own);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static float* between = nullptr;
  static std::int64_t room = 0;
  if (room < args.cells) {
    cudaFree(between);
    cudaMalloc(&between, args.cells * sizeof(float));
    room = args.cells;
  }
  const auto blocks = static_cast<unsigned>((args.cells + 255) / 256);
  const int probe = static_cast<int>(args.probe);
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    spread<<<blocks, 256, 0, stream>>>(args.state, between, args.cells, share);
    spread<<<blocks, 256, 0, stream>>>(between, args.state, args.cells, share);
    cudaMemcpyAsync(&args.history[step], &args.state[probe], sizeof(float), cudaMemcpyDeviceToHost,
                    stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
}
