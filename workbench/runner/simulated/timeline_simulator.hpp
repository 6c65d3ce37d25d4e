// SimulatorOrder: the order of calls and work on the simulated GPU, in steps.
#pragma once

#include "runner/phases/timeline_source.hpp"

namespace klab::runner {

class SimulatorOrder : public TimelineSource {
 public:
  void begin() override;
  std::int64_t now() const override;
  VariantTimeline end(VariantName variant, std::vector<TimelineRun> runs) override;
};

/// The events of klab_sim_order as a recording of order only. Errors: RunnerError with
/// runner_failed for text that is none.
VariantTimeline order_from(const std::string& text, VariantName variant,
                           std::vector<TimelineRun> runs);

}  // namespace klab::runner
