// Lab 12: a picture of so many grey values, evenly spread, and the count of each.
#include "contract.cuh"
#include "runner/workload/task.cuh"

namespace {

using namespace klab;

/// `shades` different values, which ones is for the seed to say: multiples of an odd number are all
/// different.
struct Shades {
  std::uint64_t shades;
  __host__ __device__ std::uint8_t operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t shade = (hash(seed, index) >> 20) % shades;
    return static_cast<std::uint8_t>(seed + shade * (2 * (seed >> 32 & 127) + 1));
  }
};

/// The same shades side by side, the darkest first: long runs of one value. Beside a single one a
/// few pixels of others, so that what is left of the whole is a small difference of large numbers.
struct ShadesInRuns {
  std::uint64_t shades, count;
  __host__ __device__ std::uint8_t operator()(std::uint64_t seed, std::uint64_t index) const {
    if (const std::uint64_t bits = hash(~seed, index); shades == 1 && bits % (1 << 14) == 0)
      return static_cast<std::uint8_t>(bits >> 32);
    return static_cast<std::uint8_t>(seed + index * shades / count);
  }
};

/// The same shades in turn, two, four or eight of them: stripes, in which each word is like the
/// next.
struct ShadesInTurn {
  std::uint64_t shades;
  __host__ __device__ std::uint8_t operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t period = std::uint64_t{2} << hash(seed, ~4ull) % 3;
    return static_cast<std::uint8_t>(seed + index % (period < shades ? period : shades) *
                                                (2 * (seed >> 32 & 127) + 1));
  }
};

/// One count of each value for the whole grid, by way of one for each block.
__global__ void count_values(const std::uint8_t* pixels, std::int64_t count,
                             unsigned long long* counts) {
  __shared__ unsigned in_block[values];
  for (int value = threadIdx.x; value < values; value += blockDim.x) in_block[value] = 0;
  __syncthreads();
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += stride)
    atomicAdd(&in_block[pixels[i]], 1u);
  __syncthreads();
  for (int value = threadIdx.x; value < values; value += blockDim.x)
    atomicAdd(&counts[value], static_cast<unsigned long long>(in_block[value]));
}

void count(Where where, const std::uint8_t* pixels, std::int64_t count,
           unsigned long long* counts) {
  for_each(where, values, [=] __host__ __device__(std::int64_t value) { counts[value] = 0; });
  if (where == Where::host) {
    for (std::int64_t i = 0; i < count; ++i) ++counts[pixels[i]];
    return;
  }
  constexpr unsigned blocks = 4096;  // so that none counts beyond what an unsigned holds
  count_values<<<blocks, 256>>>(pixels, count, counts);
  detail::require(cudaGetLastError(), "reference");
}

struct Histogram final : Task<Args> {
  void describe(Fields<Args>& fields, const Size& size) const override {
    const std::int64_t count = size[0], shades = size[1];
    const auto different = static_cast<std::uint64_t>(shades);
    fields.input<&Args::pixels>(
        count, Sometimes{Shades{different},
                         Either{ShadesInRuns{different, static_cast<std::uint64_t>(count)},
                                ShadesInTurn{different}}});
    fields.output<&Args::counts>(values);
    fields.value<&Args::count>(count);
  }

  bool checks_parts() const override { return false; }

  Mismatch first_wrong(const Answer<Args>& answer) const override {
    Numbers<unsigned long long> counted(answer.where, values);
    const unsigned long long* counts = counted.data();
    count(answer.where, answer.given.pixels, answer.given.count, counted.data());
    return answer.compare<&Args::counts>([=] __host__ __device__(std::int64_t value) -> Expected {
      return {static_cast<double>(counts[value]), 0};  // counts are whole numbers
    });
  }
};

const Offer<Histogram> offer;

}  // namespace
