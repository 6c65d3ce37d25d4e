// Launcher: the seam between the window and a check that runs elsewhere.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "core/check/check.hpp"
#include "core/investigate/investigation.hpp"
#include "core/measure/ceilings.hpp"

namespace klab::ui {

/// What a launcher hands over: events while something runs, then its result, once.
using RunEvent = std::variant<CheckEvent, CheckResult, Investigation, Result<Ceilings>>;

/// A device whose ceilings are to be measured.
struct CeilingsRequest {
  GivenTree tree;
  DeviceFacts device;
};

/// Runs one check, investigation or measuring of the ceilings at a time away from the window's
/// thread.
class Launcher {
 public:
  virtual ~Launcher() = default;
  /// Starts a check; ignored while one runs.
  virtual void start(CheckRequest request) = 0;
  /// Starts an investigation; ignored while anything runs.
  virtual void investigate(InvestigationRequest request) = 0;
  /// Starts measuring what the device can do at best; ignored while anything runs.
  virtual void measure_ceilings(CeilingsRequest request) = 0;
  /// Asks what is running to end; its result still arrives.
  virtual void cancel() = 0;
  virtual bool busy() const = 0;
  /// Everything that arrived since the last call, in order. Never waits.
  virtual std::vector<RunEvent> drain() = 0;
};

using CheckFunction =
    std::function<CheckResult(const CheckRequest&, const OnCheckEvent&, const std::atomic<bool>&)>;

using InvestigateFunction = std::function<Investigation(
    const InvestigationRequest&, const OnCheckEvent&, const std::atomic<bool>&)>;

using MeasureCeilingsFunction = std::function<Result<Ceilings>(
    const CeilingsRequest&, const OnCheckEvent&, const std::atomic<bool>&)>;

/// What a launcher calls on its thread.
struct Work {
  CheckFunction check;
  InvestigateFunction investigate;
  MeasureCeilingsFunction measure_ceilings;
};

/// Runs the work on a worker thread. `wake` is called from that thread after each event, so that a
/// sleeping event loop can look. The destructor cancels and waits for the thread.
class WorkLauncher : public Launcher {
 public:
  WorkLauncher(Work work, std::function<void()> wake);
  ~WorkLauncher() override;
  void start(CheckRequest request) override;
  void investigate(InvestigationRequest request) override;
  void measure_ceilings(CeilingsRequest request) override;
  void cancel() override { canceled_ = true; }
  bool busy() const override { return busy_; }
  std::vector<RunEvent> drain() override;

 private:
  void push(RunEvent event);
  /// Runs `act`, which returns the last event, on the worker thread.
  void run(std::function<RunEvent()> act);

  Work work_;
  std::function<void()> wake_;
  std::atomic<bool> canceled_ = false;
  std::atomic<bool> busy_ = false;
  std::mutex mutex_;
  std::vector<RunEvent> queue_;
  std::thread thread_;
};

}  // namespace klab::ui
