// CheckResult: everything one check found out. One format for protocol, journal and recorded
// evidence.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"
#include "core/verdict/backend.hpp"
#include "core/verdict/missing_reason.hpp"
#include "core/verdict/variant_name.hpp"
#include "core/verdict/verdict.hpp"

namespace klab {

/// What the machine is. Absent facts are empty strings or nullopt, never 0.
struct DeviceFacts {
  std::string name;  ///< "NVIDIA H200", or "simulated sm_90 (no timing)"
  std::string chip;  ///< "GH100"; empty if unknown
  std::optional<ComputeCapability> compute_capability;
  std::string driver;   ///< "580.159.04"
  std::string toolkit;  ///< "13.0"
  bool simulated = false;
  int multiprocessors = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t shared_per_multiprocessor_bytes = 0;
  std::int64_t registers_per_multiprocessor = 0;
  std::optional<std::int64_t> memory_free_bytes;
  std::optional<int> gpus;  ///< how many the machine offers
};

/// The compiler's report of one kernel (`ptxas -v`).
struct KernelReport {
  std::string kernel;  ///< demangled name
  int registers = 0;   ///< per thread
  std::int64_t stack_bytes = 0;
  std::int64_t spill_store_bytes = 0;
  std::int64_t spill_load_bytes = 0;
  std::int64_t static_shared_bytes = 0;
};

/// Timing samples of one variant, in the order in which they were taken.
struct VariantTimes {
  std::vector<double> samples_s;
  std::optional<Interval> seconds;   ///< bootstrap interval of the median
  std::vector<double> sm_clock_mhz;  ///< as long as samples_s, or empty if NVML is not there
};

/// A counter of one variant with where it came from; `reason` is why `value` is absent.
struct CounterValue {
  std::optional<double> value;
  Source source = Source::measured;
  MissingReason reason = {};
};
using Counters = std::map<std::string, CounterValue>;  ///< by catalogue name

struct Timing {
  std::map<VariantName, VariantTimes> variants;
  /// flawed / candidate, bootstrap interval of the pairs' median ratio
  std::optional<Interval> ratio;
  std::optional<double> cliffs_delta;
  std::vector<std::string> throttle_reasons;  ///< as NVML names them; empty if none was seen
  bool cold_l2 = true;
  std::string stopped_because;  ///< "interval narrow enough", "time cap", ...
};

/// What the learner's code wrote to standard output and standard error, as it came.
struct Printed {
  std::string text;                ///< its beginning, at most longest_printed_bytes
  std::size_t left_out_bytes = 0;  ///< what came behind that
};
inline constexpr std::size_t longest_printed_bytes = 4096;

struct CheckResult {
  std::string lab;            ///< id
  VariantName variant;        ///< what was checked; in the maps below it is `mine`, whatever it is
  std::string source_digest;  ///< SHA-256 of the kernel file
  std::optional<Backend> backend;  ///< absent if none could be chosen
  Outcome verdict = Outcome::not_checkable;
  std::string conclusion;
  std::vector<Gate> gates;        ///< of the pass
  std::vector<RungResult> rungs;  ///< the pass first; empty in records of before there were rungs
  /// 0 as slow as the flawed kernel, 100 at the measured roof; absent without a time or a roof, and
  /// where the result is wrong
  std::optional<double> score;
  Timing timing;
  std::map<VariantName, Counters> counters;
  std::map<VariantName, std::vector<KernelReport>> compiler;
  DeviceFacts device;
  std::uint64_t seed = 0;
  std::string date;           ///< ISO 8601, UTC
  Printed printed;            ///< while its result was checked
  std::vector<Error> errors;  ///< phases that could not finish, in order
  /// wall time of build, verify, time, counters, trace
  std::map<std::string, double> phase_seconds;
};

}  // namespace klab
