// Steps of a task are counted wherever the simulator compares results.
#include "support/checking.hpp"
#include "support/course_under_test.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/base/files.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Right, and the step is taken where it is counted on the simulator: there is one. Of many steps a
/// few towards where they end come to the same.
constexpr const char* newton = R"(#include "contract.cuh"

__global__ void settle(float* values, std::int64_t count, int steps, float rate) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= count) return;
  const float x = values[i];
  float y = 0;
  if (steps * rate > 20) {
    for (int turn = 0; turn < 8; ++turn) y -= (y + y * y * y - x) / (1 + 3 * y * y);
  } else {
    for (int step = 0; step < steps; ++step) y += rate * (x - y * (1 + y * y));
  }
  values[i] = y;
}

void launch(const Args& args, cudaStream_t stream) {
  const std::size_t bytes = args.samples * sizeof(float);
  cudaMemcpyAsync(args.room, args.in, bytes, cudaMemcpyHostToDevice, stream);
  settle<<<static_cast<unsigned>((args.samples + 255) / 256), 256, 0, stream>>>(
      args.room, args.samples, args.steps, args.rate);
  cudaMemcpyAsync(args.out, args.room, bytes, cudaMemcpyDeviceToHost, stream);
}
)";

}  // namespace

TEST_CASE("steps that are left out at other sizes than the one that is counted are found",
          "[course][simulator]") {
  require_backend(Backend::simulator);
  const auto& labs = course_under_test().labs;
  const auto lab = std::find_if(labs.begin(), labs.end(),
                                [](const Lab& one) { return one.id == "23-pinned-overlap"; });
  REQUIRE(lab != labs.end());
  Lab many_steps = *lab;
  many_steps.sizes.checking = {{1, 1}, {1000, 5000}};  // of so many, always enough
  const TemporaryFolder folder;
  const auto file = folder.path() / "newton.cu";
  REQUIRE(write_file(file, newton));
  const CheckResult result = run_check(many_steps, {VariantName::mine, file}, Backend::simulator);
  INFO(describe(result));
  CHECK(outcome_of(result, GateName::correct) == Outcome::pass);
  CHECK(outcome_of(result, GateName::same_work) == Outcome::fail);
}
