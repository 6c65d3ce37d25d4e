// ActivityBuffers: CUPTI's activity records, handed one by one to a single receiver, in bounded
// memory.
#pragma once

#include <cupti.h>

#include <cstddef>
#include <functional>
#include <mutex>
#include <span>

namespace klab::runner {

/// One at a time in a process: CUPTI's callbacks carry no context.
class ActivityBuffers {
 public:
  /// `on_record` is called from one thread at a time, but not always from the one that flushes.
  /// Errors: RunnerError.
  explicit ActivityBuffers(std::function<void(const CUpti_Activity&)> on_record);
  ~ActivityBuffers();
  ActivityBuffers(const ActivityBuffers&) = delete;
  ActivityBuffers& operator=(const ActivityBuffers&) = delete;

  /// Hands over what arrives from now on; or throws it away.
  void listen(bool on);
  /// Has all finished records handed over before it returns. Errors: RunnerError.
  void flush();
  /// The same, and all that stands in buffers that are not full yet. Errors: RunnerError.
  void flush_all();
  /// Records since the last call for which there was no room.
  std::size_t take_dropped();

  /// Switches the recording of these kinds. Errors: RunnerError.
  static void watch(std::span<const CUpti_ActivityKind> kinds, bool on);

 private:
  static void CUPTIAPI give(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records);
  static void CUPTIAPI take(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                            std::size_t size, std::size_t valid_size);

  std::function<void(const CUpti_Activity&)> on_record_;
  std::mutex mutex_;  ///< CUPTI may hand over a full buffer from a thread of its own
  bool listening_ = false;
  std::size_t dropped_ = 0;
};

}  // namespace klab::runner
