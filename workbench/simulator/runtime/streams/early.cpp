// By line: what comes before griddepcontrol.wait, all without one, has no order with the kernel in
// front.
#include "simulator/runtime/streams/early.hpp"

#include <fmt/format.h>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

const char* verb(UsesByLine::How how) {
  switch (how) {
    case UsesByLine::How::reads:
      return "reads";
    case UsesByLine::How::writes:
      return "writes";
    case UsesByLine::How::adds:
      break;
  }
  return "adds to";
}

std::string name_of(const Work& work) {
  return readable_name(std::get<KernelWork>(work).kernel->name);
}

}  // namespace

std::optional<Finding> early_race(const Work& late, KernelUses& late_uses, const Work& front,
                                  KernelUses& front_uses) {
  const auto found = late_uses.early.conflict_with(front_uses.all);
  if (!found) return std::nullopt;
  Finding finding;
  finding.kind = FindingKind::stream_race;
  finding.kernel = std::get<KernelWork>(late).kernel->name;
  finding.where = *found->one.line;
  finding.other_where = *found->other.line;
  finding.address = found->address;
  finding.allocation = Runtime::instance().device().memory().describe(found->address);
  finding.message = fmt::format(
      "the kernel {} may begin before {} has ended (programmatic dependent launch), and {}{} what "
      "that one {}{}: {}. Wait for it first (cudaGridDependencySynchronize() or "
      "griddepcontrol.wait), which has to come before all that the two share",
      name_of(late), name_of(front), verb(found->one.how), at_line(*found->one.line),
      verb(found->other.how), at_line(*found->other.line), finding.allocation);
  finding.message[0] = 'T';
  return finding;
}

std::vector<std::optional<std::size_t>> kernels_in_front(const GraphProgram& program) {
  std::vector<std::optional<std::size_t>> front(program.steps.size());
  for (std::size_t i = 0; i < front.size(); ++i) {
    const auto* kernel = std::get_if<KernelWork>(&program.steps[i]);
    if (kernel == nullptr || !kernel->early || program.after[i].size() != 1) continue;
    if (std::holds_alternative<KernelWork>(program.steps[program.after[i].front()]))
      front[i] = program.after[i].front();
  }
  return front;
}

}  // namespace klab::sim
