// A kernel: decoded on first use; its counters folded into totals and source lines when asked for.
#include "simulator/execute/kernel.hpp"

#include <algorithm>
#include <map>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/program/decode.hpp"

namespace klab::sim {

Kernel::Kernel(const ModuleSymbols& module, std::string name)
    : module_(module), name_(std::move(name)) {}
Kernel::~Kernel() = default;

KernelState& Kernel::state() {
  if (state_ == nullptr) {
    state_ = std::make_unique<KernelState>();
    decode_kernel(module_, name_, state_->program, state_->info);
  }
  return *state_;
}

const KernelInfo& Kernel::info() { return state().info; }

void Kernel::reset_counts() {
  if (state_ == nullptr) return;
  state_->launches = 0;
  for (const auto& worker : state_->workers) {
    std::fill(worker->blocks.begin(), worker->blocks.end(), BlockCount{});
    std::fill(worker->sites.begin(), worker->sites.end(), SiteCount{});
    std::fill(worker->divergent.begin(), worker->divergent.end(), 0);
  }
}

namespace {

// The sum over all workers.
struct Totals {
  std::vector<BlockCount> blocks;
  std::vector<SiteCount> sites;
  std::vector<std::uint64_t> divergent;
};

Totals add_up(const KernelState& state) {
  Totals out;
  out.blocks.resize(state.program.blocks.size());
  out.sites.resize(state.program.sites.size());
  out.divergent.resize(state.program.blocks.size());
  for (const auto& worker : state.workers) {
    for (std::size_t i = 0; i < out.blocks.size(); ++i) {
      out.blocks[i].warps += worker->blocks[i].warps;
      out.blocks[i].lanes += worker->blocks[i].lanes;
      out.divergent[i] += worker->divergent[i];
    }
    for (std::size_t i = 0; i < out.sites.size(); ++i) {
      out.sites[i].requests += worker->sites[i].requests;
      out.sites[i].units += worker->sites[i].units;
      out.sites[i].excess += worker->sites[i].excess;
      out.sites[i].bytes += worker->sites[i].bytes;
    }
  }
  return out;
}

void add_site(Counts& counts, Site::Kind kind, const SiteCount& seen) {
  using enum Metric;
  const auto access = [&](Metric requests, Metric units) {
    counts[requests] += seen.requests;
    counts[units] += seen.units;
  };
  const auto with_bytes = [&](Metric requests, Metric units, Metric bytes) {
    access(requests, units);
    counts[bytes] += seen.bytes;
  };
  switch (kind) {
    case Site::Kind::global_load:
      return with_bytes(global_load_requests, global_load_sectors, global_load_bytes);
    case Site::Kind::global_store:
      return with_bytes(global_store_requests, global_store_sectors, global_store_bytes);
    case Site::Kind::local_load:
      return with_bytes(local_load_requests, local_load_sectors, local_load_bytes);
    case Site::Kind::local_store:
      return with_bytes(local_store_requests, local_store_sectors, local_store_bytes);
    case Site::Kind::shared_load:
      counts[shared_load_bank_conflicts] += seen.excess;
      return with_bytes(shared_load_requests, shared_load_wavefronts, shared_load_bytes);
    case Site::Kind::shared_store:
      counts[shared_store_bank_conflicts] += seen.excess;
      return with_bytes(shared_store_requests, shared_store_wavefronts, shared_store_bytes);
    case Site::Kind::global_atomic:
      return with_bytes(global_atomics, global_atomic_sectors, global_atomic_bytes);
    case Site::Kind::shared_atomic:
      return with_bytes(shared_atomics, shared_atomic_wavefronts, shared_atomic_bytes);
    case Site::Kind::cluster:
      counts[cluster_sectors] += seen.units;
      return;
    case Site::Kind::bulk:
      return access(bulk_requests, bulk_sectors);
    case Site::Kind::texture:
      return access(texture_requests, texture_sectors);
    case Site::Kind::shared_copy:
      counts[shared_copy_bank_conflicts] += seen.excess;
      return;
    case Site::Kind::other:
      return;
  }
}

}  // namespace

std::uint64_t Kernel::warp_instructions() const {
  std::uint64_t total = 0;
  if (state_ == nullptr) return total;
  for (const auto& worker : state_->workers)
    for (const LineNote& note : state_->program.lines)
      total += note.instructions * worker->blocks[note.block].warps;
  return total;
}

KernelCounts Kernel::counts() {
  KernelCounts out;
  if (state_ == nullptr) return out;
  const Program& program = state_->program;
  const Totals totals = add_up(*state_);
  std::map<std::uint32_t, Counts> lines;  // by location
  for (const LineNote& note : program.lines) {
    const BlockCount& block = totals.blocks[note.block];
    if (block.warps == 0) continue;
    lines[note.location][Metric::warp_instructions] += note.instructions * block.warps;
    lines[note.location][Metric::thread_instructions] += note.instructions * block.lanes;
  }
  for (std::size_t i = 0; i < program.blocks.size(); ++i) {
    const Block& block = program.blocks[i];
    const std::uint64_t warps = totals.blocks[i].warps;
    if (warps == 0) continue;
    Counts& line = lines[block.ending_location];
    if (block.ending == Ending::branch || block.ending == Ending::indexed) {
      line[Metric::branches] += warps;
      line[Metric::divergent_branches] += totals.divergent[i];
    }
    if (block.ending == Ending::barrier) line[Metric::barriers] += warps;
  }
  for (std::size_t i = 0; i < program.sites.size(); ++i)
    if (totals.sites[i].requests > 0)
      add_site(lines[program.sites[i].location], program.sites[i].kind, totals.sites[i]);
  for (const FlopNote& note : program.flops) {
    const std::uint64_t lanes =
        note.site != none ? totals.sites[note.site].units : totals.blocks[note.block].lanes;
    if (lanes > 0) lines[note.location][note.metric] += lanes * note.operations;
  }
  out.launches = state_->launches;
  for (const auto& [location, counts] : lines) {
    out.total += counts;
    if (counts == Counts{}) continue;
    out.lines.push_back(
        {program.locations[location].file, program.locations[location].line, counts});
  }
  std::sort(out.lines.begin(), out.lines.end(), [](const LineCounts& a, const LineCounts& b) {
    return a.file != b.file ? a.file < b.file : a.line < b.line;
  });
  return out;
}

}  // namespace klab::sim
