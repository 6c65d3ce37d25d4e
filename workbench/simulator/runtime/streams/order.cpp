// Recording the order of calls and work.
#include "simulator/runtime/streams/order.hpp"

#include <algorithm>

namespace klab::sim {

std::string_view name_of(OrderedKind kind) {
  constexpr std::string_view names[] = {"call", "kernel", "copy", "fill", "memory"};
  return names[static_cast<std::size_t>(kind)];
}

void OrderLog::start() {
  *this = OrderLog();
  on_ = true;
}

OrderedEvent* OrderLog::place(OrderedEvent event) {
  event.begin = step_++;
  event.end = step_;
  if (events_.size() >= most_events) {
    ++dropped_;
    return nullptr;
  }
  return &events_.emplace_back(std::move(event));
}

void OrderLog::add(OrderedEvent event) {
  if (!on_) return;
  event.call = source_.call;
  event.stream = source_.stream;
  place(std::move(event));
}

void OrderLog::add_memory(const char* name, const char* kind, std::uint64_t bytes) {
  if (!on_) return;
  place({.kind = OrderedKind::memory, .name = name, .call = call_, .bytes = bytes, .to = kind});
}

OrderedCall::OrderedCall(OrderLog& log, const char* name) : log_(log) {
  // What nvcc's code asks for a launch is no call of the program.
  if (!log.on_ || std::string_view(name) == "cudaGetKernel") return;
  const auto self = std::this_thread::get_id();
  auto thread = std::find(log.threads_.begin(), log.threads_.end(), self);
  if (thread == log.threads_.end()) thread = log.threads_.insert(log.threads_.end(), self);
  log.call_ = ++log.calls_;
  if (log.place({.name = name,
                 .call = log.call_,
                 .thread = static_cast<std::uint32_t>(thread - log.threads_.begin())}))
    event_ = log.events_.size() - 1;
}

OrderedCall::~OrderedCall() {
  // A log that was started anew inside the call knows nothing of it.
  if (event_ && *event_ < log_.events_.size()) log_.events_[*event_].end = log_.step_;
  log_.call_ = 0;
}

}  // namespace klab::sim
