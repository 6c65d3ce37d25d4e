// Calls of klab_sim_* and reading of the report (workbench/simulator/api/simulator_api.h).
#include "runner/simulated/simulator_link.hpp"

#include <dlfcn.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text/json_text.hpp"
#include "runner/device/runner_error.hpp"

namespace klab::runner {
namespace {

using nlohmann::json;

template <class Function>
Function* simulator_function(const char* name) {
  auto* function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
  if (!function)
    throw RunnerError(make_error(ErrorCode::runner_failed,
                                 std::string("The loaded CUDA runtime is not the simulator: it has "
                                             "no ") +
                                     name + ".",
                                 "Run " + Act{Verb::build} + " to build it again."));
  return function;
}

/// What a function of the simulator writes into a buffer.
std::string text_of(const char* name) {
  auto* const write = simulator_function<std::size_t(char*, std::size_t)>(name);
  constexpr std::size_t enough_for_most = 1 << 16;  // so that it is worked out once
  std::string text(enough_for_most, '\0');
  const std::size_t needed = write(text.data(), text.size());
  if (needed > text.size()) {
    text.resize(needed);
    write(text.data(), text.size());
  }
  return text.c_str();  // up to the terminating zero
}

record::Finding finding_from(const json& entry) {
  record::Finding finding;
  finding.kind = finding_kind_from(entry.value("kind", ""));
  finding.message = entry.value("message", "");
  finding.kernel = entry.value("kernel", "");
  finding.file = entry.value("file", "");
  if (entry.contains("line")) finding.line = entry.at("line").get<int>();
  return finding;
}

/// A line's cost in one unit: the sum of what these counts say.
struct LineUnit {
  const char* unit;
  std::vector<const char*> counts;
};

const std::vector<LineUnit>& line_units() {
  static const std::vector<LineUnit> units = {
      {"instructions", {"warp_instructions"}},
      {"sectors", {"global_load_sectors", "global_store_sectors"}},
      {"divergent branches", {"divergent_branches"}},
      {"bank conflicts", {"shared_load_bank_conflicts", "shared_store_bank_conflicts"}}};
  return units;
}

/// Lines without any of a unit are left out.
void add_line_costs(SimulatorReport& report, const json& kernels) {
  std::map<std::pair<std::string, int>, std::map<std::string, double>> sums;
  for (const json& kernel : kernels) {
    const auto lines = kernel.find("lines");
    if (lines == kernel.end()) continue;
    for (const json& line : *lines)
      for (const auto& [name, value] : line.at("counts").items())
        sums[{line.at("file").get<std::string>(), line.at("line").get<int>()}][name] +=
            value.get<double>();
  }
  for (const auto& [place, counts] : sums)
    for (const LineUnit& unit : line_units()) {
      LineHeat heat{.file = place.first, .line = place.second, .unit = unit.unit};
      heat.source = Source::counted;
      for (const char* name : unit.counts) {
        const auto count = counts.find(name);
        if (count == counts.end()) continue;
        heat.value += count->second;
        if (unit.counts.size() > 1) heat.by_reason[name] = count->second;
        if (report.labels.at(name) == Source::modelled) heat.source = Source::modelled;
      }
      if (heat.value > 0) report.lines.push_back(std::move(heat));
    }
}

SimulatorReport report_from(const json& text) {
  SimulatorReport report;
  std::map<std::string, double> sums;
  for (const json& kernel : text.at("kernels"))
    for (const auto& [name, value] : kernel.at("counts").items()) sums[name] += value.get<double>();
  for (const auto& [name, label] : text.at("labels").items())
    report.labels[name] = label == "modelled" ? Source::modelled : Source::counted;
  add_line_costs(report, text.at("kernels"));
  // No kernel ran, or none that counts this: then it was counted as none.
  for (const auto& [name, label] : report.labels) sums.try_emplace(name, 0);
  const json& host = text.at("host");
  for (const auto& [name, value] : host.items()) sums[name] = value.get<double>();
  if (const auto left_out = text.find("counts_left_out"); left_out != text.end())
    for (const auto& [name, value] : left_out->items()) sums[name] += value.get<double>();
  sums["living_objects"] = text.value("living_objects", 0.0);
  // The catalogue counts every call in which the host waits, and every blocking call that
  // allocates or frees, as a trace of the real runtime does.
  sums["host_synchronizations"] += host.value("synchronous_copies", 0.0);
  sums["allocation_calls"] += host.value("free_calls", 0.0);
  for (const auto& [name, value] : sums) report.counts.push_back({name, value});
  for (const json& entry : text.at("findings")) report.findings.push_back(finding_from(entry));
  for (const json& entry : text.at("unsupported"))
    report.unsupported.push_back(entry.value("message", ""));
  report.first_refusal = text.value("first_refusal", "");
  for (const json& message : text.value("messages", json::array()))
    report.messages.push_back(message.get<std::string>());
  if (const auto error = text.find("error"); error != text.end()) {
    report.faulted_kernel = error->value("kernel", "");
    report.faulted_other = error->value("work", "");
  }
  if (const auto part = text.find("part"); part != text.end())
    report.left_out = {part->value("kernels", std::uint64_t{0}),
                       part->value("copies", std::uint64_t{0}),
                       part->value("cut_short", std::uint64_t{0}),
                       part->value("allocations", std::uint64_t{0}),
                       part->value("most_bytes", std::uint64_t{0}),
                       part->value("uncertain", std::uint64_t{0}),
                       part->value("most_blocks", std::uint64_t{0}),
                       part->value("deadlocks", std::uint64_t{0}),
                       part->value("warps", std::uint64_t{0}),
                       part->value("warps_ahead", std::uint64_t{0}),
                       part->value("copied_to", decltype(LeftOut::copied_to)())};
  return report;
}

void configure(const json& settings) {
  if (simulator_function<int(const char*)>("klab_sim_configure")(json_text(settings).c_str()) == 0)
    return;
  const char* message = simulator_function<const char*()>("klab_sim_message")();
  throw RunnerError(make_error(ErrorCode::runner_failed,
                               std::string("The simulator refused its settings: ") + message));
}

}  // namespace

void configure_simulator(const SimulatorSettings& settings) {
  json text = {{"checks", settings.full_checks    ? "full"
                          : settings.block_checks ? "block"
                                                  : "fast"},
               {"deferred", settings.deferred},
               {"unseen_waits", true},
               {"budget", settings.budget},
               {"touched_limit_bytes", settings.touched_limit_bytes},
               {"blocks_in_part", settings.blocks_in_part},
               {"part_of_several", settings.part_of_several},
               {"share_of_blocks", settings.share_of_blocks},
               {"drawn", settings.drawn},
               {"quiet", settings.quiet},
               {"clock", settings.counting_clock ? "counting" : "host"}};
  if (settings.part_begins) text["part_begins"] = *settings.part_begins;
  if (!settings.device_name.empty()) {
    text["device_name"] = settings.device_name;
    text["device_bytes"] = settings.device_bytes;
  }
  if (settings.multiprocessors > 0) text["multiprocessors"] = settings.multiprocessors;
  if (settings.memory_limit_bytes > 0) text["memory_limit_bytes"] = settings.memory_limit_bytes;
  configure(text);
}

void run_simulated_warps_in_reverse(bool on) { configure({{"warps_in_reverse", on}}); }

void call_simulated_kernel_file(bool on) {
  static auto* const call = simulator_function<void(int)>("klab_sim_call_kernel_file");
  call(on);
}

void reuse_simulated_addresses(bool on) {
  simulator_function<void(int)>("klab_sim_reuse_addresses")(on);
}

void mark_simulated_scratch(const void* memory) {
  simulator_function<void(const void*)>("klab_sim_mark_scratch")(memory);
}

std::vector<unsigned long long> touched_pages(const void* begin, std::size_t bytes,
                                              std::size_t most) {
  using Read = std::size_t(const void*, std::size_t, unsigned long long*, std::size_t);
  static auto* const read = simulator_function<Read>("klab_sim_touched_pages");
  std::vector<unsigned long long> pages(most);
  pages.resize(read(begin, bytes, pages.data(), most));
  return pages;
}

Living living() {
  static auto* const count =
      simulator_function<void(long long*, unsigned long long*)>("klab_sim_living");
  long long allocations = 0;
  unsigned long long objects = 0;
  count(&allocations, &objects);
  return {allocations, static_cast<std::int64_t>(objects)};
}

std::chrono::nanoseconds counted_time() {
  static auto* const clock = simulator_function<unsigned long long()>("klab_sim_clock");
  return std::chrono::nanoseconds(clock());
}

static std::function<bool()> launch_is_over;

void stop_simulation_when(std::function<bool()> over) { launch_is_over = std::move(over); }

void report_progress(RecordWriter& out) {
  using Report = void(unsigned long long, unsigned long long, unsigned long long, void*);
  constexpr auto report = [](unsigned long long instructions, unsigned long long done,
                             unsigned long long blocks, void* writer) {
    // A count that does not fit is left out: the instructions tell that something happens.
    const bool fits = blocks <= static_cast<unsigned long long>(std::numeric_limits<int>::max());
    static_cast<RecordWriter*>(writer)->progress(
        "simulated " + std::to_string(instructions / 1'000'000) + " million warp instructions",
        fits ? std::optional<int>(static_cast<int>(done)) : std::nullopt,
        fits ? std::optional<int>(static_cast<int>(blocks)) : std::nullopt);
    if (launch_is_over && launch_is_over()) stop_simulation();
  };
  simulator_function<void(Report*, void*)>("klab_sim_on_progress")(report, &out);
}

bool is_of_host(const record::Finding& finding) { return finding.kernel.empty(); }

void report_host_findings(RecordWriter& out) {
  using Report = void(const char*, std::size_t, void*);
  constexpr auto report = [](const char* text, std::size_t bytes, void* writer) {
    const json entry = json_from({text, bytes});
    if (!entry.is_object()) return;
    if (const auto finding = finding_from(entry); is_of_host(finding))
      static_cast<RecordWriter*>(writer)->write(finding);
  };
  simulator_function<void(Report*, void*)>("klab_sim_on_finding")(report, &out);
}

void report_lacking(RecordWriter& out) {
  using Report = void(const char*, std::size_t, void*);
  constexpr auto report = [](const char* text, std::size_t bytes, void* writer) {
    const json sentence = json_from({text, bytes});
    if (!sentence.is_string()) return;
    static_cast<RecordWriter*>(writer)->write(
        record::Failure{make_error(ErrorCode::unsupported, sentence.get<std::string>()), {}});
  };
  simulator_function<void(Report*, void*)>("klab_sim_on_lacking")(report, &out);
}

void stop_simulation() { simulator_function<void()>("klab_sim_cancel")(); }

void begin_simulation() { simulator_function<void()>("klab_sim_begin")(); }

void name_simulated_work(const std::string& name) {
  simulator_function<void(const char*)>("klab_sim_name_work")(name.c_str());
}

void name_simulated_stream(void* stream, const std::string& name) {
  simulator_function<void(void*, const char*)>("klab_sim_name_stream")(stream, name.c_str());
}

void name_simulated_memory(const void* memory, const std::string& name) {
  simulator_function<void(const void*, const char*)>("klab_sim_name_memory")(memory, name.c_str());
}

std::optional<double> find_count(const SimulatorReport& report, std::string_view name) {
  for (const BaseValue& count : report.counts)
    if (count.name == name) return count.value;
  return std::nullopt;
}

SimulatorReport parse_simulator_report(const std::string& text) {
  const json parsed = json_from(text);
  try {
    if (!parsed.is_discarded()) return report_from(parsed);
  } catch (const json::exception& failure) {
    throw RunnerError(make_error(ErrorCode::runner_failed, "The simulator's report is incomplete.",
                                 {}, failure.what()));
  }
  throw RunnerError(make_error(ErrorCode::runner_failed, "The simulator's report is not JSON."));
}

SimulatorReport simulator_report() { return parse_simulator_report(text_of("klab_sim_report")); }

void watch_order() { simulator_function<void(int)>("klab_sim_watch_order")(1); }

std::int64_t order_step() {
  return static_cast<std::int64_t>(simulator_function<unsigned long long()>("klab_sim_step")());
}

std::string take_order() {
  simulator_function<void(int)>("klab_sim_watch_order")(0);
  return text_of("klab_sim_order");
}

}  // namespace klab::runner
