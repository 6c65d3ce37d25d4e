// CuptiTrace: what one launch asks of the driver and the device, from CUPTI's activity records.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "runner/cupti/activity_buffers.hpp"
#include "runner/cupti/subscriber.hpp"
#include "runner/phases/counter_source.hpp"

namespace klab::runner {

/// A span of GPU time, in CUPTI's nanoseconds.
struct Span {
  std::uint64_t start_ns;
  std::uint64_t end_ns;
};

/// The share of the time from the first start to the last end in which no span runs, in percent;
/// nullopt without spans.
std::optional<double> idle_pct(std::vector<Span> spans);

/// The share of that time in which one of `copies` runs and nothing else, neither another copy nor
/// one of `others`, in percent; nullopt without spans.
std::optional<double> alone_pct(const std::vector<Span>& copies, const std::vector<Span>& others);

/// Of kernels in the order of their blocks the blocks of the one in the middle; of two in the
/// middle the larger. nullopt without kernels.
std::optional<double> blocks_in_the_middle(std::vector<double> blocks);

/// Counts launches, copies and memory fills by the device's records, and synchronizations and
/// allocations by the runtime's calls. Buffers are bounded: a launch that does more than fits is
/// reported as not counted, never as less.
class CuptiTrace : public CounterSource {
 public:
  /// Errors: RunnerError with profiler_attached.
  CuptiTrace();
  record::CounterSet count(const Countable& countable) override;

 private:
  static void CUPTIAPI on_call(void* context, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);
  void note_call(const CUpti_CallbackData& call);
  /// `from` and `to` are CUPTI's kinds of memory.
  void note_copy(const std::string& direction, std::uint64_t bytes, Span span, std::uint8_t from,
                 std::uint8_t to);
  void note_driver_call(const CUpti_CallbackData& call);
  void watch_calls(bool on);
  void sum_up(const LeastWork& least);
  void note(const CUpti_Activity& activity);
  void count_kernels(bool had_head_start);
  /// Counts one launch, and how many records did not fit.
  std::size_t look(const Countable& countable, bool with_head_start);
  /// In percent, of the launch that was looked at last.
  std::map<std::string, double> shares_of_time() const;

  struct Kernel {
    Span span;
    double blocks;
    bool launched_alone;  ///< not by a graph
  };

  CuptiSubscriber subscriber_;
  std::mutex mutex_;  ///< calls and records may come from different threads
  std::map<std::string, double> counts_;
  std::vector<Span> spans_;        ///< of all work but these:
  std::vector<Span> host_copies_;  ///< of the copies between host and device
  std::uint64_t largest_host_copy_ = 0;
  std::vector<Kernel> kernels_;  ///< the head start among them
  ActivityBuffers buffers_;      ///< last, because its records go to what stands above
};

}  // namespace klab::runner
