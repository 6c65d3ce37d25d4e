// The rules of the diagnosis, one file each. Only diagnosis.cpp and the tests use this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.hpp"

namespace klab::rules {

/// What a rule found; nothing found and nothing lacking means: it does not apply.
template <class T>
struct Ruled {
  std::optional<T> found;
  std::vector<Lack> lacks;
};

/// A class, with what speaks for it.
struct Limit {
  Bottleneck bottleneck;
  std::optional<MemoryUnit> level = {};
  std::string sentence;
  std::vector<EvidenceRow> evidence;
  double margin_points = 0;  ///< distance to the threshold that decided
  std::string distance;      ///< the same in words
  std::vector<Experiment> experiments;
};

Ruled<Limit> overhead(const KernelFacts& facts);
Ruled<Limit> balanced(const KernelFacts& facts);
Ruled<Limit> compute(const KernelFacts& facts);
Ruled<Limit> memory(const KernelFacts& facts);
Ruled<Limit> latency(const KernelFacts& facts);

Ruled<Waste> spills(const KernelFacts& facts);
Ruled<Waste> divergence(const KernelFacts& facts);
Ruled<Waste> excess_sectors(const KernelFacts& facts);
Ruled<Waste> bank_conflicts(const KernelFacts& facts);
Ruled<Waste> fp64(const KernelFacts& facts);
Ruled<Waste> host_waits(const KernelFacts& facts);
Ruled<Waste> imbalance(const KernelFacts& facts);
Ruled<Waste> repeated_traffic(const KernelFacts& facts);

}  // namespace klab::rules
