// The fields of measured ceilings, for the .cpp files that read or write them.
#pragma once

#include "core/measure/ceilings.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {

/// What another version measured besides is left out.
template <class Visit>
void fields(Visit& visit, Ceilings& ceilings) {
  visit("device", ceilings.device);
  visit("multiprocessors", ceilings.multiprocessors);
  visit("driver", ceilings.driver);
  visit("date", ceilings.date);
  visit("values", ceilings.values);
  if constexpr (Visit::reads)
    std::erase_if(ceilings.values, [](const auto& one) { return !find_ceiling(one.first); });
}

}  // namespace klab
