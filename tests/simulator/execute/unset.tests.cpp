// Registers that are read before anything is written to them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>
#include <vector>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace unset_tests {
namespace {

constexpr const char* source = R"(
__global__ void sum_of_nothing(const float* x, float* y) {
  float sum;
#pragma unroll 1
  for (int k = 0; k < 32; ++k)
    sum += x[k];  // the line at fault
  y[threadIdx.x] = sum;
}
__global__ void added_up(const float* x, float* y) {
  float sum = 0;
  for (int k = 0; k < 32; ++k) sum += x[k];
  y[threadIdx.x] = sum;
}
__global__ void set_on_either_way(const float* x, float* y) {
  float value;
  if (threadIdx.x % 2 == 0) value = x[threadIdx.x]; else value = x[0];
  __syncthreads();
  y[threadIdx.x] = value;
}
__global__ void set_where_it_is_used(const float* x, float* y) {
  float value;
  if (threadIdx.x < 8) value = x[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 8) y[threadIdx.x] = value;
}
)";

std::vector<Finding> unset_in(Loaded& device, const char* kernel, Checks checks) {
  const auto x = device.zeros<float>(32), y = device.zeros<float>(32);
  auto found = device.launch(kernel, {1}, {32}, arguments(x, y), {.checks = checks}).findings;
  std::erase_if(found, [](const Finding& one) { return one.kind != FindingKind::unset_variable; });
  return found;
}

}  // namespace

TEST_CASE("A sum that nobody set to zero is found where it is first added to",
          "[simulator][checker][unset]") {
  Loaded device(ptx_of(source));
  const auto found = unset_in(device, "sum_of_nothing", Checks::full);
  REQUIRE(found.size() == 1);
  const std::string_view text = source;
  const auto at = text.find("// the line at fault");
  CHECK(found[0].where.line == std::count(text.begin(), text.begin() + at, '\n') + 1);
  CHECK(unset_in(device, "sum_of_nothing", Checks::fast).empty());
}

TEST_CASE("A variable that is set on the ways to its use is none without a value",
          "[simulator][checker][unset]") {
  Loaded device(ptx_of(source));
  for (const char* kernel : {"added_up", "set_on_either_way", "set_where_it_is_used"}) {
    INFO(kernel);
    CHECK(unset_in(device, kernel, Checks::full).empty());
  }
}

}  // namespace unset_tests
