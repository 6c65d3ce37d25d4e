// PhaseAhead: a phase whose runner starts while something else still goes on.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "core/process/process_control.hpp"
#include "core/wire/phase_outcome.hpp"

namespace klab {

/// Waking a device takes longer than most phases do afterwards. The runner has done so by the time
/// that it is let begin; until then it has loaded nothing of what is judged.
class PhaseAhead {
 public:
  /// Starts `runner`; arguments as of run_local_phase(). The time limit runs from run() on.
  PhaseAhead(std::filesystem::path runner, Request request, double time_limit_s, bool open_room);
  /// Ends it, however far it is.
  ~PhaseAhead();
  PhaseAhead(const PhaseAhead&) = delete;
  PhaseAhead& operator=(const PhaseAhead&) = delete;

  const Request& request() const { return request_; }
  /// Whether its device is, or it has ended; and until then.
  bool is_awake() const { return is_awake_ || is_over_; }
  void wait_until_awake(const std::atomic<bool>* canceled) const;
  /// Ends it without waiting for its end.
  void give_up() { given_up_ = true; }
  /// Lets it begin and waits until it has said all it has to say: its process may take longer to
  /// let go of its device, and what it printed is known only then. Its seconds are those since it
  /// began. Called once.
  PhaseOutcome run(const std::function<void(const Record&)>& on_record,
                   const std::atomic<bool>* canceled);
  /// What it left behind, once its process has ended. After run().
  const PhaseOutcome& at_end();

 private:
  void take(const Record& record);
  PhaseOutcome outcome();

  const Request request_;
  ProcessControl control_;
  std::mutex mutex_;
  const std::function<void(const Record&)>* on_record_ = nullptr;
  std::vector<Record> said_;  ///< also before anybody listened
  std::atomic<bool> given_up_ = false, is_awake_ = false, is_done_ = false, is_over_ = false;
  PhaseOutcome outcome_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace klab
