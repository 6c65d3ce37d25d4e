// The full checks.
#include "simulator/checker.hpp"

#include <fmt/format.h>

#include "simulator/execution.hpp"

namespace klab::sim {

void Checker::begin_block(std::uint32_t shared_bytes, std::uint32_t threads) {
  epoch_ = 1;
  warp_epochs_.assign((threads + lane_count - 1) / lane_count, 0);
  bytes_.assign(shared_bytes, Byte{});
}

bool Checker::races(const Access& earlier, const Access& now) const {
  if (earlier.epoch != now.epoch || earlier.thread == now.thread) return false;
  if (earlier.kind == AccessKind::load && now.kind == AccessKind::load) return false;
  if (earlier.kind == AccessKind::atomic && now.kind == AccessKind::atomic) return false;
  if (earlier.thread / lane_count != now.thread / lane_count) return true;
  const bool same_instruction = earlier.instant == now.instant &&
                                earlier.location == now.location && earlier.kind == now.kind;
  return earlier.warp_epoch == now.warp_epoch && !same_instruction;
}

void Checker::shared_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t offset,
                            std::uint32_t bytes, AccessKind kind) {
  if (offset >= bytes_.size() || bytes > bytes_.size() - offset)
    return;  // a fault, or another block's
  const Access now{epoch_,
                   warp_epochs_[warp.index],
                   warp.index * lane_count + lane,
                   location_of(warp, inst),
                   warp.clock,
                   kind};
  bool reported = false;
  for (std::uint64_t i = offset; i < offset + bytes; ++i) {
    Byte& byte = bytes_[i];
    if (kind != AccessKind::store && !byte.written && !reported) {
      reported = true;
      note_finding(
          warp, inst, FindingKind::uninitialized_read, lane,
          fmt::format(
              "read of {} bytes at offset {} of shared memory that the block has not written",
              bytes, offset));
    }
    for (const Access* earlier : {&byte.write, &byte.read, &byte.earlier_read})
      if (!reported && races(*earlier, now)) {
        reported = true;
        report_race(warp, lane, offset, *earlier, now);
      }
    if (kind == AccessKind::load) {
      if (byte.read.thread != now.thread || byte.read.epoch != now.epoch)
        byte.earlier_read = byte.read;
      byte.read = now;
    } else {
      byte.write = now;
      byte.written = true;
    }
  }
}

void Checker::report_race(Warp& warp, std::uint32_t lane, std::uint64_t offset,
                          const Access& earlier, const Access& now) {
  const Program& program = *warp.launch->program;
  const auto verb = [](AccessKind kind) {
    return kind == AccessKind::load    ? "read"
           : kind == AccessKind::store ? "write"
                                       : "atomic operation";
  };
  Finding finding;
  finding.kind = FindingKind::shared_race;
  finding.kernel = program.kernel_name;
  finding.where = program.locations[now.location];
  finding.thread = thread_of(warp, lane);
  finding.address = offset;
  finding.allocation = fmt::format("the block's {} bytes of shared memory", bytes_.size());
  finding.other_where = program.locations[earlier.location];
  Warp other = warp;
  other.index = earlier.thread / lane_count;
  finding.other_thread = thread_of(other, earlier.thread % lane_count);
  finding.message = fmt::format(
      "race on shared memory at offset {}: {} at line {} by {} and {} at line {} by {}, with no {} "
      "between them",
      offset, verb(now.kind), finding.where.line, describe_thread(*finding.thread),
      verb(earlier.kind), finding.other_where->line, describe_thread(*finding.other_thread),
      other.index == warp.index ? "__syncwarp()" : "__syncthreads()");
  warp.launch->add_finding(std::move(finding));
}

void Checker::global_access(Warp& warp, const Inst& inst, std::uint32_t lane, std::uint64_t address,
                            std::uint32_t bytes, AccessKind kind) {
  DeviceMemory& memory = *warp.launch->memory;
  if (kind != AccessKind::store) {
    const auto first = memory.first_uninitialized(address, bytes);
    if (first && memory.host_view(address, bytes) != nullptr)
      note_finding(warp, inst, FindingKind::uninitialized_read, lane,
                   fmt::format("read of {} bytes at {:#x} that nothing has written, {}", bytes,
                               address, memory.describe(*first)));
  }
  if (kind != AccessKind::load && memory.host_view(address, bytes) != nullptr)
    memory.mark_initialized(address, bytes);
}

}  // namespace klab::sim
