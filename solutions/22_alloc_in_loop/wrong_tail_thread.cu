// Rejected by: correct — up to three cells behind the last four belong to a thread that is not
// there where those come in whole blocks
#include "contract.cuh"

#include <algorithm>

namespace {

constexpr int block = 192;  // ten of them fill the 2,048 threads of a multiprocessor best

float* room = nullptr;
std::int64_t room_cells = 0;

__device__ float spread(float left, float own, float right, float share) {
  return own + share * (left + right - 2 * own);
}

__global__ void spread4(const float* __restrict__ from, float* __restrict__ to, std::int64_t cells,
                        float share) {
  const std::int64_t q = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  const std::int64_t quads = cells / 4;
  if (q < quads) {
    const float4 own = reinterpret_cast<const float4*>(from)[q];
    const float left = from[q == 0 ? cells - 1 : 4 * q - 1];
    const float right = from[4 * q + 4 == cells ? 0 : 4 * q + 4];
    float4 next;
    next.x = spread(left, own.x, own.y, share);
    next.y = spread(own.x, own.y, own.z, share);
    next.z = spread(own.y, own.z, own.w, share);
    next.w = spread(own.z, own.w, right, share);
    reinterpret_cast<float4*>(to)[q] = next;
  } else if (q == quads) {
    for (std::int64_t i = 4 * quads; i < cells; ++i) {
      const float left = from[i == 0 ? cells - 1 : i - 1];
      const float right = from[i == cells - 1 ? 0 : i + 1];
      to[i] = spread(left, from[i], right, share);
    }
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.cells > room_cells) {
    cudaFree(room);
    cudaMalloc(&room, args.cells * sizeof(float));
    room_cells = args.cells;
  }
  // At least one block: a ring of 1 to 3 cells has no whole float4.
  const auto blocks =
      static_cast<unsigned>(std::max<std::int64_t>(1, (args.cells / 4 + block - 1) / block));
  float share = first_share;
  for (int step = 0; step < args.steps; ++step) {
    spread4<<<blocks, block, 0, stream>>>(args.state, room, args.cells, share);
    spread4<<<blocks, block, 0, stream>>>(room, args.state, args.cells, share);
    cudaMemcpyAsync(&args.history[step], &args.state[args.probe], sizeof(float),
                    cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    share = share_after(args.history[step]);
  }
}
