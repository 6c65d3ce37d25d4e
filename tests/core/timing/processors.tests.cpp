#include "core/timing/processors.hpp"

#include <sched.h>

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("a thread goes on at a processor and may leave it again", "[core][timing]") {
  const std::vector<int> allowed = allowed_processors();
  REQUIRE_FALSE(allowed.empty());
  for (const int processor : allowed) {
    bool came_there = false;
    for (int attempt = 0; attempt < 1000 && !came_there; ++attempt) {  // others want it, too
      migrate_to(processor);
      came_there = ::sched_getcpu() == processor;
    }
    CHECK(came_there);
    CHECK(allowed_processors() == allowed);
  }
}

TEST_CASE("a processor that is not there is gone to by nobody", "[core][timing]") {
  const std::vector<int> allowed = allowed_processors();
  for (const int processor : {-1, 1 << 20}) migrate_to(processor);
  CHECK(allowed_processors() == allowed);
}
