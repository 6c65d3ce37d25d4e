// Launches that are too large to be run whole begin on inputs that are zero.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "support/temporary_folder.hpp"
#include "support/verifying.hpp"

using namespace klab;

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

}  // namespace

TEST_CASE("a place that is found by what an input holds is not accused where that is zero",
          "[runner][part]") {
  const test::TemporaryFolder folder;
  const PhaseOutcome outcome =
      test::verified("01_divergence", folder.write("mine.cu", by_temperature),
                     {.sizes = {{1000}}, .huge = {{2'147'486'051}}});
  CHECK_FALSE(outcome.error);
  for (const record::Finding& finding : outcome.all<record::Finding>()) FAIL_CHECK(finding.message);
}
