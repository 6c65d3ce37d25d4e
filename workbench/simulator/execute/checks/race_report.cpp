// How a race on shared memory is told.
#include <fmt/format.h>

#include <algorithm>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"

namespace klab::sim {

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
  finding.allocation = fmt::format("the block's {} bytes of shared memory", warp.shared_bytes);
  Warp other = warp;
  other.index = earlier.thread / lane_count;
  finding.other_thread = thread_of(other, earlier.thread % lane_count);
  finding.message = fmt::format(
      "race on shared memory at offset {}: {}{} by {} and {}{} by {}, with no {} between them{}",
      offset, verb(now.kind), at_line(finding.where), describe_thread(*finding.thread),
      verb(earlier.kind), at_line(*finding.other_where), describe_thread(*finding.other_thread),
      within_warp ? "__syncwarp()" : "__syncthreads()", program.has_mbarriers ? of_mbarriers : "");
  warp.launch->add_finding(std::move(finding));
}

}  // namespace klab::sim
