// RunnerTalk: one runner process that works in turns.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/process/process_control.hpp"
#include "core/verdict/variant_name.hpp"
#include "core/wire/phase_outcome.hpp"

namespace klab {

/// Starts a runner, which is stopped whenever it is not its turn. It answers what it was asked and
/// nothing else: an answer that nobody asked for ends it as a breach of the protocol.
class RunnerTalk {
 public:
  /// `request` names one kernel file, for whose variant this runner speaks, whatever its records
  /// say. One that waits begins with its first turn, from which the time limit runs. `canceled`
  /// ends it. `handed_over`: see ProcessControl.
  RunnerTalk(std::filesystem::path runner, Request request, double time_limit_s,
             const std::atomic<bool>* canceled, Descriptor handed_over = {});
  /// Ends it, however far it is.
  ~RunnerTalk();
  RunnerTalk(const RunnerTalk&) = delete;
  RunnerTalk& operator=(const RunnerTalk&) = delete;

  /// Until its device is awake, or it has ended.
  void wait_until_awake();
  /// Ends it without waiting for its end.
  void give_up() { given_up_ = true; }

  struct Answer {
    Record record;       ///< a Sample or a Verified
    double seconds = 0;  ///< from asking to the answer
  };
  /// Gives it the turn and waits. Errors: however it ended before it answered.
  Result<Answer> ask(const Turn& turn);
  /// Closes its input and waits until it has said all it has to say: its process may take longer to
  /// let go of its device.
  PhaseOutcome end();

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::filesystem::path& runner, const Request& request, double time_limit_s);
  void let_begin();
  void take(const Record& record);
  Error ending() const;

  const VariantName variant_;
  const std::atomic<bool>* canceled_;
  ProcessControl control_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Record> answers_;
  std::optional<Clock::time_point> answered_;
  std::vector<Record> said_;
  bool waits_ = false, is_awake_ = false, is_asked_ = false, is_done_ = false, is_over_ = false;
  std::optional<Error> breach_;
  std::atomic<bool> given_up_ = false;
  PhaseOutcome outcome_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace klab
