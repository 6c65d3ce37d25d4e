// Blocks that hand over by fences, atomic operations and flags: what is right draws no finding, and
// what is told too early does.
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace block_order_tests {
namespace {

// Each is launched with 6 blocks of 64 threads; memory begins as zeros. `words` is for tickets and
// flags, `data` has an element for each thread of the grid, `out` too.
constexpr const char* source = R"(
#include <cooperative_groups.h>
#include <cuda/atomic>
#define KERNEL(name) __global__ void name(int* data, int* out, unsigned* words)
__device__ int mine() { return blockIdx.x * blockDim.x + threadIdx.x; }
#define FIRST if (threadIdx.x == 0)

// ---- the last block adds up: how the others tell that they are done ----
template <class Tell> __device__ void last_adds_up(int* data, int* out, Tell tell) {
  __shared__ bool last;
  data[mine()] = threadIdx.x;
  tell(&last);
  __syncthreads();
  if (!last) return;
  int sum = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x * blockDim.x; i += blockDim.x) sum += data[i];
  out[threadIdx.x] = sum;
}
__device__ bool ticket(unsigned* words) { return atomicAdd(words, 1u) == gridDim.x - 1; }
KERNEL(fence_of_each) { last_adds_up(data, out, [&](bool* last) { __threadfence(); __syncthreads(); FIRST *last = ticket(words); }); }
KERNEL(fence_behind_the_barrier) { last_adds_up(data, out, [&](bool* last) { __syncthreads(); FIRST { __threadfence(); *last = ticket(words); } }); }
KERNEL(fence_by_another) { last_adds_up(data, out, [&](bool* last) { __syncthreads(); if (threadIdx.x == 40) __threadfence(); __syncthreads(); FIRST *last = ticket(words); }); }
KERNEL(acq_rel) {
  last_adds_up(data, out, [&](bool* last) {
    __syncthreads();
    FIRST *last = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*words).fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  });
}
KERNEL(own_ticket_of_each) {
  __shared__ bool last;
  FIRST last = false;
  __syncthreads();
  data[mine()] = 1;
  __threadfence();
  if (atomicAdd(words, 1u) == gridDim.x * blockDim.x - 1) last = true;
  __syncthreads();
  if (last) for (unsigned i = 0; i < gridDim.x; ++i) out[threadIdx.x] += data[i * blockDim.x + threadIdx.x];
}
KERNEL(fence_behind_the_ticket) { last_adds_up(data, out, [&](bool* last) { __syncthreads(); FIRST { *last = ticket(words); __threadfence(); } }); }
KERNEL(fence_of_one) { last_adds_up(data, out, [&](bool* last) { FIRST { __threadfence(); *last = ticket(words); } }); }
KERNEL(fence_on_one_path) {
  last_adds_up(data, out, [&](bool* last) { __syncthreads(); FIRST { if (blockIdx.x % 2 == 0) __threadfence(); *last = ticket(words); } });
}
KERNEL(fence_of_the_block) { last_adds_up(data, out, [&](bool* last) { if (words == 0) __threadfence(); __threadfence_block(); __syncthreads(); FIRST *last = ticket(words); }); }
KERNEL(relaxed) {
  last_adds_up(data, out, [&](bool* last) {
    __syncthreads();
    FIRST *last = cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*words).fetch_add(1, cuda::memory_order_relaxed) == gridDim.x - 1;
  });
}
KERNEL(ticket_before_the_others_wrote) { last_adds_up(data, out, [&](bool* last) { __threadfence(); FIRST *last = ticket(words); }); }
KERNEL(fence_in_front_of_the_write) {
  __threadfence();
  last_adds_up(data, out, [&](bool* last) { __syncthreads(); FIRST *last = ticket(words); });
}
// As in NVIDIA's guide: partial sums that are volatile, and a counter for the next launch.
KERNEL(volatile_parts) {
  volatile int* parts = data;
  __shared__ bool last;
  FIRST {
    parts[blockIdx.x] = blockIdx.x;
    __threadfence();
    last = atomicInc(words, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  FIRST { int sum = 0; for (unsigned i = 0; i < gridDim.x; ++i) sum += parts[i]; out[0] = sum; *words = 0; }
}

// ---- block after block ----
template <class Wait, class Tell> __device__ void chain(int* data, int* out, Wait wait, Tell tell) {
  if (blockIdx.x > 0) { FIRST wait(blockIdx.x - 1); __syncthreads(); out[mine()] = data[mine() - blockDim.x]; }
  data[mine()] = threadIdx.x + (blockIdx.x > 0 ? out[mine()] : 0);
  tell(blockIdx.x);
}
KERNEL(volatile_flags) {
  volatile unsigned* flags = words;
  chain(data, out, [&](int b) { while (flags[b] == 0) {} }, [&](int b) { __threadfence(); __syncthreads(); FIRST flags[b] = 1; });
}
KERNEL(plain_flags) {
  volatile unsigned* flags = words;
  chain(data, out, [&](int b) { while (flags[b] == 0) {} }, [&](int b) { __syncthreads(); FIRST { __threadfence(); words[b] = 1; } });
}
KERNEL(flags_past_the_cache) {
  chain(data, out, [&](int b) { while (__ldcg(words + b) == 0) {} }, [&](int b) { __syncthreads(); FIRST { __threadfence(); __stcg(words + b, 1u); } });
}
KERNEL(released_flags) {
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  chain(data, out, [&](int b) { while (Flag(words[b]).load(cuda::memory_order_acquire) == 0) {} },
        [&](int b) { __syncthreads(); FIRST Flag(words[b]).store(1, cuda::memory_order_release); });
}
KERNEL(flag_before_the_fence) {
  volatile unsigned* flags = words;
  chain(data, out, [&](int b) { while (flags[b] == 0) {} }, [&](int b) { __syncthreads(); FIRST { flags[b] = 1; __threadfence(); } });
}
KERNEL(flag_of_another) {
  volatile unsigned* flags = words;
  chain(data, out, [&](int b) { if (b > 0) while (flags[b - 1] == 0) {} }, [&](int b) { __threadfence(); __syncthreads(); FIRST flags[b] = 1; });
}
KERNEL(told_by_way_of_others) {  // the first block's element goes to all
  volatile unsigned* flags = words;
  if (blockIdx.x > 0) { FIRST while (flags[blockIdx.x - 1] == 0) {} __syncthreads(); }
  if (blockIdx.x == 0) data[threadIdx.x] = 7; else out[mine()] = data[threadIdx.x];
  __threadfence();
  __syncthreads();
  FIRST flags[blockIdx.x] = 1;
}
// Sums of all before, by words that hold a sum and whether it is there.
KERNEL(look_back) {
  volatile unsigned* sums = words;
  FIRST {
    unsigned before = 0;
    if (blockIdx.x > 0) do before = sums[blockIdx.x - 1]; while (before == 0);
    sums[blockIdx.x] = before + 5;
    out[blockIdx.x] = before;
  }
}

// The same in two states, with the numbers beside them: a block's own sum, and that of all up to it.
KERNEL(look_back_in_two_states) {
  volatile unsigned* states = words;
  int *own = data, *all = data + gridDim.x;
  FIRST {
    own[blockIdx.x] = 3;
    __threadfence();
    states[blockIdx.x] = 1;
    int before = 0;
    for (int b = blockIdx.x - 1; b >= 0; --b) {
      unsigned state;
      do state = states[b]; while (state == 0);
      __threadfence();
      before += state == 2 ? all[b] : own[b];
      if (state == 2) break;
    }
    all[blockIdx.x] = before + 3;
    __threadfence();
    states[blockIdx.x] = 2;
    out[blockIdx.x] = before;
  }
}
// Half of the blocks make, the others take in the order of a counter.
KERNEL(queue) {
  using Ready = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  const unsigned makers = gridDim.x / 2, items = 24;
  if (threadIdx.x > 0) return;
  if (blockIdx.x < makers)
    for (unsigned i = blockIdx.x; i < items; i += makers) { data[i] = i; Ready(words[i + 1]).store(1, cuda::memory_order_release); }
  else
    for (unsigned i; (i = atomicAdd(words, 1u)) < items; out[i] = data[i]) while (Ready(words[i + 1]).load(cuda::memory_order_acquire) == 0) {}
}

// ---- one at a time ----
template <class Unlock> __device__ void add_one(int* data, unsigned* words, Unlock unlock) {
  FIRST {
    while (atomicCAS(words, 0u, 1u) != 0) {}
    __threadfence();
    data[0] += 1;
    unlock();
    atomicExch(words, 0u);
  }
}
// Paths to a root, halved on the way: whoever comes later finds the old parent or the new one.
KERNEL(paths_halved) {
  volatile int* parent = data;
  int x = mine() / 4;
  for (int at; (at = parent[x]) != x;) {
    const int above = parent[at];
    if (above != at) parent[x] = above;
    x = at;
  }
  out[mine()] = x;
  __threadfence();
}
KERNEL(lock) { add_one(data, words, [] { __threadfence(); }); }
KERNEL(lock_without_fence) { add_one(data, words, [] {}); }

// ---- all meet: by a counter, by cooperative groups; each reads another block's, then writes ----
template <class Meet> __device__ void shift(int* data, int* out, Meet meet) {
  for (int round = 1; round <= 3; ++round) {
    const int value = data[(mine() + blockDim.x) % (gridDim.x * blockDim.x)];
    meet(2 * round - 1);
    data[mine()] = value + 1;
    meet(2 * round);
  }
}
__device__ void meet(unsigned* words, unsigned times) {
  __syncthreads();
  FIRST { __threadfence(); atomicAdd(words, 1u); while (atomicAdd(words, 0u) < times * gridDim.x) {} __threadfence(); }
  __syncthreads();
}
KERNEL(counted) { shift(data, out, [&](int times) { meet(words, times); }); }
KERNEL(grid_barrier) { shift(data, out, [&](int) { cooperative_groups::this_grid().sync(); }); }
template <class Meet> __device__ void sum(int* data, int* out, Meet meet) {
  for (int round = 1; round <= 3; ++round) {
    if (mine() == 0) *data = 0;
    meet(3 * round - 2);
    atomicAdd(data, 1);
    meet(3 * round - 1);
    FIRST out[blockIdx.x] = *data;
    meet(3 * round);
  }
}
KERNEL(sum_behind_zero) { sum(data, out, [&](int) { cooperative_groups::this_grid().sync(); }); }
// Without a fence between the sum and the ticket: no hardware is known where that goes wrong.
KERNEL(last_takes_the_sum) {
  FIRST {
    atomicAdd(data, 1);
    if (ticket(words)) { out[0] = *data; *data = 0; __threadfence(); }
  }
}
KERNEL(plain_unlock) {
  for (int k = 0; k < 2; ++k) {
    FIRST {
      while (atomicCAS(words, 0u, 1u) != 0) {}
      __threadfence();
      data[0] += 1;
      __threadfence();
      if (k == 0) atomicExch(words, 0u); else *words = 0;
    }
  }
}
KERNEL(zeroed_behind_others) {
  if (blockIdx.x > 0) {
    FIRST *(volatile unsigned*)words = 1;
    __syncthreads();
    FIRST atomicAdd(data, 1);
  } else {
    FIRST { while (*(volatile unsigned*)words == 0) {} __threadfence(); *data = 0; }
  }
}
KERNEL(read_before_others_add) { FIRST atomicAdd(data, 1); if (mine() == 0) out[0] = *data; cooperative_groups::this_grid().sync(); }
KERNEL(last_block_reads_the_sum) {
  FIRST atomicAdd(data, 1);
  if (blockIdx.x + 1 == gridDim.x) out[threadIdx.x] = *data;
  cooperative_groups::this_grid().sync();
}
KERNEL(looks_before_it_lifts) {  // what it misses is one more atomic operation
  if (*data < static_cast<int>(threadIdx.x)) atomicMax(data, static_cast<int>(threadIdx.x));
  if (data[1] == 0) atomicExch(data + 1, 1);
  cooperative_groups::this_grid().sync();
  out[mine()] = data[0] + data[1];
}
KERNEL(sum_while_zeroed) { sum(data, out, [&](int times) { if (times % 3 != 1) cooperative_groups::this_grid().sync(); }); }
KERNEL(meets_once) { shift(data, out, [&](int times) { if (times % 2 == 0) meet(words, times / 2); }); }
KERNEL(counts_without_fence) {
  shift(data, out, [&](int times) {
    __syncthreads();
    FIRST { atomicAdd(words, 1u); while (atomicAdd(words, 0u) < times * gridDim.x) {} __threadfence(); }
    __syncthreads();
  });
}
)";

LaunchResult run(const std::string& kernel) {
  static const auto ptx = compile_to_ptx(source);
  if (!ptx) SKIP("no nvcc");
  Loaded loaded(*ptx, 2);
  const auto data = loaded.zeros<int>(6 * 64), out = loaded.zeros<int>(6 * 64),
             words = loaded.zeros<int>(64);
  const Parameters parameters = arguments(data, out, words);
  const LaunchConfig config{
      .grid = {6}, .block = {64}, .cooperative = true, .parameters = parameters.span()};
  // Names of others begin alike.
  Kernel& which = loaded.kernel(std::to_string(kernel.size()) + kernel);
  return loaded.device.launch(which, config,
                              {.instruction_budget = 3'000'000, .checks = Checks::full});
}

}  // namespace

TEST_CASE("What a block tells behind its fence others may use", "[simulator][checker][order]") {
  for (const char* kernel : {"fence_of_each",
                             "fence_behind_the_barrier",
                             "fence_by_another",
                             "acq_rel",
                             "own_ticket_of_each",
                             "volatile_parts",
                             "volatile_flags",
                             "plain_flags",
                             "flags_past_the_cache",
                             "released_flags",
                             "told_by_way_of_others",
                             "look_back",
                             "look_back_in_two_states",
                             "queue",
                             "paths_halved",
                             "lock",
                             "counted",
                             "grid_barrier",
                             "sum_behind_zero",
                             "looks_before_it_lifts",
                             "last_takes_the_sum",
                             "plain_unlock"}) {
    INFO(kernel);
    const LaunchResult result = run(kernel);
    if (result.fault) FAIL_CHECK(result.fault->message);
    for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  }
}

TEST_CASE("A fence behind what tells, on one path, or of the wrong thread is found",
          "[simulator][checker][order]") {
  const char* kernel =
      GENERATE("fence_behind_the_ticket", "fence_of_one", "fence_on_one_path", "fence_of_the_block",
               "relaxed", "ticket_before_the_others_wrote", "fence_in_front_of_the_write",
               "flag_before_the_fence", "flag_of_another", "lock_without_fence", "meets_once",
               "counts_without_fence", "sum_while_zeroed", "zeroed_behind_others",
               "read_before_others_add", "last_block_reads_the_sum");
  INFO(kernel);
  const LaunchResult result = run(kernel);
  if (result.fault) FAIL_CHECK(result.fault->message);
  REQUIRE_FALSE(result.findings.empty());
  const Finding& finding = result.findings.front();
  CHECK(finding.kind == FindingKind::block_race);
  CHECK_THAT(finding.message, ContainsSubstring("nothing puts the one before the other"));
  CHECK(finding.where.line > 0);
}

#undef KERNEL
#undef FIRST

}  // namespace block_order_tests
