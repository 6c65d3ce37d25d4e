// The full checks of shared memory: which reads are remembered, so that a later write can be held
// against them, and which are looked at together; how a race is told.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

std::optional<Checker::Access> Checker::unordered_read(std::size_t unit, const Access& now) const {
  const std::uint32_t warp = now.thread / lane_count, lane = now.thread % lane_count;
  std::uint32_t other = 0;
  for (const ReadsByWarp::Read& read : reads_.of(unit)) {
    const std::uint32_t reader = other++;
    if (reader == warp || read.epoch < barrier_epoch_ || (read.strong && now.strong)) continue;
    if (is_told(warp, lane, {in_cluster(reader), read.lanes, read.time})) continue;
    Access access{read.epoch, 0, read.location};
    for_each_lane(read.lanes, [&](std::uint32_t l) {
      if (!is_told(warp, lane, {in_cluster(reader), 1u << l, read.time}))
        access.thread = static_cast<std::uint16_t>(reader * lane_count + l);
    });
    return access;
  }
  return std::nullopt;
}

void Checker::remember_read(std::size_t index, const Access& now) {
  SharedUnit& unit = units_[index];
  if (reads_.any())
    reads_.note(index, now.thread / lane_count,
                {now.epoch, now.time, 1u << now.thread % lane_count, now.location, now.strong});
  if (unit.read.thread != now.thread || unit.read.epoch != now.epoch) unit.earlier_read = unit.read;
  unit.read = now;
  const Access& before = unit.earlier_read;
  if (before.epoch != now.epoch || reads_.any() || !written_before(index)) return;
  const std::uint32_t warp = now.thread / lane_count;
  if (before.thread / lane_count != warp)
    settled_[index] = readers_of_two_;
  else if (before.warp_epoch == now.warp_epoch)
    settled_[index] = readers_of_warp_[warp];
}

// Whether the block wrote the unit, and all these lanes read it behind that.
bool Checker::is_behind_write(std::size_t unit, std::uint32_t warp, std::uint32_t lanes) const {
  if (written_[unit] < block_epoch_) return false;
  return !any_write(unit, [&](const Access& write) {
    if (write.contested) return true;
    if (write.epoch < barrier_epoch_ || write.by_copy) return false;
    const HandOver::Past past{in_cluster(write.thread / lane_count),
                              1u << write.thread % lane_count, write.time};
    return !orders_warps_ || !hand_over_->all_know(in_cluster(warp), lanes, past);
  });
}

// Several lanes read the same bytes, behind what wrote them: true if so, and then they are
// remembered together.
bool Checker::read_as_one(std::uint32_t warp, std::uint32_t lanes, std::uint64_t offset,
                          std::uint32_t bytes, Access now) {
  const std::uint32_t others = lanes & ~std::bit_floor(lanes);
  if (others == 0 || offset >= units_.size() << unit_shift_ ||
      bytes > (units_.size() << unit_shift_) - offset)
    return false;
  const std::size_t first = offset >> unit_shift_, last = (offset + bytes - 1) >> unit_shift_;
  for (std::size_t unit = first; unit <= last; ++unit)
    if (!is_behind_write(unit, warp, lanes)) return false;
  const auto thread_of = [&](std::uint32_t some) {
    return static_cast<std::uint16_t>(warp * lane_count + std::bit_width(some) - 1);
  };
  Access earlier = now;
  earlier.thread = thread_of(others);
  now.thread = thread_of(lanes);
  for (std::size_t unit = first; unit <= last; ++unit) {
    reads_.note(unit, warp, {now.epoch, now.time, lanes, now.location, now.strong});
    units_[unit].earlier_read = earlier;
    units_[unit].read = now;
  }
  return true;
}

// Lanes beside each other that read the same are looked at together where that is possible; those
// that are left are returned.
std::uint32_t Checker::read_runs(const Warp& warp, std::uint32_t mask, const std::uint64_t* offsets,
                                 std::uint32_t bytes, const Access& now) {
  std::uint32_t left = mask;
  while (mask != 0) {
    const std::uint64_t offset = offsets[std::countr_zero(mask)];
    std::uint32_t lanes = 0;
    for (; mask != 0 && offsets[std::countr_zero(mask)] == offset; mask &= mask - 1)
      lanes |= mask & (0 - mask);
    if (read_as_one(warp.index, lanes, own_offset(offset), bytes, now)) left &= ~lanes;
  }
  return left;
}

// A read by all lanes, of a unit each. Nothing is left to do in a unit whose readers are settled;
// in one that was written before the last barrier the readers are remembered.
void Checker::read_units(Warp& warp, const Inst& inst, const std::uint64_t* offsets, Access now) {
  if (reads_.any() && offsets[0] == offsets[lane_count - 1] &&
      std::all_of(offsets, offsets + lane_count,
                  [&](auto offset) { return offset == offsets[0]; }) &&
      read_as_one(warp.index, all_lanes, offsets[0], unit_bytes_, now))
    return;
  const std::uint32_t two = readers_of_two_, same = readers_of_warp_[warp.index];
  const std::uint32_t* settled = settled_.data();
  const std::uint32_t shift = unit_shift_;
  for (std::uint32_t first = 0; first < lane_count; first += 8) {
    bool all = true;
    for (std::uint32_t lane = first; lane < first + 8; ++lane) {
      const std::uint32_t readers = settled[offsets[lane] >> shift];
      all &= (readers == two) | (readers == same);
    }
    if (all) continue;
    for (std::uint32_t lane = first; lane < first + 8; ++lane) {
      const std::size_t unit = offsets[lane] >> shift;
      if (settled[unit] == two || settled[unit] == same) continue;
      now.thread = static_cast<std::uint16_t>(warp.index * lane_count + lane);
      if (written_before(unit) && !units_[unit].write.contested)
        remember_read(unit, now);
      else
        check_unit(warp, inst, offsets[lane], unit, now);
    }
  }
}

void Checker::look_for_contests(Warp& warp, const Inst& inst, std::uint32_t mask,
                                const std::uint64_t* offsets, std::uint32_t bytes) {
  // Mostly each lane's place lies behind that of the one before.
  std::uint64_t end = 0;
  bool apart = true;
  for_each_lane(mask, [&](std::uint32_t lane) {
    apart &= offsets[lane] >= end;
    end = offsets[lane] + bytes;
  });
  if (apart || role_among_warps(warp, inst).strong || is_of_cub(warp, inst)) return;
  for_each_lane(mask, [&](std::uint32_t lane) {
    const std::uint64_t offset = own_offset(offsets[lane]);
    if (offset >= warp.shared_bytes || bytes > warp.shared_bytes - offset) return;
    Access& last = units_[offset >> unit_shift_].write;  // the last lane's that stored there
    const std::uint32_t other = last.thread % lane_count;
    if (other == lane || own_offset(offsets[other]) != offset || (mask >> other & 1) == 0) return;
    if (!stored_->alike(warp, inst, lane, other)) last.contested = true;
  });
}

void Checker::report_contest(Warp& warp, const Inst& inst, std::uint64_t offset, std::uint32_t lane,
                             const Access& store) {
  Warp other = warp;
  other.index = store.warp();
  note_finding(warp, inst, FindingKind::warp_race, lane, [&] {
    return fmt::format(
        "read of shared memory at offset {} where lanes of one warp stored different values at "
        "once{}, "
        "{} the last: which of them stays is not defined. Let one lane store, such as the one that "
        "has the result (if (threadIdx.x % 32 == 0)), or give each a place of its own",
        offset, at_line(warp.launch->program->locations[store.location]),
        describe_thread(thread_of(other, store.thread % lane_count)));
  });
}

const char* missing_barrier(bool within_warp, bool have_met) {
  if (!within_warp) return "__syncthreads()";
  return have_met ? "__syncwarp() that names both lanes (shuffles, votes and matches order no "
                    "memory)"
                  : "__syncwarp()";
}

static constexpr const char* of_mbarriers =
    ", and no phase of an mbarrier that the one arrived at behind its access and the other waited "
    "for in front of it. An arrival tells what its own thread did, and what the warp's other lanes "
    "did before a __syncwarp() in front of it";

void Checker::report_race(Warp& warp, std::uint64_t offset, const Access& earlier,
                          const Access& now) {
  const Program& program = *warp.launch->program;
  const auto verb = [](AccessKind kind) {
    return kind == AccessKind::load    ? "read"
           : kind == AccessKind::store ? "write"
                                       : "atomic operation";
  };
  const bool within_warp = earlier.thread / lane_count == warp.index;
  const std::uint64_t places = std::uint64_t{now.location} << 32 |
                               std::uint64_t{earlier.location} << 1 | (within_warp ? 1 : 0);
  if (std::find(told_.begin(), told_.end(), places) != told_.end()) return;
  told_.push_back(places);
  Finding finding;
  finding.kind = within_warp ? FindingKind::warp_race : FindingKind::shared_race;
  finding.kernel = program.kernel_name;
  finding.where = program.locations[now.location];
  finding.other_where = program.locations[earlier.location];
  if (warp.launch->is_known(finding)) return;
  finding.thread = thread_of(warp, now.thread % lane_count);
  finding.address = offset;
  finding.allocation =
      fmt::format("the block's {} of shared memory", counted(warp.shared_bytes, "byte"));
  Warp other = warp;
  other.index = earlier.thread / lane_count;
  finding.other_thread = thread_of(other, earlier.thread % lane_count);
  finding.message = fmt::format(
      "race on shared memory at offset {}: {}{} by {} and {}{} by {}, with no {} between them{}{}",
      offset, verb(now.kind), at_line(finding.where), describe_thread(*finding.thread),
      verb(earlier.kind), at_line(*finding.other_where), describe_thread(*finding.other_thread),
      missing_barrier(within_warp, earlier.warp_epoch != now.warp_epoch),
      remedy_at(finding.where, *finding.other_where,
                now.kind == AccessKind::atomic || earlier.kind == AccessKind::atomic),
      program.has_mbarriers ? of_mbarriers : "");
  warp.launch->add_finding(std::move(finding));
}

}  // namespace klab::sim
