// Launching a kernel: checking the configuration, sharing the blocks out, collecting what happened.
#include "simulator/execute/launch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "simulator/base/host_arithmetic.hpp"
#include "simulator/base/own_threads.hpp"
#include "simulator/base/worker_pool.hpp"
#include "simulator/execute/checks/block_order.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/execute/resident_blocks.hpp"

namespace klab::sim {

namespace {

// Frames of called functions that a warp has room for: enough for three calls of each of its lanes,
// and for what its stack has room for, where a call takes at least this.
constexpr std::uint32_t least_called_frames = 96, least_call_bytes = 16;
constexpr std::uint32_t most_called_bytes = 64u << 20;
constexpr std::uint64_t grid_workspace_bytes = 4096;

std::string text(const Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

std::optional<std::string> invalid_block(const KernelInfo& info, const Dim3& block) {
  const DeviceLimits& limits = Device::limits();
  if (block.count() == 0 || block.count() > limits.threads_per_block || block.z > 64)
    return fmt::format(
        "A block of {} threads is not possible: each dimension must be at least 1 and the product "
        "at most {}.",
        text(block), limits.threads_per_block);
  if (info.max_threads != 0 && block.count() > info.max_threads)
    return fmt::format(
        "A block of {} threads exceeds the {} threads of the kernel's __launch_bounds__.",
        block.count(), info.max_threads);
  const auto& required = info.required_threads;
  if (required[0] != 0 && block != Dim3{required[0], required[1], required[2]})
    return fmt::format("The kernel requires blocks of ({}, {}, {}) threads.", required[0],
                       required[1], required[2]);
  return std::nullopt;
}

std::optional<std::string> invalid_cluster(const KernelInfo& info, const LaunchConfig& config,
                                           const Dim3& cluster) {
  const DeviceLimits& limits = Device::limits();
  if (cluster.count() == 0 || cluster.count() > limits.blocks_per_large_cluster)
    return fmt::format("A cluster of {} blocks is not possible: at most {} are.", text(cluster),
                       limits.blocks_per_large_cluster);
  if (config.grid.x % cluster.x != 0 || config.grid.y % cluster.y != 0 ||
      config.grid.z % cluster.z != 0)
    return fmt::format("The grid {} is not a multiple of the cluster {}.", text(config.grid),
                       text(cluster));
  const auto& required = info.required_cluster;
  if (required[0] != 0 && cluster != Dim3{required[0], required[1], required[2]})
    return fmt::format("The kernel requires clusters of ({}, {}, {}) blocks.", required[0],
                       required[1], required[2]);
  return std::nullopt;
}

std::optional<std::string> invalid(const KernelInfo& info, const LaunchConfig& config,
                                   const Dim3& cluster) {
  const DeviceLimits& limits = Device::limits();
  const Dim3& grid = config.grid;
  if (grid.count() == 0 || grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535)
    return fmt::format(
        "A grid of {} blocks is not possible: x must be 1 to 2147483647, y and z 1 to 65535.",
        text(grid));
  if (auto reason = invalid_block(info, config.block)) return reason;
  if (auto reason = invalid_cluster(info, config, cluster)) return reason;
  const std::uint64_t shared =
      std::uint64_t{info.static_shared_bytes} + config.dynamic_shared_bytes;
  if (shared > limits.shared_bytes_per_block)
    return fmt::format("{} bytes of shared memory a block exceed the {} that are possible.", shared,
                       limits.shared_bytes_per_block);
  if (config.parameters.size() < info.parameter_bytes)
    return fmt::format("The kernel takes {} bytes of parameters, {} were given.",
                       info.parameter_bytes, config.parameters.size());
  if (!config.cooperative) return std::nullopt;
  const std::uint64_t resident = std::uint64_t{limits.threads_per_multiprocessor /
                                               static_cast<std::uint32_t>(config.block.count())} *
                                 limits.multiprocessors;
  if (grid.count() > resident)
    return fmt::format(
        "A cooperative launch of {} blocks is too large: {} fit on the device at once.",
        grid.count(), resident);
  return std::nullopt;
}

// Room for frames and local variables of the kernel and of the functions that it calls.
void size_stacks(LaunchState& launch, const Program& program) {
  std::uint32_t largest = 0, local = 0;
  for (std::size_t i = 1; i < program.functions.size(); ++i) {
    largest = std::max(largest, program.functions[i].frame_bytes);
    local += program.functions[i].local_bytes;
  }
  const FunctionCode& kernel = program.functions[0];
  const bool calls = program.functions.size() > 1;
  const std::uint32_t frames = std::clamp(launch.limits.stack_bytes / least_call_bytes,
                                          least_called_frames, most_called_frames);
  const std::uint32_t fit = largest == 0 ? 0 : most_called_bytes / largest;
  const std::uint32_t kept = std::min(frames, std::max(fit, least_called_frames));
  launch.frame_bytes = kernel.frame_bytes + largest * kept;
  launch.stack_may_grow = kept < most_called_frames && kept == frames;
  launch.local_bytes =
      kernel.local_bytes + (calls ? std::max(local, launch.limits.stack_bytes) : 0);
  launch.local_bytes = (launch.local_bytes + 15) / 16 * 16;
}

// A quarter of `count` at either end, the others at even distances in between.
std::vector<std::uint64_t> part_of(std::uint64_t clusters, std::uint64_t count) {
  std::vector<std::uint64_t> part;
  const std::uint64_t edge = count / 4, between = count - 2 * edge;
  for (std::uint64_t i = 0; i < edge; ++i) part.push_back(i);
  for (std::uint64_t i = 0; i < between; ++i)
    part.push_back(edge + (clusters - 2 * edge) / (between + 1) * (i + 1));
  for (std::uint64_t i = edge; i > 0; --i) part.push_back(clusters - i);
  return part;
}

std::vector<std::uint64_t> part_from(std::uint64_t begin, std::uint64_t clusters,
                                     std::uint64_t count) {
  std::vector<std::uint64_t> part(count);
  std::iota(part.begin(), part.end(), std::min(begin, clusters - count));
  return part;
}

// One of each of `count` stretches of equal length, where in it nobody knows beforehand.
std::vector<std::uint64_t> part_drawn(std::uint64_t seed, std::uint64_t clusters,
                                      std::uint64_t count) {
  std::vector<std::uint64_t> part;
  std::mt19937_64 draw(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = clusters * i / count, end = clusters * (i + 1) / count;
    part.push_back(begin + draw() % (end - begin));
  }
  return part;
}

// How many clusters of a launch to run where a share of them is asked for: some of small grids,
// too, so that one that is unlike the others weighs little.
std::uint64_t count_of_share(double share, std::uint64_t clusters) {
  constexpr std::uint64_t least = 8;
  if (share >= 1) return clusters;
  const auto count = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(clusters)));
  return std::min(clusters, std::max(least, count));
}

// Threads that only wait come to where that shows within so many.
std::uint64_t grace_of(std::uint64_t budget) {
  constexpr std::uint64_t least = 1'000'000;
  return std::max(budget / 64, least);
}

}  // namespace

const DeviceLimits& Device::limits() {
  static constexpr DeviceLimits limits;
  return limits;
}

Device::Device(std::uint64_t memory_limit_bytes)
    : memory_(memory_limit_bytes),
      pool_(std::make_unique<WorkerPool>()),
      console_([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }) {
  set_threads(0);
}
Device::~Device() = default;

void Device::set_threads(unsigned threads) {
  const std::lock_guard lock(mutex_);
  const unsigned asked = threads == 0 ? std::thread::hardware_concurrency() : threads;
  pool_->resize(std::clamp(asked, 1u, most_host_threads));
}
unsigned Device::threads() const { return pool_->size(); }
void Device::set_console(std::function<void(std::string_view)> console) {
  const std::lock_guard lock(mutex_);
  console_ = std::move(console);
}

// The words that cooperative groups' grid barrier counts in; zero at the start of every launch.
std::uint64_t Device::grid_workspace() {
  if (grid_workspace_ == 0)
    grid_workspace_ =
        memory_.allocate(grid_workspace_bytes, MemoryKind::module_variable, "grid barrier")
            .value_or(0);
  if (std::byte* words = memory_.host_view(grid_workspace_, grid_workspace_bytes))
    std::fill_n(words, grid_workspace_bytes, std::byte{0});
  memory_.mark_initialized(grid_workspace_, grid_workspace_bytes);
  return grid_workspace_;
}

// Marks for what a launch stores; null where the system gives no room for them.
ByteMap* Device::nothing_stored() {
  if (stored_ == nullptr) stored_ = std::make_unique<ByteMap>(memory_.arena_bytes());
  if (stored_->failed()) return nullptr;
  stored_->clear();
  return stored_.get();
}

// Who used what in this launch; null where blocks may be in some order, or there is but one.
UsesByBlock* Device::nobody_yet(const LaunchState& launch) {
  if (launch.clusters < 2 || launch.program->may_order_blocks) return nullptr;
  if (block_uses_ == nullptr) block_uses_ = std::make_unique<UsesByBlock>(memory_.arena_bytes());
  if (block_uses_->failed()) return nullptr;
  // What was freed is not used again, and takes memory.
  if (block_uses_generation_ != memory_.generation()) block_uses_->forget_all();
  block_uses_generation_ = memory_.generation();
  // Who draws a ticket may know that all have added.
  const auto& roles = launch.program->code_roles;
  const bool any_ticket =
      std::any_of(roles.begin(), roles.end(), [](const OrderRole& role) { return role.acquires; });
  block_uses_->begin(launch.clusters, launch.program->global_unit_bytes, !any_ticket);
  return block_uses_.get();
}

// Of blocks that may be in some order; null where there is nothing to say of it. What CUB's and
// Thrust's kernels hand over is theirs.
static std::unique_ptr<BlockOrder> order_of(const LaunchState& launch) {
  constexpr std::uint64_t most_blocks = 1 << 20;
  const Program& program = *launch.program;
  if (!program.may_order_blocks || launch.info->is_of_cub || launch.cluster.count() > 1 ||
      launch.blocks < 2 || launch.blocks > most_blocks)
    return nullptr;
  return std::make_unique<BlockOrder>(launch.blocks, launch.warps_per_block,
                                      program.global_unit_bytes);
}

/// A cooperative launch is refused where it is too large; of any other one the GPU does not know
/// that its blocks wait for each other.
static std::optional<Finding> deadlock_of_grid(const KernelState& state,
                                               const LaunchState& launch) {
  const std::uint64_t at_once = most_resident_blocks(launch.threads_per_block);
  if (!state.blocks_wait_for_all || launch.config.cooperative || launch.cluster.count() > 1 ||
      launch.blocks <= at_once)
    return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::grid_deadlock;
  finding.kernel = state.program.kernel_name;
  finding.message = fmt::format(
      "The {} blocks of this kernel wait for each other, and at most {} of them are there at once: "
      "the others begin when these have ended, which they never do.",
      launch.blocks, at_once);
  return finding;
}

static Finding unset_variable(const Program& program, std::uint32_t location) {
  Finding finding;
  finding.kind = FindingKind::unset_variable;
  finding.kernel = program.kernel_name;
  finding.where = program.locations[location];
  finding.message =
      "A variable is used here that may have no value yet: give it one where it is declared";
  return finding;
}

LaunchResult Device::launch(Kernel& kernel, const LaunchConfig& config, const Limits& limits) {
  const std::lock_guard lock(mutex_);
  const DefaultArithmetic arithmetic;
  KernelState& state = kernel.state();
  const KernelInfo& info = state.info;
  LaunchState launch;
  launch.config = config;
  launch.limits = limits;
  if (limits.touched_bytes > 0) launch.touched_before = memory_.touched_bytes();
  launch.cluster = config.cluster;
  if (config.cluster.count() == 1 && info.required_cluster[0] != 0)
    launch.cluster = {info.required_cluster[0], info.required_cluster[1], info.required_cluster[2]};
  const auto refuse = [](FaultCode code, std::string message) {
    return LaunchResult{Fault{code, std::move(message), {}}, {}, {}, {}, false, 1};
  };
  if (info.error)
    return LaunchResult{Fault{FaultCode::malformed, refusal_of(info.name, *info.error),
                              Unsupported{info.error->reason, info.error->file, info.error->line}},
                        {},
                        {},
                        {},
                        false,
                        1};
  if (auto reason = invalid(info, config, launch.cluster))
    return refuse(FaultCode::invalid_configuration, std::move(*reason));

  launch.program = &state.program;
  launch.info = &info;
  launch.memory = &memory_;
  PrintedText printed(limits.printf_bytes);
  launch.printed = &printed;
  launch.blocks = config.grid.count();
  launch.number = state.launches;
  // The blocks of a cooperative launch wait for each other.
  const std::uint64_t clusters = launch.clusters = launch.blocks / launch.cluster.count();
  if (limits.blocks_in_part > 0 && clusters > limits.blocks_in_part && !config.cooperative)
    launch.part = limits.part_begins
                      ? part_from(*limits.part_begins, clusters, limits.blocks_in_part)
                      : part_of(clusters, limits.blocks_in_part);
  else if (const auto count = count_of_share(limits.share_of_blocks, clusters);
           count < clusters && !config.cooperative)
    launch.part = part_drawn(limits.drawn + state.launches, clusters, count);
  // What blocks that were left out would do, nobody knows.
  if (launch.part.empty())
    launch.grace = limits.instruction_budget + grace_of(limits.instruction_budget);
  launch.threads_per_block = static_cast<std::uint32_t>(config.block.count());
  if (auto finding = deadlock_of_grid(state, launch))
    return LaunchResult{Fault{FaultCode::barrier_deadlock, finding->message, {}}, {*finding}};
  launch.warps_per_block = (launch.threads_per_block + lane_count - 1) / lane_count;
  launch.shared_bytes = info.static_shared_bytes + config.dynamic_shared_bytes;
  if (config.dynamic_shared_bytes > 0)
    launch.shared_bytes += (state.program.shared_alignment -
                            info.static_shared_bytes % state.program.shared_alignment) %
                           state.program.shared_alignment;
  if (config.cooperative) launch.grid_workspace = grid_workspace();
  size_stacks(launch, state.program);
  launch.geometry = {config.grid,
                     config.block,
                     launch.cluster,
                     launch.shared_bytes,
                     launch.local_bytes,
                     config.dynamic_shared_bytes,
                     launch.grid_workspace,
                     limits.checks != Checks::fast || limits.watch_memory || limits.watch_lines};
  if (limits.checks == Checks::full && !memory_.tracking()) memory_.set_tracking(true);
  if (limits.checks == Checks::full && state.program.reads_past_coherent_caches)
    launch.stored = nothing_stored();
  if (limits.checks == Checks::full) launch.block_uses = nobody_yet(launch);
  const auto order = limits.checks == Checks::full ? order_of(launch) : nullptr;
  launch.block_order = order.get();
  if (limits.checks == Checks::full && !info.is_of_cub)
    for (const std::uint32_t location : state.program.unset_reads)
      launch.add_finding(unset_variable(state.program, location));

  // Blocks that wait for each other take turns on one thread, so that their counts are repeatable;
  // and so that of two that hand over, who is told looks behind who tells.
  const bool one_by_one = config.cooperative || order != nullptr;
  launch.own_threads = own_threads(pool_->size());
  if (!one_by_one)
    launch.workers = static_cast<unsigned>(std::min<std::uint64_t>(pool_->size(), clusters));
  for (unsigned i = 0; i < launch.workers; ++i) state.worker(i);
  if (state.memory_generation != memory_.generation()) state.forget_allocations();
  state.memory_generation = memory_.generation();
  run(launch, state);
  printed.show(console_);
  ++state.launches;
  state.blocks_wait_for_all |= launch.all_waited;
  // The barrier of cooperative groups is the simulator's own business.
  if (limits.watch_memory)
    launch.touched.forget(grid_workspace_, grid_workspace_ + grid_workspace_bytes);
  const double blocks_for_each =
      launch.part.empty() ? 1
                          : static_cast<double>(clusters) / static_cast<double>(launch.part.size());
  return {std::move(launch.fault), std::move(launch.findings), std::move(launch.touched),
          std::move(launch.uses),  !launch.part.empty(),       blocks_for_each,
          launch.stopped};
}

void Device::run(LaunchState& launch, KernelState& state) {
  using Clock = std::chrono::steady_clock;
  const auto launching_thread = std::this_thread::get_id();
  std::optional<Clock::time_point> next_progress;  // most launches end before they look at a clock
  const auto tick = [&] {
    if (std::this_thread::get_id() != launching_thread) return;
    if (launch.workers > 1) pool_->wake();
    if (!launch.limits.progress) return;
    const bool is_first = !next_progress;
    if (!is_first && Clock::now() < *next_progress) return;
    next_progress = Clock::now() + std::chrono::milliseconds(250);
    if (is_first) return;
    launch.limits.progress({launch.executed.load(), launch.blocks_done.load(), launch.blocks});
  };
  launch.tick = std::ref(tick);
  const auto job = [&](unsigned index) {
    if (index >= launch.workers) return;
    ResidentBlocks blocks(launch, *state.workers[index]);
    const bool may_wake = index == 0 && launch.workers > 1;
    blocks.run(may_wake ? std::function<void()>([this] { pool_->wake(); })
                        : std::function<void()>());
    if (launch.limits.watch_memory) launch.add_touched(blocks.touched());
    if (launch.limits.watch_lines) launch.add_uses(blocks.uses());
  };
  pool_->run(std::ref(job));
}

}  // namespace klab::sim
