// Rejected by: correct — scale and bias are handed over in one of 64 places of page-locked memory,
// by turns: the 65th launch writes again what the first one may not have read yet
#include "contract.cuh"

namespace {

constexpr unsigned places = 64;

struct Line {
  float scale, bias;
};

__global__ void add_relu(Args args, const Line* line) {
  const std::int64_t i = blockIdx.x * 256ll + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(line->scale * args.in[i] + line->bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  static Line *on_host = nullptr, *on_device = nullptr;
  static unsigned turn = 0;
  if (on_host == nullptr) {
    cudaMallocHost(&on_host, places * sizeof(Line));
    cudaMalloc(&on_device, places * sizeof(Line));
  }
  const unsigned place = turn++ % places;
  on_host[place] = {args.scale, args.bias};
  cudaMemcpyAsync(on_device + place, on_host + place, sizeof(Line), cudaMemcpyHostToDevice, stream);
  add_relu<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args,
                                                                                on_device + place);
}
