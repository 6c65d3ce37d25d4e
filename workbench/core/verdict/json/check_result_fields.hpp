// The fields of what several records hold: kernels and counters. For the .cpp files of
// records.
#pragma once

#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {

template <class Visit>
void fields(Visit& visit, KernelReport& kernel) {
  visit("kernel", kernel.kernel);
  visit("registers", kernel.registers);
  visit("stack_bytes", kernel.stack_bytes);
  visit("spill_store_bytes", kernel.spill_store_bytes);
  visit("spill_load_bytes", kernel.spill_load_bytes);
  visit("static_shared_bytes", kernel.static_shared_bytes);
}

template <class Visit>
void fields(Visit& visit, CounterValue& counter) {
  if constexpr (Visit::reads) counter.source = Source::recorded;  // where it is not said
  visit("value", counter.value);
  visit.may("source", json_fields::word(counter.source, source_from, "unknown source"));
  visit.if_there("reason", counter.reason);
}

}  // namespace klab
