// SimulatorCounters: the simulator's counts behind the same interface as CUPTI's.
#pragma once

#include <string>
#include <vector>

#include "runner/phases/counter_source.hpp"
#include "runner/simulated/simulator_link.hpp"

namespace klab::runner {

/// The value of one catalogue metric over a report, labelled `modelled` if any count it rests on
/// is (one of none beside exact ones does not matter), else `counted`; absent with a reason where
/// the simulator cannot know.
CounterValue simulated_value(const std::string& name, const SimulatorReport& report,
                             double least_bytes);

class SimulatorCounters : public CounterSource {
 public:
  /// `metrics` are catalogue names.
  explicit SimulatorCounters(std::vector<std::string> metrics) : metrics_(std::move(metrics)) {}
  record::CounterSet count(const Countable& countable) override;
  std::vector<LineHeat> lines() const override { return lines_; }

 private:
  std::vector<std::string> metrics_;
  std::vector<LineHeat> lines_;
};

}  // namespace klab::runner
