// Random kernels: the simulator makes of each what the host does.
#include "core/record/random_kernels.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/checking.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("A seed always makes the same kernel", "[simulator][random]") {
  const std::string one = random_kernels_source(7, 1);
  CHECK(one == random_kernels_source(7, 1));
  CHECK(one != random_kernels_source(8, 1));
}

TEST_CASE("What a program of random kernels prints is read line by line", "[simulator][random]") {
  const auto results = parse_random_results(
      "simulator: some message\n12 00ff host\n13 abcd u0 of thread 3 is 1, on the host 2\n14 - "
      "an illegal memory access was encountered\n15\n");
  REQUIRE(results.size() == 3);
  CHECK(results[0].seed == 12);
  CHECK(results[0].digest == "00ff");
  CHECK(results[0].verdict == "host");
  CHECK(results[1].verdict == "u0 of thread 3 is 1, on the host 2");
  CHECK(results[2].digest == "-");
}

TEST_CASE("Random kernels make the same on the simulator as on the host",
          "[simulator][random][agreement]") {
  skip_if_sanitized();
  require_backend(Backend::simulator);
  const auto toolchain = find_toolchain(tree());
  if (!toolchain) SKIP("nvcc is not installed");
  const TemporaryFolder folder;
  constexpr int count = 12;
  const auto program = build_random_program(*toolchain, tree().root, folder.path(), 1, count, 0);
  if (!program) FAIL(program.error().what);
  const auto results = run_random_program(*program, tree().build / "simulator");
  REQUIRE(results);
  CHECK(results->size() == count);
  // `./klab course agree --random 1 --seed S` repeats one.
  for (const RandomResult& result : *results) {
    INFO("seed " << result.seed);
    CHECK(result.verdict == "host");
  }
}
