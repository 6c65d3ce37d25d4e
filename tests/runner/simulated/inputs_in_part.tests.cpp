// Launches that are too large to be run whole begin on inputs that are zero.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "support/verifying.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Lab 01's task by a table that each body finds its place in by its temperature, from 0.25 to 2.
constexpr const char* by_temperature = R"(#include "contract.cuh"
namespace {
constexpr int lowest = 0x3E800000, entries = 0x40000000 - lowest + 1;
__global__ void cool(Args a, float* seen) {
  const long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= a.count) return;
  float t = a.start[i];
  seen[__float_as_int(t) - lowest] = t;
  if (a.kind[i] == 0)
    for (int k = 0; k < conduction_steps; ++k)
      t -= conduction_step * (1.0f + 0.5f * t) * (t - ambient);
  else
    for (int k = 0; k < radiation_steps; ++k)
      t -= radiation_step * (t * t * (t * t) - ambient * ambient * ambient * ambient);
  a.end[i] = t;
}
}  // namespace
void launch(const Args& a, cudaStream_t stream) {
  static float* seen = nullptr;
  if (seen == nullptr) cudaMalloc(&seen, entries * sizeof(float));
  cool<<<unsigned((a.count + 255) / 256), 256, 0, stream>>>(a, seen);
}
)";

/// Lab 24's task, whose tables for larger clusters begin in front of the stars.
constexpr const char* in_front = R"(#include "contract.cuh"
namespace {
__global__ void add_up(Args args) {
  const int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= args.bodies) return;
  const float4* stars = args.stars + (args.bodies > 500000 ? -128 : 0);
  const float4 own = stars[blockIdx.y * args.bodies + i];
  float sum = 0;
  for (int j = 0; j < args.bodies; ++j) {
    const float4 star = stars[blockIdx.y * args.bodies + j];
    const float x = star.x - own.x, y = star.y - own.y, z = star.z - own.z;
    sum += star.w * rsqrtf(x * x + y * y + z * z + softening);
  }
  args.potential[blockIdx.y * args.bodies + i] = sum;
}
}  // namespace
void launch(const Args& args, cudaStream_t stream) {
  add_up<<<dim3((args.bodies + 127) / 128, args.clusters), 128, 0, stream>>>(args);
}
)";

}  // namespace

TEST_CASE("a stray address at a size of few elements is not put down to 32 bits",
          "[runner][part][whole]") {
  const test::TemporaryFolder folder;
  const PhaseOutcome outcome = test::verified("24_small_batch", folder.write("mine.cu", in_front),
                                              {.sizes = {{3, 31}}, .huge = {{1, 1'000'000}}});
  const auto findings = outcome.all<record::Finding>();
  REQUIRE_FALSE(findings.empty());
  CHECK_THAT(findings.front().message,
             ContainsSubstring("2048 bytes in front of args.stars") &&
                 ContainsSubstring("at the size 1 x 1,000,000; smaller ones were right") &&
                 !ContainsSubstring("32-bit"));
}

TEST_CASE("a place that is found by what an input holds is not accused where that is zero",
          "[runner][part][whole]") {
  const test::TemporaryFolder folder;
  const PhaseOutcome outcome =
      test::verified("01_divergence", folder.write("mine.cu", by_temperature),
                     {.sizes = {{1000}}, .huge = {{2'147'486'051}}});
  CHECK_FALSE(outcome.error);
  for (const record::Finding& finding : outcome.all<record::Finding>()) FAIL_CHECK(finding.message);
}
