// CuptiStalls: what warps wait for, through CUPTI's PC sampling.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "runner/cupti/module_lines.hpp"
#include "runner/cupti/pc_buffer.hpp"
#include "runner/cupti/subscriber.hpp"
#include "runner/phases/counter_source.hpp"

namespace klab::runner {

/// Samples by place and reason, before names and lines are looked up.
class StallTally {
 public:
  struct Count {
    std::int64_t all = 0;         ///< as CUPTI counts a reason
    std::int64_t not_issued = 0;  ///< as it counts the same reason with the suffix "_not_issued"
  };
  /// CUPTI's checksum of the module, the function's mangled name, the instruction's offset in it.
  using Place = std::tuple<std::uint64_t, std::string, std::uint64_t>;

  /// `metric` is CUPTI's name of a stall reason; what is none is left out.
  void add(const Place& place, const std::string& metric, std::int64_t samples);
  std::int64_t samples() const;
  /// Hottest first, with lines from `lines`. Beyond the `most_listed` hottest instructions, those
  /// of one kernel are summed.
  std::vector<StallPc> listed(const ModuleLines& lines, std::size_t most_listed) const;

 private:
  /// Whether the counts without the suffix hold those with it. CUPTI's documentation does not say;
  /// if they do, no count with it can be the larger one.
  bool nested() const;

  std::map<Place, std::map<std::string, Count>> places_;
};

/// The base-2 logarithm of the sampling period in cycles that gives about `wanted` samples over
/// launches that keep `multiprocessors` busy for `cycles` in all; within what CUPTI takes.
int period_exponent(double multiprocessors, double cycles, double wanted);

/// Sampled with the kernels running as they would alone (continuous mode), between explicit starts
/// and stops, so that nothing but the kernel file's launch is seen.
class CuptiStalls : public StallSource {
 public:
  /// Creates the context. Errors: RunnerError with profiler_attached, profiler_denied,
  /// profiler_busy, profiler_unsupported.
  CuptiStalls();
  ~CuptiStalls() override;
  StallSamples sample(const Countable& countable) override;

 private:
  static void CUPTIAPI on_event(void* lines, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);
  void learn_reasons();
  /// Errors: RunnerError.
  void configure(int exponent);
  std::optional<double> period_cycles() const;
  /// One launch between start and stop, added to `tally` and `samples`.
  void one_launch(const Countable& countable, StallTally& tally, StallSamples& samples);
  void take(StallTally& tally, StallSamples& samples);

  ModuleLines lines_;
  CuptiSubscriber subscriber_;
  CUcontext context_ = nullptr;
  int multiprocessors_ = 0;
  double clock_hz_ = 0;
  std::map<std::uint32_t, std::string> reasons_;  ///< CUPTI's names by index
  std::unique_ptr<PcBuffer> kept_;                ///< CUPTI's own, for what nobody fetches
  std::unique_ptr<PcBuffer> fetched_;
  std::set<char*> names_;  ///< shared by CUPTI's records, ours to free
};

}  // namespace klab::runner
