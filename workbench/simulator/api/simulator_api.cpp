// The C interface for the runner, and the report in JSON.
#pragma GCC visibility push(default)
#include "simulator/api/simulator_api.h"
#pragma GCC visibility pop

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "simulator/runtime/state/errors.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

using Json = nlohmann::json;

std::string configure_problem;  // guarded by the runtime's lock

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

Json json_of(const HostCounts& counts) {
  return {{"kernel_launches", counts.kernel_launches},
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
          {"allocation_calls", counts.allocation_calls},
          {"free_calls", counts.free_calls},
          {"pool_allocation_calls", counts.pool_allocation_calls},
          {"kept_allocations", counts.kept_allocations}};
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

Json leaks_of(const Runtime& runtime) {
  Json leaks = Json::array();
  for (const auto& [base, record] : runtime.allocations.live()) {
    if (!runtime.allocations.is_of_this_run(record) || record.owned_by_graph) continue;
    leaks.push_back({{"address", base},
                     {"bytes", record.bytes},
                     {"kind", record.registered ? "registered" : name_of(record.kind)}});
  }
  return leaks;
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
                   {"uncertain", runtime.left_out.uncertain},
                   {"most_blocks", runtime.left_out.most_blocks}}},
                 {"messages", runtime.messages()},
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
  for (const Missing& entry : runtime.missing()) {
    Json object = {{"what", entry.what}, {"message", entry.message}};
    if (!entry.kernel.empty()) object["kernel"] = readable_name(entry.kernel);
    if (!entry.file.empty()) object["file"] = entry.file;
    if (entry.line != 0) object["line"] = entry.line;
    report["unsupported"].push_back(std::move(object));
  }
  if (runtime.errors.has_faulted()) {
    const cudaError_t code = runtime.errors.fatal();
    report["error"] = {{"code", code}, {"name", error_name(code)}, {"message", error_text(code)}};
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

/// As text with a terminating zero, cut off at `capacity`; returns the bytes it needs in full.
size_t hand_out(const Json& object, char* buffer, size_t capacity) {
  const std::string text = object.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (buffer != nullptr && capacity > 0) {
    const size_t copied = std::min(text.size(), capacity - 1);
    std::memcpy(buffer, text.data(), copied);
    buffer[copied] = '\0';
  }
  return text.size() + 1;
}

/// Reads one member if it is there; wrong types become a sentence.
class Reader {
 public:
  explicit Reader(const char* text) : object_(Json::parse(text ? text : "", nullptr, false)) {
    if (!object_.is_object()) problem = "The settings are not a JSON object.";
  }

  template <class T>
  std::optional<T> take(const char* name, bool (Json::*fits)() const noexcept, const char* wanted) {
    if (!problem.empty()) return std::nullopt;
    const auto member = object_.find(name);
    known_.push_back(name);
    if (member == object_.end()) return std::nullopt;
    if (!((*member).*fits)()) {
      problem = std::string("Setting \"") + name + "\" must be " + wanted + ".";
      return std::nullopt;
    }
    return member->get<T>();
  }

  void refuse_unknown() {
    if (!problem.empty()) return;
    for (const auto& [name, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
        problem = "Setting \"" + name + "\" is not known.";
      }
    }
  }

  std::string problem;

 private:
  Json object_;
  std::vector<std::string> known_;
};

std::string configure(Runtime& runtime, const char* text) {
  Reader reader(text);
  const auto natural = &Json::is_number_unsigned;
  const auto threads = reader.take<unsigned>("threads", natural, "a whole number");
  const auto budget = reader.take<std::uint64_t>("budget", natural, "a whole number");
  const auto touched = reader.take<std::uint64_t>("touched_limit_bytes", natural, "a whole number");
  const auto part = reader.take<std::uint64_t>("blocks_in_part", natural, "a whole number");
  const auto part_begins = reader.take<std::uint64_t>("part_begins", natural, "a whole number");
  const auto several = reader.take<bool>("part_of_several", &Json::is_boolean, "true or false");
  const auto share = reader.take<double>("share_of_blocks", &Json::is_number, "a number");
  const auto drawn = reader.take<std::uint64_t>("drawn", natural, "a whole number");
  const auto name = reader.take<std::string>("device_name", &Json::is_string, "text");
  const auto bytes = reader.take<std::uint64_t>("device_bytes", natural, "a whole number");
  const auto limit = reader.take<std::uint64_t>("memory_limit_bytes", natural, "a whole number");
  const auto checks = reader.take<std::string>("checks", &Json::is_string, "\"fast\" or \"full\"");
  const auto deferred = reader.take<bool>("deferred", &Json::is_boolean, "true or false");
  const auto quiet = reader.take<bool>("quiet", &Json::is_boolean, "true or false");
  const auto clock =
      reader.take<std::string>("clock", &Json::is_string, "\"host\" or \"counting\"");
  reader.refuse_unknown();
  if (reader.problem.empty() && clock && *clock != "host" && *clock != "counting") {
    reader.problem = "Setting \"clock\" must be \"host\" or \"counting\".";
  }
  if (reader.problem.empty() && checks && *checks != "fast" && *checks != "full") {
    reader.problem = "Setting \"checks\" must be \"fast\" or \"full\".";
  }
  if (!reader.problem.empty()) return reader.problem;
  runtime.streams.run_pending();
  if (threads) runtime.set_threads(*threads);
  if (budget) runtime.settings.instruction_budget = *budget;
  if (touched) runtime.settings.touched_bytes = *touched;
  if (part) runtime.settings.blocks_in_part = *part;
  if (part || part_begins) runtime.settings.part_begins = part_begins;
  if (several) runtime.settings.part_of_several = *several;
  if (share) runtime.settings.share_of_blocks = std::clamp(*share, 0.0, 1.0);
  if (drawn) runtime.settings.drawn = *drawn;
  if (name) runtime.settings.device_name = *name;
  if (bytes) runtime.settings.device_bytes = *bytes;
  if (limit) runtime.set_memory_limit(*limit);
  if (deferred) runtime.settings.deferred = *deferred;
  if (quiet) runtime.settings.quiet = *quiet;
  if (clock) runtime.settings.counting_clock = *clock == "counting";
  if (checks) {
    runtime.settings.checks = *checks == "full" ? Checks::full : Checks::fast;
    if (runtime.has_device()) runtime.device().memory().set_tracking(*checks == "full");
  }
  return {};
}

/// Runs the body under the lock; nothing thrown leaves the C interface.
template <class Body>
void guarded(Body&& body) noexcept {
  try {
    Runtime& runtime = Runtime::instance();
    const std::scoped_lock lock(runtime.mutex);
    body(runtime);
  } catch (...) {
  }
}

}  // namespace
}  // namespace klab::sim

using namespace klab::sim;

extern "C" {

int klab_sim_configure(const char* json) {
  int result = 1;
  guarded([&](Runtime& runtime) {
    configure_problem = configure(runtime, json);
    result = configure_problem.empty() ? 0 : 1;
  });
  return result;
}

const char* klab_sim_message(void) { return configure_problem.c_str(); }

void klab_sim_name_work(const char* name) {
  guarded([=](Runtime& runtime) { runtime.streams.work_name = name != nullptr ? name : ""; });
}

void klab_sim_name_stream(void* stream, const char* name) {
  guarded([=](Runtime& runtime) {
    if (Stream* found = runtime.streams.find(static_cast<cudaStream_t>(stream)))
      runtime.streams.name(*found, name);
  });
}

void klab_sim_name_memory(const void* memory, const char* name) {
  guarded([=](Runtime& runtime) {
    if (runtime.has_device())
      runtime.device().memory().name(reinterpret_cast<std::uint64_t>(memory), name);
  });
}

void klab_sim_begin(void) {
  guarded([](Runtime& runtime) { runtime.begin(); });
}

size_t klab_sim_report(char* buffer, size_t capacity) {
  size_t needed = 0;
  guarded([&](Runtime& runtime) { needed = hand_out(report_of(runtime), buffer, capacity); });
  return needed;
}

void klab_sim_watch_order(int on) {
  guarded([=](Runtime& runtime) { on != 0 ? runtime.order.start() : runtime.order.stop(); });
}

unsigned long long klab_sim_step(void) {
  unsigned long long step = 0;
  guarded([&](Runtime& runtime) { step = runtime.order.step(); });
  return step;
}

size_t klab_sim_order(char* buffer, size_t capacity) {
  size_t needed = 0;
  guarded([&](Runtime& runtime) { needed = hand_out(order_of(runtime.order), buffer, capacity); });
  return needed;
}

void klab_sim_reuse_addresses(int on) {
  guarded([=](Runtime& runtime) { runtime.device().memory().set_reuse(on != 0); });
}

size_t klab_sim_touched_pages(const void* begin, size_t bytes, unsigned long long* pages,
                              size_t capacity) {
  size_t written = 0;
  guarded([&](Runtime& runtime) {
    if (!runtime.has_device()) return;
    const auto touched = runtime.device().memory().touched_pages(
        reinterpret_cast<std::uint64_t>(begin), bytes, capacity);
    written = touched.size();
    std::copy(touched.begin(), touched.end(), pages);
  });
  return written;
}

unsigned long long klab_sim_clock(void) {
  unsigned long long shown = 0;
  guarded([&](Runtime& runtime) { shown = ++runtime.ticks; });
  return shown;
}

void klab_sim_cancel(void) { Runtime::instance().cancel = true; }

void klab_sim_on_finding(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.listener = nullptr;
    if (function == nullptr) return;
    runtime.listener = [=](const Finding& finding) {
      const std::string text =
          json_of(finding).dump(-1, ' ', false, Json::error_handler_t::replace);
      function(text.c_str(), text.size(), user_data);
    };
  });
}

void klab_sim_on_message(klab_sim_finding_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.hearer = nullptr;
    if (function == nullptr) return;
    runtime.hearer = [=](const std::string& sentence) {
      const std::string text = Json(sentence).dump(-1, ' ', false, Json::error_handler_t::replace);
      function(text.c_str(), text.size(), user_data);
    };
  });
}

void klab_sim_on_progress(klab_sim_progress_function function, void* user_data) {
  guarded([&](Runtime& runtime) {
    runtime.progress = nullptr;
    if (function == nullptr) return;
    runtime.progress = [=](const LaunchProgress& progress) {
      function(progress.warp_instructions, progress.blocks_done, progress.blocks, user_data);
    };
  });
}

}  // extern "C"
