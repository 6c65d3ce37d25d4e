// Rejected by: same work or time — the picture is sent to the host, which counts, and the counts
// are sent back: the device has no atomics to wait for, and nothing else to do
#include "contract.cuh"

#include <memory>

void launch(const Args& args, cudaStream_t stream) {
  const auto count = static_cast<std::size_t>(args.count);
  const std::unique_ptr<std::uint8_t[]> pixels(new std::uint8_t[count]);
  cudaMemcpyAsync(pixels.get(), args.pixels, count, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  unsigned counts[values] = {};
  for (std::size_t i = 0; i < count; ++i) ++counts[pixels[i]];
  cudaMemcpyAsync(args.counts, counts, sizeof(counts), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
}
