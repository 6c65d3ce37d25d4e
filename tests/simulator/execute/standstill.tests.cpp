// Kernels whose threads wait for what none of them will do, and kernels that only wait long.
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <future>
#include <thread>

#include "simulator/base/own_threads.hpp"
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace standstill_tests {
namespace {

// Lines count from the one that is empty.
constexpr const char* source = R"(
#include <cuda/barrier>
#define KERNEL(name) __global__ void name(unsigned* words)
KERNEL(counts_too_many) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, blockDim.x + 1);
  __syncthreads();
  barrier.arrive_and_wait();  // line 8
}
KERNEL(one_block_stays_away) {
  if (blockIdx.x == 0) return;
  if (threadIdx.x == 0) {
    atomicAdd(words, 1u);
    while (atomicAdd(words, 0u) < gridDim.x) __nanosleep(100);  // line 14
  }
  __syncthreads();  // line 16
}
KERNEL(all_blocks_meet) {
  if (threadIdx.x == 0) {
    atomicAdd(words, 1u);
    while (atomicAdd(words, 0u) < gridDim.x) {}
  }
  __syncthreads();
}
KERNEL(flag_that_nobody_sets) {
  while (*(volatile unsigned*)words == 0) words[1 + threadIdx.x] = 5;  // line 26
}
KERNEL(waits_for_a_time) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    __nanosleep(1000);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < 100'000'000'000ull);
  words[threadIdx.x] = 1;
}
KERNEL(notes_the_time) {
  unsigned long long* times = (unsigned long long*)words;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[0]));
  for (int i = 0; i < 1000; ++i) ((volatile unsigned*)words)[4] = i;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[1]));
}
KERNEL(counts_its_looks) {
  unsigned looks = 0;
  while (*(volatile unsigned*)words == 0 && looks < 100'000'000) ++looks;
  words[1] = looks;
}
KERNEL(changes_memory) {
  if (threadIdx.x == 0) while (*(volatile unsigned*)words < 100'000'000) *(volatile unsigned*)words += 1;
}
KERNEL(reads_a_word_often) {
  unsigned sum = 0;
  for (unsigned i = 0; i < words[1]; ++i) sum += *(volatile unsigned*)words;
  if (sum != 0) words[2] = sum;
}
)";

struct Shape {
  std::uint32_t blocks = 3, threads = 64;
};

LaunchResult run(const char* name, const std::string& options = "-lineinfo",
                 const Limits& limits = {.instruction_budget = 1'000'000},
                 const Shape& shape = {}) {
  const auto ptx = compile_to_ptx(source, options);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx, 2);
  const auto words = device.zeros<unsigned>(1024);
  return device.launch(name, {shape.blocks}, {shape.threads}, arguments(words), limits);
}

void is_deadlock(const LaunchResult& result, const std::string& where) {
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::barrier_deadlock);
  CHECK_THAT(result.fault->message, ContainsSubstring("in a deadlock") && ContainsSubstring(where));
}

}  // namespace

TEST_CASE("Memory of the host puts the look off only while the program has other threads",
          "[simulator][deadlock]") {
  const auto ptx = compile_to_ptx(source, "-lineinfo");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx, 2);
  const auto words = device.zeros<unsigned>(1024);
  REQUIRE(device.device.memory().allocate(4096, MemoryKind::pinned));
  const LaunchResult result = device.launch("counts_too_many", {3}, {64}, arguments(words),
                                            {.instruction_budget = 4'000'000'000});
  is_deadlock(result, "192 threads of 3 blocks at ");
  CHECK_THAT(result.fault->message, !ContainsSubstring("budget"));
}

TEST_CASE("Who is in a call and its helpers are all threads until the program starts another",
          "[simulator][deadlock]") {
  std::promise<void> end;
  const unsigned alone = own_threads(1);
  REQUIRE(are_all_threads(alone));
  std::thread other([over = end.get_future()] { over.wait(); });
  CHECK_FALSE(are_all_threads(alone));
  CHECK(are_all_threads(own_threads(2)));
  end.set_value();
  other.join();
}

TEST_CASE("Threads that poll for what none of them will do are a deadlock, with where each waits",
          "[simulator][deadlock]") {
  for (const char* options : {"-lineinfo", "-lineinfo -Xcicc -O0"}) {
    INFO(options);
    const LaunchResult barrier = run("counts_too_many", options);
    is_deadlock(barrier, "192 threads of 3 blocks at ");
    CHECK_THAT(barrier.fault->message, ContainsSubstring(".cu line 8"));
    const LaunchResult grid = run("one_block_stays_away", options);
    is_deadlock(grid, "2 threads of 2 blocks at ");
    CHECK_THAT(grid.fault->message, ContainsSubstring(" line 14") &&
                                        ContainsSubstring(" line 16") &&
                                        ContainsSubstring("126 threads of 2 blocks at ") &&
                                        ContainsSubstring("1 block has ended"));
    is_deadlock(run("flag_that_nobody_sets", options), " line 26");
  }
}

TEST_CASE("Blocks that wait for those that find no room before they end are in a deadlock",
          "[simulator][deadlock]") {
  // A multiprocessor holds two blocks of 1,024 threads.
  const Shape larger{.blocks = 2 * Device::limits().multiprocessors + 1, .threads = 1024};
  const LaunchResult waiting =
      run("all_blocks_meet", "-lineinfo", {.instruction_budget = 20'000'000}, larger);
  is_deadlock(waiting, " line 21");
  CHECK_THAT(waiting.fault->message, ContainsSubstring("1 cannot begin before one ends"));
}

TEST_CASE("Who waits for a time goes on when it has come", "[simulator][deadlock]") {
  Limits limits{.instruction_budget = 1'000'000};
  if (GENERATE(false, true)) limits.counted_from = 1;
  const LaunchResult result = run("waits_for_a_time", "-lineinfo", limits);
  if (result.fault) FAIL(result.fault->message);
}

TEST_CASE("Where time is counted, the global timer shows what a warp has executed",
          "[simulator][deadlock]") {
  const auto ptx = compile_to_ptx(source, "");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx, 2);
  const auto words = device.zeros<unsigned>(1024);
  Limits limits;
  limits.counted_from = 1'000'000'000'000;
  const LaunchResult result = device.launch("notes_the_time", {1}, {1}, arguments(words), limits);
  if (result.fault) FAIL(result.fault->message);
  const auto noted = device.download<std::uint64_t>(words, 2);
  CHECK(noted[0] >= limits.counted_from);
  CHECK(noted[1] - noted[0] >= 1000);
  CHECK(noted[1] - noted[0] < 100'000);
}

TEST_CASE("A loop that counts, or changes memory, is long and no deadlock",
          "[simulator][deadlock]") {
  for (const char* kernel : {"counts_its_looks", "changes_memory"}) {
    INFO(kernel);
    const LaunchResult result = run(kernel);
    REQUIRE(result.fault);
    CHECK(result.fault->code == FaultCode::budget_exhausted);
  }
}

TEST_CASE("A block that waits for others is in no deadlock where those were left out",
          "[simulator][deadlock]") {
  const LaunchResult part =
      run("all_blocks_meet", "-lineinfo", {.instruction_budget = 1'000'000, .blocks_in_part = 1});
  REQUIRE(part.fault);
  CHECK(part.fault->code == FaultCode::budget_exhausted);
  CHECK_FALSE(run("all_blocks_meet").fault);
}

TEST_CASE("Many blocks that wait for each other come soon, and look seldom",
          "[simulator][limits]") {
  const auto ptx = compile_to_ptx(source, "-lineinfo");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx, 1);
  const auto words = device.zeros<unsigned>(1);
  const LaunchResult result = device.launch("all_blocks_meet", {500}, {64}, arguments(words),
                                            {.instruction_budget = 5'000'000});
  if (result.fault) FAIL(result.fault->message);
}

TEST_CASE("Blocks that met before do not fit where there are too many; those that look often do",
          "[simulator][deadlock]") {
  const auto ptx = compile_to_ptx(source, "-lineinfo");
  if (!ptx) SKIP("no nvcc");
  // Of 1,024 threads, 264 blocks are there at once.
  const auto findings_behind_few = [&](const char* kernel) {
    Loaded device(*ptx, 1);
    for (const unsigned blocks : {20u, 300u}) {
      const auto words = device.upload(std::vector<unsigned>{0, blocks == 20 ? 5'000u : 5u, 0});
      const LaunchResult result = device.launch(kernel, {blocks}, {1024}, arguments(words),
                                                {.instruction_budget = 50'000'000});
      if (blocks == 300 || result.fault) return result.findings;
    }
    return std::vector<Finding>{};
  };
  const auto met = findings_behind_few("all_blocks_meet");
  REQUIRE(met.size() == 1);
  CHECK(met[0].kind == FindingKind::grid_deadlock);
  CHECK(findings_behind_few("reads_a_word_often").empty());
}

#undef KERNEL

}  // namespace standstill_tests
