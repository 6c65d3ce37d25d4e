// Names of findings and of threads.
#include "simulator/base/finding.hpp"

#include <fmt/format.h>

namespace klab::sim {

std::string_view name_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
      return "out_of_bounds";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::use_after_free:
      return "use_after_free";
    case FindingKind::uninitialized_read:
      return "uninitialized_read";
    case FindingKind::uninitialized_shared:
      return "uninitialized_shared";
    case FindingKind::unfinished_copy:
      return "unfinished_copy";
    case FindingKind::shared_race:
      return "shared_race";
    case FindingKind::stale_read:
      return "stale_read";
    case FindingKind::block_race:
      return "block_race";
    case FindingKind::stream_race:
      return "stream_race";
    case FindingKind::warp_race:
      return "warp_race";
    case FindingKind::barrier_divergence:
      return "barrier_divergence";
    case FindingKind::bad_shuffle_mask:
      return "bad_shuffle_mask";
    case FindingKind::assertion:
      return "assertion";
    case FindingKind::host_access:
      return "host_access";
    case FindingKind::unsynchronized_read:
      return "unsynchronized_read";
  }
  return "unknown";
}

bool is_same_place(const Finding& one, const Finding& other) {
  return one.kernel == other.kernel && one.where.file == other.where.file &&
         one.where.line == other.where.line &&
         (one.where.line != 0 || one.message == other.message);
}

bool replaces(const Finding& now, const Finding& known) {
  return now.kind == FindingKind::shared_race && known.kind == FindingKind::warp_race &&
         is_same_place(now, known);
}

std::string describe_place(const SourceLocation& where) {
  return where.line == 0 ? std::string("unknown line (build with -lineinfo)")
                         : fmt::format("{} line {}", where.file, where.line);
}

std::string describe_thread(const ThreadLocation& at) {
  return fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", at.thread[0], at.thread[1],
                     at.thread[2], at.block[0], at.block[1], at.block[2]);
}

}  // namespace klab::sim
