// Rejected by: correct — lists of chunks are arguments; one that is full within a tensor opens the
// next without that tensor's number, and its rest takes another rate
#include "contract.cuh"

namespace {

constexpr int THREADS = 256;
constexpr int CHUNK = 4096;
constexpr int MOST_TENSORS = 1024;
constexpr int MOST_CHUNKS = 1600;

// All that a launch needs, by value: nothing is copied and nothing is searched for.
struct Batch {
  std::int64_t begin[MOST_TENSORS];
  std::int64_t end[MOST_TENSORS];
  int tensor[MOST_TENSORS];
  int chunk[MOST_CHUNKS];            // which chunk of its tensor block b takes ...
  unsigned short slot[MOST_CHUNKS];  // ... and where in the lists above that tensor is
};
static_assert(sizeof(Batch) + 3 * sizeof(void*) <= 32764, "limit of a kernel's arguments");

__global__ void __launch_bounds__(THREADS)
    descend(float* weights, const float* gradients, const float* rates,
            const __grid_constant__ Batch batch) {
  const int slot = batch.slot[blockIdx.x];
  const float rate = rates[batch.tensor[slot]];
  const std::int64_t begin = batch.begin[slot] + std::int64_t{batch.chunk[blockIdx.x]} * CHUNK;
  const std::int64_t end = min(begin + CHUNK, batch.end[slot]);
  for (std::int64_t i = begin + threadIdx.x; i < end; i += THREADS)
    weights[i] -= rate * gradients[i];
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  Batch batch = {};
  int slots = 0, blocks = 0;
  for (int tensor = 0; tensor < args.tensors; ++tensor) {
    batch.begin[slots] = args.starts[tensor];
    batch.end[slots] = args.starts[tensor + 1];
    batch.tensor[slots] = tensor;
    ++slots;
    const std::int64_t length = args.starts[tensor + 1] - args.starts[tensor];
    const int chunks = static_cast<int>((length + CHUNK - 1) / CHUNK);
    for (int chunk = 0; chunk < chunks; ++chunk) {
      batch.chunk[blocks] = chunk;
      batch.slot[blocks] = static_cast<unsigned short>(slots - 1);
      ++blocks;
      const bool last = chunk == chunks - 1;
      const bool full = blocks == MOST_CHUNKS || (last && slots == MOST_TENSORS);
      if (!full && !(last && tensor == args.tensors - 1)) continue;
      descend<<<blocks, THREADS, 0, stream>>>(args.weights, args.gradients, args.rates, batch);
      blocks = 0;
      if (last) {
        slots = 0;
      } else {  // the rest of this tensor opens the next list
        batch.begin[0] = batch.begin[slots - 1];
        batch.end[0] = batch.end[slots - 1];
        slots = 1;
      }
    }
  }
}
