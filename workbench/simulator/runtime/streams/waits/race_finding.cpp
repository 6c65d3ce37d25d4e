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
    what = "kernel " + readable_name(kernel->kernel->name);
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

Finding finding_of(const StreamRace& race) {
  Finding finding;
  finding.kind = FindingKind::stream_race;
  finding.address = race.address;
  finding.allocation = Runtime::instance().device().memory().describe(race.address);
  const WorkOrder& user = race.one->allocates ? *race.other : *race.one;
  const WorkOrder& maker = race.one->allocates ? *race.one : *race.other;
  finding.message =
      maker.allocates
          ? fmt::format(
                "{} uses {}, and nothing says that {} comes first. Record an event behind "
                "the allocation (cudaEventRecord) and let the other stream wait for it "
                "(cudaStreamWaitEvent)",
                user.name, finding.allocation, maker.name)
          : fmt::format("{} {} what {} {}, and nothing says which of them comes first: {}. {}",
                        race.one->name, race.one_writes ? "writes" : "reads", race.other->name,
                        race.other_writes ? "writes" : "reads", finding.allocation,
                        race.one->branch_of_graph != 0 && race.other->branch_of_graph != 0
                            ? "Make the one a dependency of the other"
                            : "Put both on one stream, or record an event after the one "
                              "(cudaEventRecord) and let the "
                              "other's stream wait for it (cudaStreamWaitEvent)");
  finding.message[0] = static_cast<char>(std::toupper(finding.message[0]));
  return finding;
}

}  // namespace klab::sim
