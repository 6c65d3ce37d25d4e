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
  return brief_name(std::get<KernelWork>(work).kernel->name);
}

constexpr const char* wait_first =
    "Wait for it first (cudaGridDependencySynchronize() or griddepcontrol.wait), which has to come "
    "before all that the two share";

// Without its message.
Finding race_at(const EarlyKernel& late, const UsesByLine::Conflict& found) {
  Finding finding;
  finding.kind = FindingKind::stream_race;
  finding.kernel = std::get<KernelWork>(*late.work).kernel->name;
  finding.where = *found.one.line;
  finding.address = found.address;
  finding.allocation = Runtime::instance().device().memory().describe(found.address);
  return finding;
}

// What is said of `late` and the kernel right in front of it; and of one further in front, which
// the one in between does not wait for in time.
std::string told(const EarlyKernel& late, const EarlyKernel& front, const EarlyKernel* between,
                 const UsesByLine::Conflict& found, const std::string& allocation) {
  const std::string what = fmt::format(
      "The kernel {} may begin before {} has ended (programmatic dependent launch), and {}{} what "
      "that one {}{}: {}. ",
      name_of(*late.work), name_of(*front.work), verb(found.one.how), at_line(*found.one.line),
      verb(found.other.how), at_line(*found.other.line), allocation);
  if (between == nullptr) return what + wait_first;
  return what +
         fmt::format(
             "Between the two lies {}, which lets the next kernel begin "
             "(cudaTriggerProgrammaticLaunchCompletion()) before it has waited itself: to wait for "
             "that one is not to wait for what lies in front of it. Let each kernel of the row "
             "call "
             "cudaGridDependencySynchronize() before it lets the next one begin",
             name_of(*between->work));
}

std::optional<Finding> race_of(const EarlyKernel& late, UsesByLine& uses, const EarlyKernel& front,
                               const EarlyKernel* between) {
  const auto found = uses.conflict_with(front.uses->all);
  if (!found) return std::nullopt;
  Finding finding = race_at(late, *found);
  finding.other_where = *found->other.line;
  finding.message = told(late, front, between, *found, finding.allocation);
  return finding;
}

}  // namespace

bool may_begin_early(const KernelWork& kernel) {
  return kernel.early && !kernel.kernel->kernel->info().is_of_cub;
}

bool may_be_overtaken(const KernelUses& uses) { return uses.lets_begin && !uses.holds_back; }

// Who has waited for the kernel in front comes behind what that one had waited for.
std::optional<Finding> early_race(const EarlyKernel& late, const std::vector<EarlyKernel>& front) {
  if (front.empty()) return std::nullopt;
  if (auto race = race_of(late, late.uses->early, front[0], nullptr)) return race;
  UsesByLine& uses = front[0].uses->waited ? late.uses->early : late.uses->all;
  for (std::size_t i = 1; i < front.size() && may_be_overtaken(*front[i - 1].uses); ++i)
    if (auto race = race_of(late, uses, front[i], &front[i - 1])) return race;
  return std::nullopt;
}

bool add_uses(const Work& work, std::optional<UsesByLine>& uses) {
  const auto add = [&](UsesByLine::How how, const std::byte* at, std::size_t bytes) {
    const auto address = reinterpret_cast<std::uint64_t>(at);
    if (!uses) uses.emplace();
    uses->add({nullptr, how}, address, address + bytes);
  };
  if (const auto* copy = std::get_if<CopyWork>(&work)) {
    add(UsesByLine::How::writes, copy->destination, copy->destination_span());
    if (!copy->staged) add(UsesByLine::How::reads, copy->source, copy->source_span());
    return true;
  }
  const auto* fill = std::get_if<MemsetWork>(&work);
  if (fill != nullptr) add(UsesByLine::How::writes, fill->destination, fill->span());
  return fill != nullptr;
}

std::optional<Finding> given_race(const EarlyKernel& late, UsesByLine& given) {
  const auto found = late.uses->early.conflict_with(given);
  if (!found) return std::nullopt;
  Finding finding = race_at(late, *found);
  finding.message = fmt::format(
      "The kernel {} may begin before the work in front of it on the stream has ended "
      "(programmatic dependent launch), and {}{} what a kernel there may still {}: {}. {}",
      name_of(*late.work), verb(found->one.how), at_line(*found->one.line),
      found->other.how == UsesByLine::How::reads ? "read" : "write", finding.allocation,
      wait_first);
  return finding;
}

std::vector<std::optional<std::size_t>> kernels_in_front(const GraphProgram& program) {
  std::vector<std::optional<std::size_t>> front(program.steps.size());
  for (std::size_t i = 0; i < front.size(); ++i) {
    const auto* kernel = std::get_if<KernelWork>(&program.steps[i]);
    if (kernel == nullptr || !may_begin_early(*kernel) || program.after[i].size() != 1) continue;
    if (std::holds_alternative<KernelWork>(program.steps[program.after[i].front()]))
      front[i] = program.after[i].front();
  }
  return front;
}

}  // namespace klab::sim
