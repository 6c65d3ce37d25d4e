// CuptiCounters: hardware counters of a launch, through CUPTI's Range Profiler.
#pragma once

#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runner/cupti/metrics.hpp"
#include "runner/cupti/subscriber.hpp"
#include "runner/phases/counter_source.hpp"

namespace klab::runner {

/// The chip's name as CUPTI knows it, e.g. "GH100"; nullopt if CUPTI cannot tell.
std::optional<std::string> cupti_chip_name();

/// Counts over one launch, replayed by the harness: between passes the inputs are restored by
/// Countable::prepare, so that every pass sees the same work from the same cold L2.
///
/// A launch of one kernel and nothing else is counted from the kernel's start to its end (CUPTI's
/// automatic range). A launch of several is one user range around all of them, which also holds
/// what the host takes to start, to ask for each next one and to wait; totals are not touched by
/// that, but shares of the elapsed time are lower.
class CuptiCounters : public CounterSource {
 public:
  /// `metrics` are catalogue names. Errors: RunnerError with profiler_attached, profiler_denied,
  /// profiler_busy, profiler_unsupported.
  explicit CuptiCounters(std::vector<std::string> metrics);
  ~CuptiCounters() override;
  record::CounterSet count(const Countable& countable) override;

 private:
  /// Notes what a launch asks of CUDA, to choose the kind of range, and to know what it may know.
  struct Work {
    std::thread::id thread;  ///< that launches
    int kernels = 0;
    int others = 0;         ///< graphs, copies, memory fills
    int questions = 0;      ///< whether a stream or an event is done
    int runtime_calls = 0;  ///< that have begun and not ended
  };
  static void CUPTIAPI on_call(void* work, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);

  LaunchShape shape_of(const Countable& countable);
  /// Opens the profiler for one kind of range. CUPTI 13.0 refuses to change the kind of an open one
  /// (cuptiRangeProfilerStart then answers 999).
  void enable(bool single_kernel);
  void disable() noexcept;
  /// By the exact kind of range, or where CUPTI refuses it by the general one.
  std::vector<BaseValue> collect_somehow(const Countable& countable, bool single_kernel);
  std::vector<BaseValue> collect(const Countable& countable, bool single_kernel);
  void configure(std::vector<std::uint8_t>& counter_data, bool single_kernel);
  void one_pass(const Countable& countable, bool single_kernel, bool& all_submitted);
  CounterValue value_of(const std::string& name, const std::vector<BaseValue>& values,
                        double least_bytes) const;

  Work work_;
  CuptiSubscriber subscriber_;
  std::vector<std::string> metrics_;
  std::string chip_;
  std::optional<CuptiMetrics> hardware_;
  void* profiler_ = nullptr;  ///< CUpti_RangeProfiler_Object
  bool enabled_for_single_kernel_ = false;
};

}  // namespace klab::runner
