// Digests of everything that a launch's threads could go by, and where they wait, in words.
#include "simulator/execute/warp/standstill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <string_view>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/execute/warp/runner.hpp"

namespace klab::sim {

namespace {

// Polling loops come back to where they were within a few turns: some poll twice in each pass.
constexpr unsigned most_rounds = 64;
// Warp instructions for such a look.
constexpr std::uint64_t most_instructions = 64'000'000;
// Who waits for a time rather than for others goes on when it has come: 1 s, 2 s, ... about 2 h.
constexpr unsigned waits_of_time = 13;
constexpr std::uint64_t second = 1'000'000'000;
// Memory beyond that takes too long to compare.
constexpr std::size_t most_pages_digested = (std::size_t{256} << 20) / 4096;

class Digest {
 public:
  void add(std::uint64_t value) {
    hash_ = (std::rotl(hash_, 29) ^ value) * 0x9e3779b97f4a7c15ull;
    hash_ ^= hash_ >> 32;
  }
  void add(const std::byte* bytes, std::size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      add(word);
    }
    for (; count > 0; ++bytes, --count) add(std::to_integer<std::uint64_t>(*bytes));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x243f6a8885a308d3ull;
};

void add_split(Digest& digest, const Split& split) {
  digest.add(static_cast<std::uint64_t>(split.state));
  digest.add(split.at);
  for (const PathEntry& path : split.paths) {
    digest.add(std::uint64_t{path.mask} << 32 | static_cast<std::uint32_t>(path.block));
    digest.add(std::uint64_t{path.activation} << 32 | static_cast<std::uint32_t>(path.join));
  }
  for (const Activation& one : split.activations)
    digest.add(std::uint64_t{one.call} << 32 | one.frame);
}

std::uint32_t location_of_wait(const Program& program, const Split& split) {
  const PathEntry& top = split.paths.back();
  if (split.state == Split::State::at_barrier)
    return program.blocks[static_cast<std::size_t>(split.barrier_block)].ending_location;
  if (top.block < 0) return 0;
  const Block& block = program.blocks[static_cast<std::size_t>(top.block)];
  if (block.last > block.first) return program.code_location[block.last - 1];
  return block.ending_location;
}

// Of what waits in a function of a library, the call in the kernel's own file.
const SourceLocation& place_of_wait(const Program& program, const Split& split) {
  const SourceLocation& where = program.locations[location_of_wait(program, split)];
  if (split.paths.empty() || split.activations.size() < 2) return where;
  const std::string& own = program.locations[split.activations[1].place].file;
  if (where.line != 0 && where.file == own) return where;
  for (std::size_t i = split.paths.back().activation; i > 0; --i) {
    const SourceLocation& call = program.locations[split.activations[i].place];
    if (call.line != 0 && call.file == own) return call;
  }
  return where;
}

using Group = Standstill::Group;

void add_waiting(std::vector<Group>& groups, const Program& program, const BlockState& block) {
  for (const WarpState& state : block.warps) {
    if (state.exited) continue;
    for (const Split& split : state.splits) {
      const SourceLocation& where = place_of_wait(program, split);
      auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& one) {
        return one.where->line == where.line && one.where->file == where.file;
      });
      if (group == groups.end()) group = groups.insert(group, {&where});
      group->threads += static_cast<std::uint64_t>(std::popcount(split.lanes()));
      group->blocks += group->last != &block;
      group->last = &block;
    }
  }
}

}  // namespace

// Most launches have one worker and are over at once: locks would be a good part of their time.
std::unique_lock<std::mutex> Standstill::against_others() {
  return launch_.workers > 1 ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
}

void Standstill::enter(Turns& worker) {
  const auto lock = against_others();
  workers_[entered_++] = &worker;
}

void Standstill::leave(Turns& worker) {
  const auto lock = against_others();
  *std::find(workers_.begin(), workers_.end(), &worker) = workers_[--entered_];
}

std::uint64_t Standstill::now(std::uint64_t executed) {
  if (held_ != 0) return held_;
  if (const auto& counted_from = launch_.limits.counted_from) {
    const std::uint64_t counted = *counted_from + ahead_ + executed;
    std::uint64_t latest = latest_.load(std::memory_order_relaxed);
    while (latest < counted && !latest_.compare_exchange_weak(latest, counted)) continue;
    return counted;
  }
  const auto host = std::chrono::system_clock::now().time_since_epoch();
  return ahead_ + static_cast<std::uint64_t>(
                      std::chrono::duration_cast<std::chrono::nanoseconds>(host).count());
}

void Standstill::meet() {
  // On a busy host they come one after the other: who goes on before all are here looks again after
  // seconds.
  constexpr auto moment = std::chrono::milliseconds(100);
  std::unique_lock lock(mutex_);
  const std::uint64_t before = looks_;
  ++here_;
  while (here_ < entered_) {
    if (launch_.stop.load(std::memory_order_relaxed)) return;
    if (looked_.wait_for(lock, moment, [&] { return looks_ != before; })) return;
    // Beyond the budget a launch ends with the next look, which all come to, however busy the host.
    if (!launch_.over_budget.load(std::memory_order_relaxed)) {
      --here_;
      return;
    }
  }
  if (launch_.stop.load(std::memory_order_relaxed)) return;
  if (stands_still())
    end_launch();
  else if (launch_.over_budget.load(std::memory_order_relaxed))
    launch_.grace = 0;
  here_ = 0;
  ++looks_;
  looked_.notify_all();
}

bool Standstill::stands_still() {
  const std::uint64_t allowed = launch_.grace.exchange(launch_.executed.load() + most_instructions);
  bool still = repeats();
  for (unsigned i = 0; still && i < waits_of_time; ++i) {
    ahead_ += second << i;
    still = repeats();
  }
  launch_.grace = allowed;
  return still;
}

/// Time goes back for no warp: each counts on from what the one that was ahead has seen.
std::uint64_t Standstill::latest() {
  const auto& counted_from = launch_.limits.counted_from;
  if (!counted_from) return now(0);
  const std::uint64_t latest = std::max(now(0), latest_.load());
  ahead_ = latest - *counted_from;
  return latest;
}

bool Standstill::comes_back() {
  const std::lock_guard lock(mutex_);
  return repeats(Of::threads);
}

bool Standstill::repeats(Of what) {
  const auto memory_now = [&]() -> std::optional<std::uint64_t> {
    return what == Of::threads ? 0 : digest_of_memory();
  };
  held_ = latest();
  bool same = false;
  std::uint64_t threads = 0;
  std::optional<std::uint64_t> memory;
  for (unsigned round = 0; round < most_rounds; ++round) {
    const std::uint64_t seen = digest_of_threads();
    if (round > 0 && seen == threads && memory_now() == memory) same = true;
    if (same) break;
    if (std::has_single_bit(round + 1)) {
      threads = seen;
      memory = memory_now();
      if (!memory) break;
    }
    if (take_turns() != Turns::Round::still) break;
  }
  held_ = 0;
  return same;
}

Turns::Round Standstill::take_turns() {
  Turns::Round round = Turns::Round::still;
  for (Turns* worker : workers()) round = std::max(round, worker->take_turns());
  return round;
}

std::uint64_t Standstill::digest_of_threads() const {
  std::vector<const BlockState*> blocks;
  for (const Turns* worker : workers()) worker->collect(blocks);
  Digest digest;
  for (const BlockState* block : blocks) {
    for (const WarpState& state : block->warps) {
      if (state.exited) continue;
      for (const Split& split : state.splits) add_split(digest, split);
      digest.add(state.frames, state.frame_top);
    }
    for (const BarrierState& barrier : block->barriers)
      digest.add(barrier.generation << 16 | barrier.arrived);
  }
  return digest.value();
}

// Nothing where there is too much of it.
std::optional<std::uint64_t> Standstill::digest_of_memory() const {
  constexpr std::uint64_t page_bytes = 4096;
  const DeviceMemory& memory = *launch_.memory;
  std::vector<const BlockState*> blocks;
  for (const Turns* worker : workers()) worker->collect(blocks);
  Digest digest;
  for (const BlockState* block : blocks) {
    digest.add(block->shared.data(), launch_.resident_shared_bytes());
    digest.add(block->local.data(),
               block->warps.size() * std::size_t{launch_.local_bytes} * lane_count);
  }
  const auto pages =
      memory.touched_pages(memory.arena(), memory.arena_bytes(), most_pages_digested);
  if (pages.size() == most_pages_digested) return std::nullopt;
  for (const std::uint64_t page : pages) {
    digest.add(page);
    digest.add(memory.alias() + page * page_bytes, page_bytes);
  }
  return digest.value();
}

// What only work beside this kernel could do is lacking here.
void Standstill::end_launch() {
  std::vector<const BlockState*> blocks;
  for (const Turns* worker : workers()) worker->collect(blocks);
  std::vector<Group> groups;
  for (const BlockState* block : blocks) add_waiting(groups, *launch_.program, *block);
  Unsupported beside{.opcode = "work beside a kernel"};
  if (!groups.empty()) beside.file = groups[0].where->file, beside.line = groups[0].where->line;
  launch_.fail(FaultCode::barrier_deadlock, describe(groups, blocks.size()), std::move(beside));
}

std::string Standstill::describe(const std::vector<Group>& groups, std::size_t blocks) const {
  constexpr std::size_t most_places = 8;
  std::string places;
  for (std::size_t i = 0; i < groups.size() && i < most_places; ++i)
    places +=
        fmt::format("{}{} of {} at {}", i == 0 ? "" : ", ", counted(groups[i].threads, "thread"),
                    counted(groups[i].blocks, "block"), describe_place(*groups[i].where));
  if (groups.size() > most_places)
    places += fmt::format(", and others at {} more lines", groups.size() - most_places);
  std::string rest;
  if (const std::uint64_t done = launch_.blocks_done.load(); done > 0)
    rest +=
        fmt::format("; {} ended", done == 1 ? "1 block has" : fmt::format("{} blocks have", done));
  const std::uint64_t started = launch_.blocks_done.load() + blocks;
  if (launch_.part.empty() && started < launch_.blocks)
    rest += fmt::format("; {} cannot begin before one ends", launch_.blocks - started);
  const std::string budget = launch_.over_budget.load()
                                 ? fmt::format(" after its budget of {} warp instructions",
                                               launch_.limits.instruction_budget)
                                 : "";
  return fmt::format(
      "The kernel '{}' was stopped at {}{}, in a deadlock: all its threads that have not ended "
      "wait, and none of them will do what another waits for: {}{}. Let all that a barrier or a "
      "flag counts on come to it. (A flag that another kernel, a copy or the host is to set "
      "meanwhile is set on a GPU alone: here a kernel runs to its end first.)",
      launch_.program->kernel_name, groups.empty() ? "" : describe_place(*groups[0].where), budget,
      places, rest);
}

}  // namespace klab::sim
