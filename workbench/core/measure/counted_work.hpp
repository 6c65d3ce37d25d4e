// Counted work: what a launch did, by its counters, beside the least that its task takes.
#pragma once

#include <string>
#include <vector>

#include "core/measure/least_work.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

/// One kind of work that was counted and that the task cannot do without.
struct CountedWork {
  std::string what;  ///< "floating-point operations", "bytes of memory"
  double counted = 0;
  double least = 0;
  Source source = Source::measured;

  bool falls_short() const;
};

/// The kinds of which both are known: operations on floating-point numbers, whichever unit did
/// them, and bytes that loads, stores and copies moved. Empty where nothing was counted.
std::vector<CountedWork> counted_work(const LeastWork& least, const Counters& counters);

/// Whether the launch that was counted and those that were timed can have been the same work: their
/// durations agree within a factor, and what counting adds.
bool same_duration(double counted_s, double timed_s);

}  // namespace klab
