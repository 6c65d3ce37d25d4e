// RunnerSides: the sides of a timing, each a runner of this machine.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "core/timing/side.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Starts the runners of all kernel files of `request` at once, since starting takes longer than
/// what follows. Each waits, with nothing loaded, until it is its side's turn to start.
class RunnerSides {
 public:
  /// `canceled` ends them.
  RunnerSides(std::filesystem::path runner, Request request, double time_limit_s,
              const std::atomic<bool>* canceled);
  /// Ends those that still wait, and those whose processes have not ended yet, all at once.
  ~RunnerSides();
  RunnerSides(const RunnerSides&) = delete;
  RunnerSides& operator=(const RunnerSides&) = delete;

  /// Ends them without waiting for their ends.
  void give_up();

  const Request& request() const { return request_; }
  /// The one that waits, or, where it was taken already, a new one. All of them are awake then:
  /// waking a device would disturb the clock of the one that is timed. It must not outlive these.
  std::unique_ptr<Side> start(const PluginRequest& plugin);

 private:
  class OneSide;
  class InTurns;

  void start_all();
  std::unique_ptr<OneSide> make(const PluginRequest& plugin) const;
  Request of(const PluginRequest& plugin) const;

  std::filesystem::path runner_;
  Request request_;
  double time_limit_s_;
  const std::atomic<bool>* canceled_;
  std::multimap<VariantName, std::unique_ptr<OneSide>> waiting_;
  std::vector<std::unique_ptr<OneSide>> ended_;
};

}  // namespace klab
