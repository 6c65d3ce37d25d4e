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
  /// Until its device is awake, or it has ended.
  void wait_until_awake(const std::atomic<bool>* canceled) const;
  /// Ends it without waiting for its end.
  void give_up() { given_up_ = true; }
  /// Lets it begin and waits for its end. Its seconds are those since then. Called once.
  PhaseOutcome run(const std::function<void(const Record&)>& on_record,
                   const std::atomic<bool>* canceled);

 private:
  void take(const Record& record);

  const Request request_;
  ProcessControl control_;
  std::mutex mutex_;
  std::vector<Record> early_;  ///< what it said before anybody listened
  const std::function<void(const Record&)>* on_record_ = nullptr;
  std::atomic<bool> given_up_ = false, is_awake_ = false, is_over_ = false;
  PhaseOutcome outcome_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace klab
