// ReplayLauncher: plays a recording as if the check ran now. For demonstrations and tests.
#pragma once

#include <functional>

#include "ui/replay/recording.hpp"

namespace klab::ui {

class ReplayLauncher : public Launcher {
 public:
  /// `now_s` is the clock that decides which events are due. `speed` 0 delivers all at once.
  ReplayLauncher(Recording recording, std::function<double()> now_s, double speed = 1);
  void start(CheckRequest request) override;
  /// Delivers the recorded investigation of that kind, or one whose error says that there is none.
  void investigate(InvestigationRequest request) override;
  /// Delivers an error that says why not.
  void measure_ceilings(CeilingsRequest request) override;
  void cancel() override;
  bool busy() const override { return busy_; }
  std::vector<RunEvent> drain() override;

 private:
  Recording recording_;
  std::function<double()> now_s_;
  double speed_;
  bool busy_ = false;
  bool canceled_ = false;
  double began_s_ = 0;
  std::size_t next_ = 0;
  std::string lab_;
  std::optional<RunEvent> asked_;  ///< to be delivered at the next drain
};

}  // namespace klab::ui
