// The report in JSON: what kernels and host did, what was found, and in which order things ran.
#include "simulator/api/report.hpp"

#include <algorithm>
#include <string>

#include "simulator/runtime/state/errors.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

Json json_of(const Counts& counts, bool all) {
  Json object = Json::object();
  for (std::size_t i = 0; i < metric_count; ++i) {
    const auto metric = static_cast<Metric>(i);
    if (all || counts[metric] != 0) object[std::string(describe(metric).name)] = counts[metric];
  }
  return object;
}

Json json_of(const KernelCounts& counts, const std::string& symbol) {
  Json lines = Json::array();
  for (const LineCounts& line : counts.lines) {
    lines.push_back(
        {{"file", line.file}, {"line", line.line}, {"counts", json_of(line.counts, false)}});
  }
  return {{"name", readable_name(symbol)},
          {"symbol", symbol},
          {"launches", counts.launches},
          {"counts", json_of(counts.total, true)},
          {"lines", std::move(lines)}};
}

/// What the kernel holds that cannot be executed here, each once.
Json lacks_of(const KernelInfo& info) {
  Json out = Json::array();
  for (const Unsupported& entry : info.unsupported) {
    Json object = {{"what", entry.opcode}};
    if (!entry.file.empty()) object["file"] = entry.file;
    if (entry.line != 0) object["line"] = entry.line;
    if (std::find(out.begin(), out.end(), object) == out.end()) out.push_back(std::move(object));
  }
  return out;
}

void put_place(Json& object, const SourceLocation& where,
               const std::optional<ThreadLocation>& thread) {
  if (!where.file.empty()) object["file"] = where.file;
  if (where.line != 0) object["line"] = where.line;
  if (!thread) return;
  object["block"] = thread->block;
  object["thread"] = thread->thread;
}

/// Of all kernels by their blocks, the one in the middle; of two in the middle the larger, as a
/// kernel that does the work and one small kernel beside it are most often meant well.
std::uint64_t blocks_in_the_middle(const HostCounts& counts) {
  std::uint64_t seen = 0;
  for (const auto& [blocks, kernels] : counts.kernels_by_blocks)
    if (seen += kernels; 2 * seen > counts.kernels_executed) return blocks;
  return 0;
}

Json json_of(const HostCounts& counts) {
  Json object = {{"kernel_launches", counts.kernel_launches},
                 {"kernels_executed", counts.kernels_executed},
                 {"blocks_launched", counts.blocks_launched},
                 {"threads_launched", counts.threads_launched},
                 {"warps_launched", counts.warps_launched},
                 {"graph_launches", counts.graph_launches},
                 {"host_synchronizations", counts.host_synchronizations},
                 {"synchronous_copies", counts.synchronous_copies},
                 {"host_to_device_copies", counts.host_to_device_copies},
                 {"host_to_device_bytes", counts.host_to_device_bytes},
                 {"device_to_host_copies", counts.device_to_host_copies},
                 {"device_to_host_bytes", counts.device_to_host_bytes},
                 {"device_to_device_copies", counts.device_to_device_copies},
                 {"device_to_device_bytes", counts.device_to_device_bytes},
                 {"host_to_host_copies", counts.host_to_host_copies},
                 {"host_to_host_bytes", counts.host_to_host_bytes},
                 {"pageable_copies", counts.pageable_copies},
                 {"largest_host_copy_bytes", counts.largest_host_copy_bytes},
                 {"memsets", counts.memsets},
                 {"memset_bytes", counts.memset_bytes},
                 {"sectors_beside_kernels", counts.sectors_beside_kernels},
                 {"allocation_calls", counts.allocation_calls},
                 {"free_calls", counts.free_calls},
                 {"pool_allocation_calls", counts.pool_allocation_calls},
                 {"kept_allocations", counts.kept_allocations}};
  if (counts.kernels_executed > 0) object["blocks_per_kernel"] = blocks_in_the_middle(counts);
  return object;
}

Json kernels_of(Runtime& runtime) {
  Json kernels = Json::array();
  for (const auto& module : runtime.modules.all()) {
    if (!module->module) continue;
    for (const auto& kernel : module->module->kernels()) {
      const KernelCounts counts = kernel->counts();
      if (counts.launches == 0) continue;
      kernels.push_back(json_of(counts, kernel->name()));
      Json lacks = lacks_of(kernel->info());
      if (!lacks.empty()) kernels.back()["lacks"] = std::move(lacks);
    }
  }
  return kernels;
}

Json leaks_of(Runtime& runtime) {
  Json leaks = Json::array();
  for (const auto& [base, record] : runtime.allocations.live()) {
    if (!runtime.allocations.is_of_this_run(record) || record.owned_by_graph) continue;
    leaks.push_back({{"address", base},
                     {"bytes", record.bytes},
                     {"kind", record.registered ? "registered" : name_of(record.kind)}});
  }
  if (!runtime.has_device()) return leaks;
  // What kernels allocate outlives them.
  for (const Allocation& kept : runtime.device().memory().living(MemoryKind::heap))
    leaks.push_back(
        {{"address", kept.base}, {"bytes", kept.bytes}, {"kind", name_of(MemoryKind::heap)}});
  return leaks;
}

}  // namespace

Json json_of(const Finding& finding) {
  Json object = {{"kind", to_string(finding.kind)}, {"message", finding.message}};
  if (!finding.kernel.empty()) object["kernel"] = readable_name(finding.kernel);
  put_place(object, finding.where, finding.thread);
  if (finding.address) object["address"] = *finding.address;
  if (!finding.allocation.empty()) object["allocation"] = finding.allocation;
  if (finding.other_where) {
    object["other"] = Json::object();
    put_place(object["other"], *finding.other_where, finding.other_thread);
  }
  return object;
}

Json json_of(const Missing& missing) {
  Json object = {{"what", missing.what}, {"message", missing.message}};
  if (!missing.kernel.empty()) object["kernel"] = readable_name(missing.kernel);
  if (!missing.file.empty()) object["file"] = missing.file;
  if (missing.line != 0) object["line"] = missing.line;
  return object;
}

/// The last ones: what is looked for is whether anything comes to an array's end.
Json copied_to(LeftOut& left_out) {
  constexpr std::size_t most = 256;
  const std::vector<ByteRange>& all = left_out.copied_to.in_order();
  Json ranges = Json::array();
  for (std::size_t i = all.size() - std::min(all.size(), most); i < all.size(); ++i)
    ranges.push_back({all[i].begin, all[i].end});
  return ranges;
}

Json report_of(Runtime& runtime) {
  Json report = {{"version", KLAB_SIM_API_VERSION},
                 {"kernels", kernels_of(runtime)},
                 {"host", json_of(runtime.counts)},
                 {"living_objects", runtime.living_objects()},
                 {"leaks", leaks_of(runtime)},
                 {"part",
                  {{"kernels", runtime.left_out.kernels},
                   {"copies", runtime.left_out.copies},
                   {"cut_short", runtime.left_out.cut_short},
                   {"allocations", runtime.left_out.allocations},
                   {"most_bytes", runtime.left_out.most_bytes},
                   {"uncertain", runtime.left_out.uncertain},
                   {"most_blocks", runtime.left_out.most_blocks},
                   {"deadlocks", runtime.left_out.deadlocks},
                   {"warps", runtime.left_out.warps},
                   {"warps_ahead", runtime.left_out.warps_ahead},
                   {"copied_to", copied_to(runtime.left_out)}}},
                 {"messages", runtime.messages()},
                 {"first_refusal", runtime.first_refusal()},
                 {"unwaited_kernel", runtime.streams.unwaited_kernel()},
                 {"event_time", runtime.settings.counting_clock ? "counts" : "host clock"}};
  for (std::size_t i = 0; i < metric_count; ++i) {
    const MetricInfo& info = describe(static_cast<Metric>(i));
    report["labels"][std::string(info.name)] =
        info.label == Label::counted ? "counted" : "modelled";
  }
  report["counts_left_out"] = Json::object();
  for (const auto& [metric, count] : runtime.counts_left_out)
    report["counts_left_out"][std::string(describe(metric).name)] = count;
  report["findings"] = Json::array();
  for (const Finding& finding : runtime.findings()) {
    report["findings"].push_back(json_of(finding));
  }
  report["unsupported"] = Json::array();
  for (const Missing& entry : runtime.missing()) report["unsupported"].push_back(json_of(entry));
  if (runtime.errors.has_faulted()) {
    const cudaError_t code = runtime.errors.fault();
    report["error"] = {{"code", code},
                       {"name", error_name(code)},
                       {"message", error_text(code)},
                       {"kernel", runtime.errors.faulted().kernel},
                       {"work", runtime.errors.faulted().other}};
  }
  return report;
}

Json order_of(const OrderLog& log) {
  Json events = Json::array();
  for (const OrderedEvent& event : log.events()) {
    Json object = {{"kind", std::string(name_of(event.kind))},
                   {"begin", event.begin},
                   {"end", event.end},
                   {"call", event.call},
                   {"thread", event.thread}};
    if (event.stream) object["stream"] = *event.stream;
    if (event.bytes) object["bytes"] = *event.bytes;
    for (const auto& [key, text] :
         {std::pair{"name", &event.name}, {"from", &event.from}, {"to", &event.to}})
      if (!text->empty()) object[key] = *text;
    events.push_back(std::move(object));
  }
  return {{"events", std::move(events)}, {"dropped", log.dropped()}};
}

}  // namespace klab::sim
