// The order in which warps and blocks get their turns.
#include <algorithm>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace warp_turns_tests {
namespace {

constexpr const char* source = R"(
__global__ void in_which_order(unsigned* tickets) {
  if (threadIdx.x % 32 == 0) tickets[threadIdx.x / 32] = atomicInc(tickets + 4, 3u);
}
__global__ void wait_for_the_first(unsigned* words) {
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(&flag, 7u);
  while (atomicAdd(&flag, 0u) == 0) {}
  words[threadIdx.x / 32] = flag;
}
// Fences make it none the better.
__global__ void count_by_volatile(unsigned* words) {
  __shared__ volatile unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    count = count + 1;
    __threadfence_block();
  }
  __syncthreads();
  words[threadIdx.x / 32] = count;
}
__global__ void count_under_a_lock(unsigned* words) {
  __shared__ volatile unsigned count;
  __shared__ unsigned lock;
  if (threadIdx.x == 0) count = lock = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(&lock, 0u, 1u) != 0) {}
    count = count + 1;
    __threadfence_block();
    atomicExch(&lock, 0u);
  }
  __syncthreads();
  words[threadIdx.x / 32] = count;
}
// Of each warp, how many had added by the time that it looks again.
__global__ void add_and_look(unsigned* words) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    atomicAdd(words + 4, atomicAdd(&count, 1u));  // so that its result is used
    words[threadIdx.x / 32] = *static_cast<volatile unsigned*>(&count);
  }
}
__global__ void take_by_volatile(unsigned* words) {
  volatile unsigned* next = words;
  if (threadIdx.x == 0) {
    const unsigned mine = *next;
    __threadfence();
    *next = mine + 1;
  }
}
__global__ void take_by_atomic(unsigned* words) {
  if (threadIdx.x == 0) atomicAdd(words + 1 + atomicAdd(words, 1u), 1u);
}
// A barrier of the grid, made of a counter.
__global__ void meet_all(unsigned* words) {
  if (threadIdx.x != 0) return;
  atomicAdd(words, 1u);
  while (atomicAdd(words, 0u) < gridDim.x) {}
  atomicAdd(words + 1, 1u);
}
)";

}  // namespace

TEST_CASE("the last warp of a block gets the first turn where that is asked for",
          "[simulator][execute]") {
  Loaded loaded(ptx_of(source));
  const std::uint64_t words = loaded.zeros<std::uint32_t>(5);
  const auto run = [&](const char* kernel, bool in_reverse) {
    const LaunchResult result = loaded.launch(kernel, {1, 1, 1}, {128, 1, 1}, arguments(words),
                                              {.warps_in_reverse = in_reverse});
    CHECK_FALSE(result.fault);
    return loaded.download<std::uint32_t>(words, 4);
  };
  CHECK(run("in_which_order", false) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(run("in_which_order", true) == std::vector<std::uint32_t>{3, 2, 1, 0});
  // Who waits in a loop is right in either.
  CHECK(run("wait_for_the_first", true) == std::vector<std::uint32_t>(4, 7));
  // Others count between a load and the store that belongs to it, unless something keeps them off.
  CHECK(run("count_by_volatile", false) == std::vector<std::uint32_t>(4, 4));
  CHECK(run("count_by_volatile", true) == std::vector<std::uint32_t>(4, 1));
  CHECK(run("count_under_a_lock", true) == std::vector<std::uint32_t>(4, 4));
  std::vector<std::uint32_t> alone = run("add_and_look", false);
  std::sort(alone.begin(), alone.end());
  CHECK(alone == std::vector<std::uint32_t>{1, 2, 3, 4});
  CHECK(run("add_and_look", true) == std::vector<std::uint32_t>(4, 4));
}

TEST_CASE(
    "blocks come between what another one loads and what it makes of it where that is asked for",
    "[simulator][execute]") {
  Loaded loaded(ptx_of(source));
  const auto run = [&](const char* kernel, bool in_reverse) {
    const std::uint64_t words = loaded.zeros<std::uint32_t>(5);
    const LaunchResult result = loaded.launch(kernel, {4, 1, 1}, {64, 1, 1}, arguments(words),
                                              {.warps_in_reverse = in_reverse});
    CHECK_FALSE(result.fault);
    return loaded.download<std::uint32_t>(words, 5);
  };
  CHECK(run("take_by_volatile", true)[0] < 4);
  CHECK(run("take_by_atomic", true) == std::vector<std::uint32_t>{4, 1, 1, 1, 1});
  CHECK(run("meet_all", true)[1] == 4);
}

}  // namespace warp_turns_tests
