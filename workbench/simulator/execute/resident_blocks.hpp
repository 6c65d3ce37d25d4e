// A worker's part of a launch: which blocks it has running, and when it starts more.
#pragma once
#include <chrono>
#include <memory>
#include <vector>

#include "simulator/base/worker_pool.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

// That the device holds at once, by their threads alone.
std::uint64_t most_resident_blocks(std::uint32_t threads_per_block);

// Takes clusters of blocks (mostly single blocks) from the launch until none are left. A cluster
// runs to its end before the next is begun, unless its threads wait for other blocks: then more are
// begun, up to what a GPU would hold, and they take turns.
class ResidentBlocks final : public Turns {
 public:
  ResidentBlocks(LaunchState& launch, WorkerState& worker)
      : launch_(launch), worker_(worker), clusters_(worker.resident) {}

  // `wake` is called when the launch has lasted long enough for other threads to be of help.
  void run(const std::function<void()>& wake);
  // Where the launch is to watch it.
  const TouchedMemory& touched() const { return touched_; }
  const KernelUses& uses() const { return uses_; }

  Round take_turns() override;
  void collect(std::vector<const BlockState*>& blocks) const override;

 private:
  enum class Outcome { finished, waiting, stopped };
  using Clock = std::chrono::steady_clock;

  bool start();
  std::unique_ptr<ClusterState> spare_cluster();
  void prepare(BlockState& block);
  void make_memory(BlockState& block);
  void fill_shared(BlockState& block) const;
  bool watches_threads(const BlockState& block) const;
  void begin(BlockState& block);
  Outcome run_cluster(ClusterState& cluster);
  void note_stopped(const ClusterState& cluster);
  std::size_t most_resident() const;
  std::size_t least_resident() const;
  bool next_may_be_the_last() const;
  void note_all_waiting();
  void work(const std::function<void()>& wake);
  bool seems_still(Clock::time_point now);

  LaunchState& launch_;
  WorkerState& worker_;
  std::vector<std::unique_ptr<ClusterState>>& clusters_;
  bool exhausted_ = false;
  bool finished_one_ = false;  // in the last round
  Clock::time_point still_since_;
  Clock::duration look_after_ = std::chrono::seconds(2);
  TouchedMemory touched_;
  KernelUses uses_;
};

}  // namespace klab::sim
