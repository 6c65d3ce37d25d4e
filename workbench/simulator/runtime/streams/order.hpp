// The order in which the program called and the device worked, in steps: there is no clock to time
// it with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace klab::sim {

enum class OrderedKind : std::uint8_t { call, kernel, copy, fill, memory };
std::string_view name_of(OrderedKind kind);

/// Everything takes one step of its own, and a call also the steps of what ran inside it.
struct OrderedEvent {
  OrderedKind kind = OrderedKind::call;
  std::string name;         ///< of a call or kernel; "allocate" or "release"
  std::uint64_t begin = 0;  ///< [begin, end)
  std::uint64_t end = 0;
  std::uint32_t call = 0;    ///< number of the call, or of the one that asked for the work
  std::uint32_t thread = 0;  ///< of a call: in the order in which threads first called
  std::optional<std::uint64_t> stream;
  std::optional<std::uint64_t> bytes;
  std::string from, to;  ///< kinds of memory: "device", "pinned", "managed", "pageable"
};

/// Which call asked for work, and for which stream.
struct OrderedSource {
  std::uint32_t call = 0;
  std::optional<std::uint64_t> stream;
};

class OrderLog {
 public:
  /// Forgets what it holds, and records from now on.
  void start();
  void stop() { on_ = false; }
  bool on() const { return on_; }
  std::uint64_t step() const { return step_; }
  const std::vector<OrderedEvent>& events() const { return events_; }
  std::uint64_t dropped() const { return dropped_; }

  /// Whose work runs, or is queued, from now on.
  void work_for(OrderedSource source) { source_ = source; }
  OrderedSource asked_by_call(std::uint64_t stream) const { return {call_, stream}; }

  /// Work of the source at hand; it takes one step.
  void add(OrderedEvent event);
  /// Memory of the call at hand.
  void add_memory(const char* name, const char* kind, std::uint64_t bytes);

 private:
  friend class OrderedCall;
  /// Far beyond any lab.
  static constexpr std::size_t most_events = 200'000;

  OrderedEvent* place(OrderedEvent event);

  bool on_ = false;
  std::uint64_t step_ = 0, dropped_ = 0;
  std::uint32_t call_ = 0, calls_ = 0;
  OrderedSource source_;
  std::vector<OrderedEvent> events_;
  std::vector<std::thread::id> threads_;
};

/// A call of the CUDA runtime, from its begin to its end.
class OrderedCall {
 public:
  OrderedCall(OrderLog& log, const char* name);
  ~OrderedCall();
  OrderedCall(const OrderedCall&) = delete;
  OrderedCall& operator=(const OrderedCall&) = delete;

 private:
  OrderLog& log_;
  std::optional<std::size_t> event_;
};

}  // namespace klab::sim
