// CuptiCounters: hardware counters of a launch, through CUPTI's Range Profiler.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/counter_source.hpp"
#include "runner/cupti_metrics.hpp"
#include "runner/cupti_subscriber.hpp"

namespace klab::runner {

/// The chip's name as CUPTI knows it, e.g. "GH100"; nullopt if CUPTI cannot tell.
std::optional<std::string> cupti_chip_name();

/// A user range around each launch, replayed by the harness: between passes the inputs are restored
/// by Countable::prepare, so that every pass sees the same work from the same cold L2.
class CuptiCounters : public CounterSource {
 public:
  /// `metrics` are catalogue names. Errors: RunnerError with profiler_attached, profiler_denied,
  /// profiler_busy, profiler_unsupported.
  CuptiCounters(std::vector<std::string> metrics, double least_bytes);
  ~CuptiCounters() override;
  record::CounterSet count(const Countable& countable) override;

 private:
  std::vector<BaseValue> collect(const Countable& countable);
  void configure(std::vector<std::uint8_t>& counter_data);
  void one_pass(const Countable& countable, bool& all_submitted);
  CounterValue value_of(const std::string& name, const std::vector<BaseValue>& values) const;

  CuptiSubscriber subscriber_;
  std::vector<std::string> metrics_;
  double least_bytes_;
  std::string chip_;
  std::optional<CuptiMetrics> hardware_;
  void* profiler_ = nullptr;  ///< CUpti_RangeProfiler_Object
};

}  // namespace klab::runner
