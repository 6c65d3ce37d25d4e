// Passing: what a check saw of a kernel that passes every gate, as a start for tests of judging.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "core/judge/judge.hpp"

namespace klab::test {

/// A lab with one counter, a speed-up and a ceiling, and the evidence of a candidate that passes
/// all of it.
struct Passing {
  Lab lab;
  Evidence evidence;

  Passing() {
    lab.slug = "coalescing";
    lab.sizes.checking = {{1}, {31}};
    lab.pass().causes = {{"global_load_sectors_per_request",
                          {Bound::Relation::at_most, 4.5},
                          {},
                          "neighbours share sectors"}};
    lab.pass().time.speedup = 5;
    lab.pass().time.ceiling = CeilingTarget{"dram_copy", 0.8};
    evidence.lab = &lab;
    evidence.verified = {{.variant = VariantName::mine, .size = {1}, .correct = true},
                         {.variant = VariantName::mine, .size = {31}, .correct = true}};
    evidence.timed =
        record::Timed{"interval narrow enough", {}, 1, {{{Resource::device_memory, 4e9}}}};
    evidence.timing.variants[VariantName::mine].seconds = Interval{1.1e-3, 1.09e-3, 1.11e-3};
    evidence.timing.variants[VariantName::flawed].seconds = Interval{8.8e-3, 8.7e-3, 8.9e-3};
    evidence.timing.ratio = Interval{8, 7.9, 8.1};
    evidence.counters["global_load_sectors_per_request"] = {4.0, Source::measured, {}};
    evidence.ceilings = Ceilings{.device = "test", .values = {{"dram_copy", 4e12}}};
  }
  Gate gate(GateName name, std::string_view subject = {}) const {
    const auto gates = judge(evidence).gates;
    const auto found = std::find_if(gates.begin(), gates.end(), [&](const Gate& g) {
      return g.name == name && (subject.empty() || g.subject == subject);
    });
    REQUIRE(found != gates.end());
    return *found;
  }
};

}  // namespace klab::test
