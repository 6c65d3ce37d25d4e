// Starting blocks, letting them take turns, and reusing their memory.
#include "simulator/execute/resident_blocks.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <thread>

#include "simulator/base/own_threads.hpp"
#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/warp/scheduler.hpp"

namespace klab::sim {

namespace {

// Of its first blocks a launch is so short that waking other threads would cost more than it saves.
constexpr auto worth_waking = std::chrono::microseconds(100);
// Other threads of the launch may have no processor of their own: what they are waited for comes
// sooner if they get this one. Given away more often, it would on a busy machine be had by other
// programs nearly all the time.
constexpr auto worth_giving_way = std::chrono::milliseconds(1);
// Blocks of which each lets the others go first: enough for one to come between.
constexpr std::size_t side_by_side = 4;
// Turns that all resident blocks waste on waiting before another block is started.
constexpr std::uint64_t rounds_per_start = 8;

}  // namespace

std::uint64_t most_resident_blocks(std::uint32_t threads_per_block) {
  const DeviceLimits& limits = Device::limits();
  const std::uint32_t per_multiprocessor = std::min(
      limits.blocks_per_multiprocessor, limits.threads_per_multiprocessor / threads_per_block);
  return std::uint64_t{per_multiprocessor} * limits.multiprocessors;
}

void ResidentBlocks::run(const std::function<void()>& wake) {
  launch_.standstill.enter(*this);
  work(wake);
  launch_.standstill.leave(*this);
  std::move(clusters_.begin(), clusters_.end(), std::back_inserter(worker_.spare));
  clusters_.clear();
}

void ResidentBlocks::work(const std::function<void()>& wake) {
  // A launch that nobody helps with looks at no clock before its threads wait for something.
  bool woken = wake == nullptr;
  const auto begun = woken ? Clock::time_point() : Clock::now();
  auto gave_way = still_since_ = begun;
  std::uint64_t fruitless = 0;
  // What waits for each other must be resident together: all blocks of a cooperative launch.
  if (launch_.config.cooperative)
    while (start()) {
    }
  while (!launch_.stop.load(std::memory_order_relaxed)) {
    while (launch_.limits.warps_in_reverse && clusters_.size() < least_resident() && start()) {
    }
    if (clusters_.empty() && !start()) break;
    if (!woken && Clock::now() - begun > worth_waking) {
      woken = true;
      wake();
    }
    const Round round = take_turns();
    if (round == Round::stopped || finished_one_ || clusters_.empty()) continue;
    // What they wait for may lie in their own warps or on another thread: more blocks come slowly.
    const bool for_long = ++fruitless % rounds_per_start == 0;
    const bool more = for_long || (round == Round::still && !next_may_be_the_last());
    const bool may_start = more && clusters_.size() < most_resident();
    if (may_start) note_all_waiting();
    const bool started = may_start && start();
    const auto now = Clock::now();
    if (started || round == Round::moved || still_since_ == Clock::time_point()) still_since_ = now;
    if (!started && seems_still(now)) launch_.standstill.meet();
    if (started || now - gave_way < worth_giving_way) continue;
    std::this_thread::yield();
    gave_way = now;
  }
}

Turns::Round ResidentBlocks::take_turns() {
  finished_one_ = false;
  bool moved = false;
  for (std::size_t i = 0; i < clusters_.size();) {
    for (const auto& block : clusters_[i]->blocks) block->moved = false;
    const Outcome outcome = run_cluster(*clusters_[i]);
    if (outcome == Outcome::stopped) return Round::stopped;
    for (const auto& block : clusters_[i]->blocks) moved |= block->moved;
    if (outcome == Outcome::finished) {
      finished_one_ = true;
      // Its shared memory stayed readable until now, for those of its blocks that ended last.
      worker_.spare.push_back(std::move(clusters_[i]));
      clusters_.erase(clusters_.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  return moved || finished_one_ ? Round::moved : Round::still;
}

void ResidentBlocks::collect(std::vector<const BlockState*>& blocks) const {
  for (const auto& cluster : clusters_)
    for (const auto& block : cluster->blocks)
      if (!block->finished) blocks.push_back(block.get());
}

// Long enough for a look at all blocks to be worth its time, or beyond the budget. Before that,
// another thread of the host program may do what they wait for, if there is one and it shares
// memory with them.
bool ResidentBlocks::seems_still(Clock::time_point now) {
  if (!launch_.part.empty()) return false;  // those left out may do it
  if (!exhausted_ && clusters_.size() < most_resident()) return false;
  if (launch_.over_budget.load(std::memory_order_relaxed)) return true;
  if (now - still_since_ < look_after_) return false;
  look_after_ *= 2;
  const DeviceMemory& memory = *launch_.memory;
  return (memory.living(MemoryKind::managed).empty() &&
          memory.living(MemoryKind::pinned).empty()) ||
         are_all_threads(launch_.own_threads);
}

// Blocks that wait keep their place; a GPU holds only so many.
std::size_t ResidentBlocks::most_resident() const {
  return std::max<std::size_t>(1, most_resident_blocks(launch_.threads_per_block) /
                                      launch_.cluster.count() / launch_.workers);
}

std::size_t ResidentBlocks::least_resident() const {
  return std::min(side_by_side, most_resident());
}

// Who waits for all others is told by the last one, which therefore comes slowly; with more threads
// one might only wait for the turn of another.
bool ResidentBlocks::next_may_be_the_last() const {
  return launch_.workers > 1 ||
         launch_.next_cluster.load(std::memory_order_relaxed) + 1 >= launch_.clusters;
}

// The last block is to be started since all others wait, and none has ended: a barrier of the grid.
// With more threads one might only wait for the turn of another.
void ResidentBlocks::note_all_waiting() {
  constexpr std::uint64_t many = 8;
  const std::uint64_t with_the_next = clusters_.size() + 1;
  if (launch_.workers != 1 || !launch_.part.empty() || with_the_next < many ||
      with_the_next != launch_.clusters || launch_.blocks_done.load() != 0)
    return;
  launch_.all_waited |= launch_.standstill.comes_back();
}

// With as many blocks as the launch's have, in whatever state the last one left them.
std::unique_ptr<ClusterState> ResidentBlocks::spare_cluster() {
  std::unique_ptr<ClusterState> cluster;
  if (worker_.spare.empty()) {
    cluster = std::make_unique<ClusterState>();
  } else {
    cluster = std::move(worker_.spare.back());
    worker_.spare.pop_back();
  }
  const auto count = static_cast<std::uint32_t>(launch_.cluster.count());
  cluster->blocks.resize(count);
  for (auto& block : cluster->blocks)
    if (block == nullptr) block = std::make_unique<BlockState>();
  cluster->arrived = 0;
  cluster->generation = 0;
  cluster->live_threads = count * launch_.threads_per_block;
  cluster->relaxed = false;
  return cluster;
}

bool ResidentBlocks::start() {
  if (exhausted_) return false;
  const std::vector<std::uint64_t>& part = launch_.part;
  std::uint64_t number = launch_.next_cluster.fetch_add(1, std::memory_order_relaxed);
  if (number >= (part.empty() ? launch_.clusters : part.size())) {
    exhausted_ = true;
    return false;
  }
  if (!part.empty()) number = part[number];
  auto cluster = spare_cluster();
  const Dim3 &grid = launch_.config.grid, &size = launch_.cluster;
  const std::uint64_t across = grid.x / size.x, down = grid.y / size.y;
  const auto first_x = static_cast<std::uint32_t>(number % across * size.x);
  const auto first_y = static_cast<std::uint32_t>(number / across % down * size.y);
  const auto first_z = static_cast<std::uint32_t>(number / across / down * size.z);
  std::uint32_t rank = 0;
  for (std::uint32_t z = 0; z < size.z; ++z)
    for (std::uint32_t y = 0; y < size.y; ++y)
      for (std::uint32_t x = 0; x < size.x; ++x) {
        BlockState& block = *cluster->blocks[rank];
        block.index = {first_x + x, first_y + y, first_z + z};
        block.number =
            (std::uint64_t{block.index.z} * grid.y + block.index.y) * grid.x + block.index.x;
        block.rank = rank++;
        block.cluster_number = number;
        block.cluster = cluster.get();
        block.launch = &launch_;
        begin(block);
      }
  clusters_.push_back(std::move(cluster));
  return !launch_.stop.load(std::memory_order_relaxed);
}

// Shared memory starts with whatever was there. With full checks that is NaN, a large number or one
// next to zero, in turn, so that results which depend on it come out wrong.
void ResidentBlocks::fill_shared(BlockState& block) const {
  constexpr unsigned char anything[] = {0xff, 0x7f, 0x81};
  if (!launch_.geometry.full_checks || launch_.shared_bytes == 0) return;
  std::memset(block.shared.data(), anything[(block.number + launch_.number) % std::size(anything)],
              launch_.shared_bytes);
}

// Memory for the launch's geometry, and slots that hold for all its blocks.
void ResidentBlocks::prepare(BlockState& block) {
  const FunctionCode& kernel = launch_.program->functions[0];
  if (block.geometry == launch_.geometry && !block.warps.empty()) {
    const auto& now = launch_.config.parameters;
    if (std::equal(now.begin(), now.end(), block.parameters.begin(), block.parameters.end()))
      return;
    for (WarpState& state : block.warps) fill_parameter_slots(state, kernel, launch_);
    block.parameters.assign(now.begin(), now.end());
    return;
  }
  const bool fits = block.geometry.has_blocks_of(launch_.geometry) &&
                    block.frames.size() == launch_.frame_bytes * block.warps.size();
  if (block.warps.empty() || !fits) make_memory(block);
  if (launch_.stop.load(std::memory_order_relaxed)) return;
  for (WarpState& state : block.warps) fill_slots(state, kernel, launch_, block, state.frames, 0);
  block.geometry = launch_.geometry;
  block.parameters.assign(launch_.config.parameters.begin(), launch_.config.parameters.end());
}

// Of the warps, and of the checker.
void ResidentBlocks::make_memory(BlockState& block) {
  const std::size_t warps = launch_.warps_per_block;
  block.warps.clear();
  block.frames = HostPages(warps * launch_.frame_bytes);
  block.local = HostPages(warps * launch_.local_bytes * lane_count);
  const std::uint32_t shared_bytes = launch_.resident_shared_bytes();
  block.shared = HostPages(shared_bytes);
  if (block.frames.failed() || block.local.failed() || block.shared.failed())
    return launch_.fail(
        FaultCode::out_of_memory,
        "This machine has too little memory for the state of the kernel's threads.");
  if (shared_bytes > 0) std::memset(block.shared.data(), 0xcd, shared_bytes);
  block.warps.resize(warps);
  for (std::uint32_t i = 0; i < warps; ++i) {
    WarpState& state = block.warps[i];
    state.frames = block.frames.data() + std::size_t{i} * launch_.frame_bytes;
    state.warp.index = i;
    state.warp.local = block.local.data() + std::size_t{i} * launch_.local_bytes * lane_count;
    state.warp.local_bytes = launch_.local_bytes;
    state.warp.shared = block.shared.data();
    state.warp.shared_bytes = shared_bytes;
    state.warp.sites = worker_.sites.data();
    state.warp.patterns = worker_.patterns.data();
    state.warp.block = &block;
    state.warp.frame = state.frames;
  }
  block.checker = launch_.geometry.full_checks
                      ? std::make_unique<Checker>(
                            shared_bytes, launch_.threads_per_block,
                            static_cast<std::uint32_t>(launch_.cluster.count()), *launch_.program)
                      : nullptr;
}

// Blocks do much the same: the first ones, some of the others and the last stand for all.
bool ResidentBlocks::watches_threads(const BlockState& block) const {
  constexpr std::uint64_t first = 8, one_of = 32;
  return block.number < first || block.number % one_of == 0 || block.number + 1 == launch_.blocks;
}

void ResidentBlocks::begin(BlockState& block) {
  prepare(block);
  if (launch_.stop.load(std::memory_order_relaxed)) return;
  const FunctionCode& kernel = launch_.program->functions[0];
  block.live_threads = launch_.threads_per_block;
  block.finished = false;
  block.rounds_in_vain = 0;
  if (!launch_.program->barriers.empty())
    for (BarrierState& barrier : block.barriers)
      barrier = BarrierState{.generation = barrier.generation};
  fill_shared(block);
  if (block.checker != nullptr) {
    block.checker->join_cluster(*block.cluster->blocks[0]->checker, block.rank);
    block.checker->begin_block(launch_.limits.watch_memory ? &touched_ : nullptr,
                               launch_.limits.watch_lines ? &uses_ : nullptr, block.cluster_number,
                               launch_.block_order, watches_threads(block));
  }
  fill_block_slots(block, kernel, launch_);
  for (WarpState& state : block.warps) {
    const std::uint32_t threads = launch_.threads_per_block - state.warp.index * lane_count;
    const std::uint32_t mask = threads >= lane_count ? all_lanes : (1u << threads) - 1;
    state.warp.launch = &launch_;
    state.warp.checker = block.checker.get();
    state.warp.stop = state.warp.polling = false;
    state.began = state.warp.clock;
    state.exited = state.waited = state.gave_way = false;
    state.splits.resize(1);
    Split& split = state.splits[0];
    split.state = Split::State::ready;
    split.passed_sync = -1;
    split.passes_once = false;
    split.at = none;
    split.barrier_index = none;
    split.paths.clear();
    split.paths.push_back({kernel.entry, -1, mask, 0});
    split.activations.clear();
    split.activations.push_back({});
    state.frame_top = kernel.frame_bytes;
  }
}

void ResidentBlocks::note_stopped(const ClusterState& cluster) {
  std::vector<std::uint64_t> executed;
  for (const auto& block : cluster.blocks)
    for (const WarpState& state : block->warps) executed.push_back(state.warp.clock - state.began);
  const std::uint64_t most = *std::max_element(executed.begin(), executed.end());
  const auto ahead = std::count_if(executed.begin(), executed.end(),
                                   [&](std::uint64_t one) { return one >= most / 2; });
  const std::lock_guard lock(launch_.mutex);
  launch_.stopped = {executed.size(), static_cast<std::uint64_t>(ahead)};
}

ResidentBlocks::Outcome ResidentBlocks::run_cluster(ClusterState& cluster) {
  bool all_finished = true, all_stuck = true;
  for (auto& block : cluster.blocks) {
    if (block->finished) continue;
    switch (run_block(*block, worker_)) {
      case BlockOutcome::finished:
        block->finished = true;
        all_stuck = false;
        launch_.blocks_done.fetch_add(1, std::memory_order_relaxed);
        break;
      case BlockOutcome::waiting:
        all_finished = all_stuck = false;
        break;
      case BlockOutcome::stuck:
        all_finished = false;
        break;
      case BlockOutcome::deadlock:
        launch_.fail(FaultCode::barrier_deadlock, describe_deadlock(*block));
        return Outcome::stopped;
      case BlockOutcome::stopped:
        note_stopped(cluster);
        return Outcome::stopped;
    }
  }
  if (all_finished) return Outcome::finished;
  if (!all_stuck) return Outcome::waiting;
  launch_.fail(FaultCode::barrier_deadlock,
               "The blocks of a cluster wait at a cluster barrier that not all of them reach.");
  return Outcome::stopped;
}

}  // namespace klab::sim
