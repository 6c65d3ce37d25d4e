// Streams and events: what runs after what, when it runs, and what a capture records instead.
#pragma once

#include <driver_types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/runtime/streams/graphs/capture.hpp"
#include "simulator/runtime/streams/order.hpp"
#include "simulator/runtime/streams/pending_sources.hpp"
#include "simulator/runtime/streams/waits/host_touches.hpp"
#include "simulator/runtime/streams/waits/polls.hpp"
#include "simulator/runtime/streams/waits/races.hpp"
#include "simulator/runtime/streams/waits/unseen_waits.hpp"
#include "simulator/runtime/streams/work.hpp"

namespace klab::sim {

/// As devices of compute capability 9.0 answer.
inline constexpr int least_stream_priority = 0, greatest_stream_priority = -5;

/// One queued unit of work. It may run once everything in `after` is done.
struct Operation {
  Work work;
  std::uint64_t sequence = 0;  ///< position in the order of the host's calls
  std::shared_ptr<WorkOrder> order;
  OrderedSource source;
  std::vector<std::shared_ptr<Operation>> after;
  bool done = false;
  std::optional<PendingSources::Place> pending_source;  ///< of a copy
  std::vector<ByteRange> shared_with_host;              ///< closed to it until this has run
  bool runs_host_code = false;
  bool speaks_with_host = false;              ///< a kernel with fences that reaches its memory
  bool behind_host_code = false;              ///< one that it waits for does
  std::shared_ptr<const GraphProgram> keeps;  ///< whose steps are all done when this one is
  std::uint64_t mark = 0;                     ///< last traversal that saw it
  /// The kernel in front, beside which this one may begin; what a watched kernel used when it ran.
  std::shared_ptr<Operation> front;
  Work ran;  ///< of a watched one, when it has run
  std::optional<KernelUses> uses;
  /// What copies and fills in front of it use that stand for a caller's kernels.
  std::optional<UsesByLine> given;
};
using OperationPointer = std::shared_ptr<Operation>;

struct Event {
  unsigned flags = 0;
  bool recorded = false;
  OperationPointer operation;                  ///< null once complete
  std::chrono::steady_clock::time_point time;  ///< Runtime::now() where the record was reached
  std::weak_ptr<Capture> capture;              ///< recorded inside this capture
  std::vector<GraphNode*> frontier;
  std::uint64_t behind = 0;  ///< number of the last work that comes in front of it; 0: not known
  std::uint64_t called = 0;  ///< Runtime::calls at the record

  bool complete() const { return !operation || operation->done; }
};
using EventPointer = std::shared_ptr<Event>;

struct Stream {
  cudaStream_t handle = nullptr;
  std::uint64_t id = 0;
  unsigned flags = 0;
  int priority = 0;
  bool legacy = false;
  std::vector<OperationPointer> tail;  ///< what the next operation comes after
  std::shared_ptr<Capture> capture;
  std::vector<GraphNode*> frontier;  ///< of the capture
  std::map<int, cudaLaunchAttributeValue> attributes;
  std::uint64_t behind = 1;  ///< number of the last work that the next operation comes after

  bool blocking() const { return !legacy && (flags & cudaStreamNonBlocking) == 0; }
  bool idle() const;
};

/// In eager mode work runs inside the call that submits it. In deferred mode it is queued, and only
/// what a wait needs is run, in the order of submission: an order that real streams may take too.
class Streams {
 public:
  Streams();

  /// The stream of a handle (0, cudaStreamLegacy and cudaStreamPerThread included); null if
  /// unknown.
  Stream* find(cudaStream_t handle);
  Stream* create(unsigned flags, int priority);
  /// Pending work of a destroyed stream still runs at the next wait for the device.
  void destroy(Stream* stream);
  /// "the given stream": what findings call it, in place of a number.
  void name(const Stream& stream, std::string name) {
    names_[stream.id] = std::move(name);
    any_given_ = true;
  }

  EventPointer create_event(unsigned flags);
  EventPointer find(cudaEvent_t handle) const;
  bool destroy(cudaEvent_t handle);

  /// Runs, queues or records the work.
  cudaError_t submit(Stream& stream, Work work);
  /// Where races between streams are looked for: memory of the stream's own order is there from
  /// here on, and for what comes behind.
  void allocated(Stream& stream, std::uint64_t address, std::size_t bytes);
  /// The same, and the host waits for it: synchronous copies.
  cudaError_t submit_and_wait(Stream& stream, Work work);
  cudaError_t record(Stream& stream, const EventPointer& event, unsigned flags);
  cudaError_t wait_for(Stream& stream, const EventPointer& event, unsigned flags);

  /// Runs what is pending. The result is what a synchronizing call returns.
  cudaError_t synchronize(Stream& stream);
  cudaError_t synchronize(const Event& event);
  cudaError_t synchronize_all();
  /// The host asks for what is pending there. Asking makes progress, so that polling loops end;
  /// where waits are watched only after some time. What a querying call returns.
  cudaError_t poll(Stream& stream);
  cudaError_t poll(const Event& event);
  /// The same without reporting: before settings or counts change.
  void run_pending();
  /// At the program's end, what nobody waited for: unless it comes to memory of the host's, which
  /// may be gone by then.
  void run_what_is_left();
  bool idle() const { return pending_.empty(); }
  /// The kernel that was asked for last, where no call of the host has waited for it; else empty.
  std::string unwaited_kernel() const;
  /// The host knows that what was asked for on the stream, or in front of the event, is done.
  void seen_done(const Stream& stream) { seen_done(last_in_front(stream)); }
  void seen_done(const Event& event) { seen_done(last_in_front(event)); }
  /// Of what is pending: host functions, kernels that may speak with the host, and all of it if the
  /// host came to memory before it may. That was a wait of the host; false where there is none.
  bool run_what_the_host_waits_for();
  /// Acts when none of the work that is pending now is left; at once where there is none.
  void when_idle(std::function<void()> act);
  /// Whether work is pending that a GPU may run beside what runs now.
  bool any_beside() const;

  /// For calls that a capture forbids because they would make the host wait or touch all streams:
  /// success, or the error, and the capture is then invalid.
  cudaError_t forbid_in_capture();
  /// The same for calls that use the legacy stream.
  cudaError_t forbid_legacy_in_capture();

  const std::map<Stream*, std::unique_ptr<Stream>>& all() const { return streams_; }
  /// Streams and events that are not destroyed.
  std::size_t living() const { return streams_.size() + events_.size(); }
  Captures captures;
  std::string work_name;  ///< of what is asked for from now on; empty: by what it is

 private:
  void queue(Stream& stream, Work work, OperationPointer* out);
  /// `lane`: the stream's number, or that of a graph's branch.
  OperationPointer queue_behind(const Stream& stream, std::uint64_t lane, Work work,
                                std::vector<OperationPointer> after, const OrderedSource& source);
  /// Queues the steps of a graph one by one, so that events inside it part its work, and branches
  /// have no order among themselves. Returns what comes after all of it waits for.
  std::vector<OperationPointer> queue_steps(const Stream& stream, const GraphProgram& program,
                                            const std::vector<OperationPointer>& before,
                                            const OrderedSource& source);
  cudaError_t execute_now(const Stream& stream, const Work& work);
  std::vector<OperationPointer> dependencies(const Stream& stream) const;
  /// What comes next on the stream is behind the work of this number, and others in front of it.
  std::uint64_t last_in_front(const Stream& stream) const;
  std::uint64_t last_in_front(const Event& event) const {
    return event.behind == 0 ? last_work_ : event.behind;
  }
  template <class Awaited>
  cudaError_t poll_for(Awaited& awaited);
  void wait_on_host(std::uint64_t behind);
  void note_kernel(const Work& work);
  void seen_done(std::uint64_t behind) { last_kernel_ = behind < last_kernel_ ? last_kernel_ : 0; }
  void run(const std::vector<OperationPointer>& targets);
  cudaError_t execute_pending(Operation& operation);
  /// Closes what a kernel shares with the host until it has run.
  void close_to_host_code(Operation& operation);
  /// Watches a kernel that may begin before the one in front of it has ended, and that one.
  static void watch_early(Operation& operation, const Stream& stream);
  static std::optional<UsesByLine> given_in_front(const Operation& last);
  static void look_in_front(Operation& operation);
  /// Whether work of another stream may race with what runs now.
  bool may_race() const;

  Stream legacy_;
  std::map<Stream*, std::unique_ptr<Stream>> streams_;
  std::map<std::thread::id, Stream*> per_thread_;
  std::unordered_map<const Event*, EventPointer> events_;
  std::set<OperationPointer> pending_;
  const Operation* running_ = nullptr;
  PendingSources pending_sources_;
  HostTouches host_touches_;
  Polls polls_;
  UnseenWaits unseen_waits_;
  std::map<std::uint64_t, std::size_t> pending_by_stream_;
  std::map<std::uint64_t, std::string> names_;  ///< of streams
  bool any_given_ = false;  ///< somebody told streams apart by names, so that one is the given one
  StreamRaces races_;
  bool told_race_ = false;
  std::vector<std::function<void()>> when_idle_;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t last_work_ = 1;    ///< that was asked for: works are numbered from 2 on
  std::uint64_t last_kernel_ = 0;  ///< of which the host does not know that it is done; 0: none
  std::string last_kernel_name_;
  std::uint64_t host_behind_ = 1;
  std::uint64_t next_stream_id_ = 1;
  std::uint64_t traversal_ = 0;
};

/// The calling thread's rule for calls that could disturb a capture; returns the previous one.
cudaStreamCaptureMode exchange_thread_capture_mode(cudaStreamCaptureMode mode);

inline cudaEvent_t handle_of(const EventPointer& event) {
  return reinterpret_cast<cudaEvent_t>(event.get());
}

}  // namespace klab::sim
