// What the simulator cannot know of a kernel whose registers were spilled.
#include <catch2/catch_test_macros.hpp>

#include "core/check/withheld.hpp"

using namespace klab;

TEST_CASE("what holds spilled values is no count where spills cannot be seen", "[core][check]") {
  Counters counters{{"spill_bytes", {64, Source::compiler, {}}},
                    {"local_load_sectors", {0, Source::modelled, {}}},
                    {"sectors_of_minimum", {1, Source::counted, {}}},
                    {"requested_bytes", {32, Source::counted, {}}},
                    {"global_load_sectors", {1, Source::counted, {}}}};
  withdraw_unseen_spills(counters);
  for (const char* name : {"local_load_sectors", "sectors_of_minimum", "requested_bytes"}) {
    INFO(name);
    CHECK_FALSE(counters.at(name).value);
    CHECK_FALSE(counters.at(name).reason.empty());
  }
  CHECK(counters.at("global_load_sectors").value == 1);
  CHECK(counters.at("spill_bytes").value == 64);
}
