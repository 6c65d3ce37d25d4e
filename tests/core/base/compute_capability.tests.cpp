// Tests of compute capabilities and architectures: how they are read, written and ordered.
#include "core/base/compute_capability.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("A compute capability is read as people, files and compilers write it",
          "[core][capability]") {
  CHECK(compute_capability_from("9.0") == ComputeCapability{9, 0});
  CHECK(compute_capability_from("90") == ComputeCapability{9, 0});
  CHECK(compute_capability_from("12.1") == ComputeCapability{12, 1});
  CHECK(compute_capability_from("121") == ComputeCapability{12, 1});
  for (const char* none : {"", ".", "9", "9.", ".0", "9.00", "9.10", "9.-1", "-9.0", "sm_90", "90a",
                           "1000", "100.0", "0", " 90", "99999999999999999999"}) {
    INFO(none);
    CHECK_FALSE(compute_capability_from(none));
  }
  CHECK_FALSE(ComputeCapability::from(0));
  CHECK_FALSE(ComputeCapability::from(-90));
}

TEST_CASE("A compute capability is written as it is read", "[core][capability]") {
  for (const int number : {75, 80, 86, 90, 100, 103, 121}) {
    const auto capability = ComputeCapability::from(number);
    REQUIRE(capability);
    CHECK(capability->number() == number);
    CHECK(compute_capability_from(to_string(*capability)) == capability);
    CHECK(architecture_from(to_string(Architecture{*capability})) == Architecture{*capability});
  }
  CHECK(to_string(ComputeCapability{10, 3}) == "10.3");
}

TEST_CASE("Capabilities are ordered by generation, not by how they are spelled",
          "[core][capability]") {
  CHECK(ComputeCapability{7, 5} < ComputeCapability{8, 0});
  CHECK(ComputeCapability{9, 0} < ComputeCapability{10, 0});
  CHECK(ComputeCapability{12, 0} < ComputeCapability{12, 1});
}

TEST_CASE("An architecture says whether it has features that no other generation has",
          "[core][capability]") {
  const auto hopper = architecture_from("90a");
  REQUIRE(hopper);
  CHECK(hopper->own_features);
  CHECK(hopper->capability == ComputeCapability{9, 0});
  CHECK(to_string(*hopper) == "90a");
  CHECK(architecture_from("100") == Architecture{{10, 0}});
  CHECK(hopper != architecture_from("90"));
  for (const char* none : {"", "a", "90b", "90aa", "90A", "a90", "sm_90a", "90a "}) {
    INFO(none);
    CHECK_FALSE(architecture_from(none));
  }
}
