// ProcessControl: talking to a process while run_process() runs it, from another thread.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/files.hpp"

namespace klab {

/// Where a process finds the descriptor that it was handed over.
inline constexpr int handed_over_descriptor = 4;

/// What is done before the process has started or after it has ended does nothing, but for what is
/// written before: that is written once it has started.
class ProcessControl {
 public:
  using Clock = std::chrono::steady_clock;

  ProcessControl();
  ProcessControl(const ProcessControl&) = delete;
  ProcessControl& operator=(const ProcessControl&) = delete;

  /// Adds to its standard input, behind ProcessRequest::input.
  void write(std::string_view text);
  /// No more input: its standard input is closed once everything is written.
  void close_input();
  /// Before it starts: the process has this as handed_over_descriptor, and we no longer.
  void hand_over(Descriptor descriptor);
  /// The time limit does not run until begin().
  void hold();
  void begin();
  /// Stops its whole process group, or lets it go on.
  void pause();
  void go_on();

  // For run_process().
  Descriptor take_handed_over();
  void started(pid_t group);
  void ended();
  /// Readable when there may be something to take.
  int wake_descriptor() const { return wake_.get(); }
  /// Since when the time limit runs; absent while it does not.
  std::optional<Clock::time_point> begun() const;
  /// Moves what was written to the end of `input`; false once no more will come.
  bool take(std::string& input);

 private:
  void send(int signal);
  void wake();

  mutable std::mutex mutex_;
  std::string written_;
  bool closed_ = false;
  std::optional<Clock::time_point> begun_ = Clock::now();
  pid_t group_ = 0;
  Descriptor handed_over_;
  Descriptor wake_;
};

}  // namespace klab
