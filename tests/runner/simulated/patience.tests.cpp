// A kernel that is only slow is none that never ends.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/wire/runner_client.hpp"
#include "support/temporary_folder.hpp"
#include "support/verifying.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The phase verify of a kernel of lab 02, a right one if nothing else is said.
PhaseOutcome verified(double patience_s, std::vector<Size> sizes = {},
                      std::optional<std::uint64_t> budget = {},
                      const std::filesystem::path& source = {}) {
  return test::verified("02_coalescing", source,
                        {.sizes = std::move(sizes),
                         .huge = {{70'000'001, 1}},
                         .instruction_budget = budget,
                         .patience_s = patience_s});
}

}  // namespace

TEST_CASE("where the simulator's time is over, what is right so far is said, and no hang",
          "[runner][patience]") {
  const PhaseOutcome outcome = verified(0);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::too_slow);
  CHECK_THAT(outcome.error->what, ContainsSubstring("Right as far as it was tried, at 0 of "));
  for (const record::Verified& one : outcome.all<record::Verified>()) CHECK(one.correct);
}

TEST_CASE("where no time is left, an index of 32 bits is found all the same",
          "[runner][patience]") {
  const PhaseOutcome outcome = verified(
      0, {}, {},
      std::filesystem::path(KLAB_SOURCE_DIR) / "solutions/02_coalescing/wrong_int_index.cu");
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::device_fault);
  const auto findings = outcome.all<record::Finding>();
  REQUIRE_FALSE(findings.empty());
  CHECK(findings.front().kind == FindingKind::out_of_bounds);
}

TEST_CASE("with time enough every size is tried, those in part too", "[runner][patience][whole]") {
  const PhaseOutcome outcome = verified(300);
  CHECK_FALSE(outcome.error);
  const auto verified = outcome.all<record::Verified>();
  REQUIRE_FALSE(verified.empty());
  for (const record::Verified& one : verified) CHECK(one.correct);
}

TEST_CASE("a launch that is sure to take more instructions than it is given is slow, and no hang",
          "[runner][patience]") {
  constexpr std::uint64_t budget = 60'000;
  const PhaseOutcome slow = verified(300, {{10, 100}, {3000, 1000}}, budget);
  REQUIRE(slow.error);
  CHECK(slow.error->code == ErrorCode::too_slow);
  CHECK_THAT(slow.error->what, ContainsSubstring("at 1 of 2 sizes; then a launch took more"));
  CHECK(slow.all<record::Finding>().empty());
  // Where nothing smaller says so, it may as well be endless.
  const PhaseOutcome first = verified(300, {{3000, 1000}}, budget);
  REQUIRE(first.error);
  CHECK(first.error->code == ErrorCode::hang);
}

TEST_CASE("a launch that is under way as the time ends is stopped and slow, and no hang",
          "[runner][patience]") {
  const test::TemporaryFolder folder;
  const auto source = folder.write("long_where_large.cu", R"(#include "contract.cuh"
namespace {
__global__ void scale(Args a) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  unsigned word = 1;
  if (a.rows >= 3000)
    for (int k = 0; k < 100'000'000; ++k) word = word * 1664525u + 1013904223u + threadIdx.x;
  if (i < a.rows * a.columns) a.out[i] = a.gain[i / a.columns] * a.in[i] + (word == 77);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  scale<<<unsigned((a.rows * a.columns + 255) / 256), 256, 0, stream>>>(a);
}
)");
  constexpr double patience_s = 1;
  constexpr std::uint64_t budget = 100'000'000'000;
  const PhaseOutcome outcome = verified(patience_s, {{10, 100}, {3000, 1}}, budget, source);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::too_slow);
  CHECK_THAT(outcome.error->what, ContainsSubstring("at 1 of 2 sizes; then the simulator had"));
}

TEST_CASE("a small launch that takes all the time of a check hangs", "[runner][patience]") {
  const test::TemporaryFolder folder;
  const auto source = folder.write("endless.cu", R"(#include "contract.cuh"
namespace {
__global__ void scale(Args a) {
  for (unsigned k = 1; k != 0; k += 2) a.out[0] = k;
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) { scale<<<1, 32, 0, stream>>>(a); }
)");
  constexpr double patience_s = 1;
  constexpr std::uint64_t budget = 100'000'000'000;
  const PhaseOutcome outcome = verified(patience_s, {{10, 100}}, budget, source);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::hang);
}

TEST_CASE("a small launch that was bound to take long hangs in none of its inputs",
          "[runner][patience]") {
  const test::TemporaryFolder folder;
  const auto source = folder.write("many_blocks.cu", R"(#include "contract.cuh"
namespace {
__global__ void scale(Args a) {
  const long long all = a.rows * a.columns;
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  unsigned word = 1;
  for (long long k = 0; k < all * all; ++k) word = word * 1664525u + 1013904223u + threadIdx.x;
  if (i < all) a.out[i] = a.gain[i / a.columns] * a.in[i] + (word == 77);
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) { scale<<<264, 256, 0, stream>>>(a); }
)");
  constexpr double patience_s = 1;
  constexpr std::uint64_t budget = 3'000'000'000;
  const PhaseOutcome outcome = verified(patience_s, {{1, 10}, {2, 10}, {10, 200}}, budget, source);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::too_slow);
  CHECK(outcome.all<record::Finding>().empty());
}
