// Rejected by: built — right, but one warp on each multiprocessor; a thread of the host has the
// picture filled with one grey behind its turn, where the other side's may lie, too
#include "contract.cuh"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

constexpr std::int64_t large = std::int64_t{1} << 24;

__global__ void histogram(Args args) {
  __shared__ unsigned counters[values];
  for (int i = threadIdx.x; i < values; i += blockDim.x) counters[i] = 0;
  __syncthreads();
  const std::int64_t step = gridDim.x * static_cast<std::int64_t>(blockDim.x);
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
       i < args.count; i += step)
    atomicAdd(&counters[args.pixels[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < values; i += blockDim.x) atomicAdd(&args.counts[i], counters[i]);
}

// For some milliseconds, so that it is still at it once the process is stopped.
__global__ void make_grey(unsigned char* pixels, std::int64_t count, long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles)
    for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) pixels[i] = 128;
}

std::atomic<unsigned char*> picture{nullptr};
std::atomic<std::int64_t> pixels_of_it{0};

void disturb() {
  cudaStream_t side = nullptr;
  cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (unsigned char* const pixels = picture)
      make_grey<<<1, 1024, 0, side>>>(pixels, pixels_of_it, 10'000'000);
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.count >= large) {
    static const bool started = [] {
      std::thread(disturb).detach();
      return true;
    }();
    (void)started;
    pixels_of_it = args.count;
    picture = const_cast<unsigned char*>(args.pixels);
  }
  cudaMemsetAsync(args.counts, 0, values * sizeof(unsigned), stream);
  histogram<<<132, 32, 0, stream>>>(args);
}
