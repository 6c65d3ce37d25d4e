// The errors that labs allow cover what right kernels make on a GPU.
#include <catch2/catch_test_macros.hpp>

#include "core/process/process.hpp"

TEST_CASE("lab 19 allows what tensor cores cut off of numbers too small for a normal half",
          "[course]") {
  const auto run =
      klab::run_process({.command = {std::string(KLAB_BINARY_DIR) + "/bin/klab", "sim",
                                     std::string(KLAB_COURSE_PROGRAMS) + "/small_factors"},
                         .time_limit_s = 300});
  REQUIRE(run);
  INFO(run->out << run->err);
  CHECK(run->exit_code == 0);
}
