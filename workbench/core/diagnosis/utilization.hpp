// Utilization: how busy arithmetic and memory are, the two numbers that the classes compare.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.hpp"
#include "core/diagnosis/facts.hpp"

namespace klab::rules {

/// The busiest unit of one side.
struct Busiest {
  std::string unit;  ///< "the FP32 pipe", "device memory"
  double pct = 0;
  std::string doing;  ///< "L2 is busy for 71 % of what it can do"
  EvidenceRow evidence;
  std::optional<MemoryUnit> level = {};  ///< of memory
};

struct Utilization {
  std::optional<Busiest> arithmetic;
  std::optional<Busiest> memory;
  std::vector<Lack> lacks;  ///< without these, nothing can be said about being idle

  /// Both sides are known in full.
  bool complete() const { return arithmetic && memory && lacks.empty(); }
};

/// Arithmetic: the issue of instructions and every pipe but that of loads and stores. Memory:
/// device memory, L2, L1 with shared memory. Device memory is compared with its peak and, where it
/// was measured, with the copy that this device reaches; the larger share counts.
Utilization utilization(const KernelFacts& facts);

/// How much of the time multiprocessors have work, on average; nullopt if it was not counted.
std::optional<double> active_multiprocessors(const KernelFacts& facts);

/// Loads or stores of global memory, as the catalogue counts them.
struct GlobalAccess {
  std::string_view excess_pct, sectors_per_request;
};
inline constexpr GlobalAccess global_accesses[] = {
    {"global_load_excess_pct", "global_load_sectors_per_request"},
    {"global_store_excess_pct", "global_store_sectors_per_request"}};

/// Whether an access touches fewer sectors than neighbouring words of a full warp would. What its
/// few threads, or all for one word, do not ask for of these sectors costs nothing.
bool touches_few_sectors(const KernelFacts& facts, const GlobalAccess& access);

/// Sectors beyond need, the larger of loads and stores, in percent of those moved; 0 where an
/// access touches few; nullopt if neither was counted.
std::optional<double> excess_pct(const KernelFacts& facts);

}  // namespace klab::rules
