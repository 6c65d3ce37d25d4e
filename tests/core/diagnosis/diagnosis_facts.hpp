// Facts about a kernel for tests of the diagnosis.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>

#include "core/diagnosis/facts.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab::test {

/// Facts with only these counters, as if measured.
inline KernelFacts with(const std::map<std::string, double>& counters) {
  KernelFacts facts{.variant = VariantName::mine};
  for (const auto& [name, value] : counters) {
    REQUIRE(find_metric(name));
    facts.counters[name] = {value, Source::measured, {}};
  }
  return facts;
}

}  // namespace klab::test
