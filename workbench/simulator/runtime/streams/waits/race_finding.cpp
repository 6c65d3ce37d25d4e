// What a race between two pieces of work is called.
#include "simulator/runtime/streams/waits/race_finding.hpp"

#include <fmt/format.h>

#include <cctype>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

std::string name_of(const Work& work, const WorkOrder& order,
                    const std::map<std::uint64_t, std::string>& streams) {
  std::string what = "work";
  if (const auto* kernel = std::get_if<KernelWork>(&work))
    what = "kernel " + brief_name(kernel->kernel->name);
  else if (std::holds_alternative<CopyWork>(work))
    what = "a copy";
  else if (std::holds_alternative<MemsetWork>(work))
    what = "a memset";
  else if (std::holds_alternative<GraphWork>(work))
    what = "a graph";
  else if (std::holds_alternative<ConditionalWork>(work))
    what = "a conditional node";
  else if (std::holds_alternative<AllocateWork>(work))
    what = "allocating memory";
  else if (std::holds_alternative<FreeWork>(work))
    what = "freeing memory";
  const std::uint64_t stream = order.branch_of_graph != 0 ? order.branch_of_graph : order.stream;
  const auto named = streams.find(stream);
  return what + (order.branch_of_graph != 0 ? " of a graph" : "") +
         (order.legacy             ? " on the default stream"
          : named != streams.end() ? " on " + named->second
                                   : fmt::format(" on stream {}", stream));
}

namespace {

/// What puts the two in order.
std::string remedy(const StreamRace& race) {
  if (race.one->branch_of_graph != 0 && race.other->branch_of_graph != 0)
    return "Make the one a dependency of the other";
  const auto is_thrust = [](const WorkOrder& one) {
    return one.legacy && one.name.find("thrust::") != std::string::npos;
  };
  return std::string("Put both on one stream") +
         (is_thrust(*race.one) || is_thrust(*race.other)
              ? " (Thrust takes its own from thrust::cuda::par.on(stream))"
              : "") +
         ", or record an event behind the one (cudaEventRecord) and let the other's stream wait "
         "for "
         "it afterwards (cudaStreamWaitEvent): an event stands for the work in front of its last "
         "record";
}

std::string words_of(const StreamRace& race, const std::string& allocation) {
  const bool one_is_last = race.one->allocates || race.one->frees;
  const WorkOrder& user = one_is_last ? *race.other : *race.one;
  const WorkOrder& life = one_is_last ? *race.one : *race.other;
  if (life.allocates)
    return fmt::format(
        "{} uses {}, and nothing says that {} comes first. Record an event behind the allocation "
        "(cudaEventRecord) and let the other stream wait for it (cudaStreamWaitEvent)",
        user.name, allocation, life.name);
  if (life.frees)
    return fmt::format(
        "{} uses {}, and nothing says that {} comes behind it. Free it on the stream of its last "
        "use, or let that stream wait for an event behind the use (cudaEventRecord, "
        "cudaStreamWaitEvent)",
        user.name, allocation, life.name);
  return fmt::format("{} {} what {} {}, and nothing says which of them comes first: {}. {}",
                     race.one->name, race.one_writes ? "writes" : "reads", race.other->name,
                     race.other_writes ? "writes" : "reads", allocation, remedy(race));
}

}  // namespace

Finding finding_of(const StreamRace& race) {
  Finding finding;
  finding.kind = FindingKind::stream_race;
  finding.address = race.address;
  finding.allocation = Runtime::instance().device().memory().describe(race.address);
  finding.message = words_of(race, finding.allocation);
  finding.message[0] = static_cast<char>(std::toupper(finding.message[0]));
  return finding;
}

}  // namespace klab::sim
