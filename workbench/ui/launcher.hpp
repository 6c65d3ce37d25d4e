// Launcher: the seam between the window and a check that runs elsewhere.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "core/check.hpp"

namespace klab::ui {

/// What a launcher hands over: events while the check runs, then its result, once.
using RunEvent = std::variant<CheckEvent, CheckResult>;

/// Runs one check at a time away from the window's thread.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Starts a check; ignored while one runs.
  virtual void start(CheckRequest request) = 0;
  /// Asks the running check to end; its result still arrives.
  virtual void cancel() = 0;
  virtual bool busy() const = 0;
  /// Everything that arrived since the last call, in order. Never waits.
  virtual std::vector<RunEvent> drain() = 0;
};

using CheckFunction =
    std::function<CheckResult(const CheckRequest&, const OnCheckEvent&, const std::atomic<bool>&)>;

/// Runs `check` on a worker thread. `wake` is called from that thread after each event, so that a
/// sleeping event loop can look. The destructor cancels and waits for the thread.
class CheckLauncher : public Launcher {
 public:
  CheckLauncher(CheckFunction check, std::function<void()> wake);
  ~CheckLauncher() override;
  void start(CheckRequest request) override;
  void cancel() override { canceled_ = true; }
  bool busy() const override { return busy_; }
  std::vector<RunEvent> drain() override;

 private:
  void push(RunEvent event);

  CheckFunction check_;
  std::function<void()> wake_;
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> busy_ = false;
  std::mutex mutex_;
  std::vector<RunEvent> queue_;
  std::thread thread_;
};

}  // namespace klab::ui
