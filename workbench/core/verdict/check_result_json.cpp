// Writing and defensively reading check results as JSON.
#include "core/verdict/check_result_json.hpp"

#include <cmath>
#include <optional>
#include <utility>

#include "core/verdict/json_reading.hpp"

namespace klab {
namespace {

using json_reading::get;
using json_reading::interval_from;
using json_reading::interval_json;
using json_reading::number;
using json_reading::numbers;
using json_reading::optional_number;
using json_reading::part;
using json_reading::strings;
using nlohmann::json;

json to_json(const Gate& gate) {
  return {{"name", to_string(gate.name)},
          {"subject", gate.subject},
          {"verdict", to_string(gate.outcome)},
          {"measured", number(gate.measured)},
          {"target", gate.target},
          {"unit", gate.unit},
          {"source", gate.source ? json(to_string(*gate.source)) : json(nullptr)},
          {"detail", gate.detail},
          {"advice", gate.advice}};
}

/// nullopt if it is not one of ours.
std::optional<Gate> gate_from(const json& object) {
  if (!object.is_object()) return std::nullopt;
  const auto name = gate_name_from(get<std::string>(object, "name", {}));
  if (!name) return std::nullopt;
  Gate gate{.name = *name};
  gate.subject = get<std::string>(object, "subject", {});
  gate.outcome =
      outcome_from(get<std::string>(object, "verdict", {})).value_or(Outcome::not_checkable);
  gate.measured = optional_number(object, "measured");
  gate.target = get<std::string>(object, "target", {});
  gate.unit = get<std::string>(object, "unit", {});
  gate.source = source_from(get<std::string>(object, "source", {}));
  gate.detail = get<std::string>(object, "detail", {});
  gate.advice = get<std::string>(object, "advice", {});
  return gate;
}

json to_json(const RungResult& rung) {
  json gates = json::array();
  for (const Gate& gate : rung.gates) gates.push_back(to_json(gate));
  return {{"name", rung.name}, {"verdict", to_string(rung.outcome)}, {"gates", gates}};
}

RungResult rung_from(const json& object) {
  RungResult rung;
  rung.name = get<std::string>(object, "name", {});
  rung.outcome =
      outcome_from(get<std::string>(object, "verdict", {})).value_or(Outcome::not_checkable);
  for (const json& gate : part(object, "gates"))
    if (auto read = gate_from(gate)) rung.gates.push_back(std::move(*read));
  return rung;
}

json times_json(const Timing& timing) {
  json variants = json::object();
  for (const auto& [name, times] : timing.variants)
    variants[name.name()] = {{"seconds", interval_json(times.seconds)},
                             {"samples_s", times.samples_s},
                             {"sm_clock_mhz", times.sm_clock_mhz}};
  return {{"variants", variants},
          {"cliffs_delta", number(timing.cliffs_delta)},
          {"throttle_reasons", timing.throttle_reasons},
          {"cold_l2", timing.cold_l2},
          {"stopped_because", timing.stopped_because}};
}

Timing timing_from(const json& times, const json& ratio) {
  Timing timing;
  timing.ratio = interval_from(ratio);
  if (!times.is_object()) return timing;
  for (const auto& [name, item] : part(times, "variants").items()) {
    if (!item.is_object()) continue;
    timing.variants[VariantName(name)] = {numbers(part(item, "samples_s")),
                                          interval_from(part(item, "seconds")),
                                          numbers(part(item, "sm_clock_mhz"))};
  }
  timing.cliffs_delta = optional_number(times, "cliffs_delta");
  timing.throttle_reasons = strings(part(times, "throttle_reasons"));
  timing.cold_l2 = get(times, "cold_l2", true);
  timing.stopped_because = get<std::string>(times, "stopped_because", {});
  return timing;
}

}  // namespace

json to_json(const KernelReport& kernel) {
  return {{"kernel", kernel.kernel},
          {"registers", kernel.registers},
          {"stack_bytes", kernel.stack_bytes},
          {"spill_store_bytes", kernel.spill_store_bytes},
          {"spill_load_bytes", kernel.spill_load_bytes},
          {"static_shared_bytes", kernel.static_shared_bytes}};
}

KernelReport kernel_report_from(const json& object) {
  if (!object.is_object()) return {};
  const auto bytes = [&](const char* key) { return get<std::int64_t>(object, key, 0); };
  return {get<std::string>(object, "kernel", {}),
          get<int>(object, "registers", 0),
          bytes("stack_bytes"),
          bytes("spill_store_bytes"),
          bytes("spill_load_bytes"),
          bytes("static_shared_bytes")};
}

json to_json(const DeviceFacts& device) {
  json object = {{"name", device.name},
                 {"chip", device.chip},
                 {"compute_capability", device.compute_capability},
                 {"driver", device.driver},
                 {"toolkit", device.toolkit},
                 {"simulated", device.simulated},
                 {"multiprocessors", device.multiprocessors},
                 {"l2_bytes", device.l2_bytes},
                 {"memory_bytes", device.memory_bytes},
                 {"shared_per_multiprocessor_bytes", device.shared_per_multiprocessor_bytes},
                 {"registers_per_multiprocessor", device.registers_per_multiprocessor}};
  if (device.memory_free_bytes) object["memory_free_bytes"] = *device.memory_free_bytes;
  if (device.gpus) object["gpus"] = *device.gpus;
  return object;
}

DeviceFacts device_from(const json& object) {
  DeviceFacts device;
  if (!object.is_object()) return device;
  device.name = get<std::string>(object, "name", {});
  device.chip = get<std::string>(object, "chip", {});
  device.compute_capability = get<int>(object, "compute_capability", 0);
  device.driver = get<std::string>(object, "driver", {});
  device.toolkit = get<std::string>(object, "toolkit", {});
  device.simulated = get(object, "simulated", false);
  device.multiprocessors = get<int>(object, "multiprocessors", 0);
  device.l2_bytes = get<std::int64_t>(object, "l2_bytes", 0);
  device.memory_bytes = get<std::int64_t>(object, "memory_bytes", 0);
  device.shared_per_multiprocessor_bytes =
      get<std::int64_t>(object, "shared_per_multiprocessor_bytes", 0);
  device.registers_per_multiprocessor =
      get<std::int64_t>(object, "registers_per_multiprocessor", 0);
  device.memory_free_bytes = optional_number<std::int64_t>(object, "memory_free_bytes");
  device.gpus = optional_number<int>(object, "gpus");
  return device;
}

json to_json(const Error& error) {
  return {{"code", to_string(error.code)},
          {"what", error.what},
          {"remedy", error.remedy},
          {"detail", error.detail}};
}

Error error_from(const json& object) {
  if (!object.is_object())
    return make_error(ErrorCode::runner_failed, "An error without a description.");
  return make_error(error_code_from(get<std::string>(object, "code", {})),
                    get<std::string>(object, "what", {}), get<std::string>(object, "remedy", {}),
                    get<std::string>(object, "detail", {}));
}

json to_json(const Counters& counters) {
  json object = json::object();
  for (const auto& [name, counter] : counters) {
    object[name] = {{"value", number(counter.value)}, {"source", to_string(counter.source)}};
    if (!counter.reason.empty()) object[name]["reason"] = counter.reason;
  }
  return object;
}

Counters counters_from(const json& object) {
  Counters counters;
  if (!object.is_object()) return counters;
  for (const auto& [name, item] : object.items()) {
    if (!item.is_object()) continue;
    counters[name] = {optional_number(item, "value"),
                      source_from(get<std::string>(item, "source", {})).value_or(Source::recorded),
                      get<std::string>(item, "reason", {})};
  }
  return counters;
}

json to_json(const CheckResult& result) {
  json gates = json::array(), rungs = json::array(), errors = json::array(),
       counters = json::object(), compiler = json::object();
  for (const Gate& gate : result.gates) gates.push_back(to_json(gate));
  for (const RungResult& rung : result.rungs) rungs.push_back(to_json(rung));
  for (const Error& error : result.errors) errors.push_back(to_json(error));
  for (const auto& [variant, values] : result.counters) counters[variant.name()] = to_json(values);
  for (const auto& [variant, kernels] : result.compiler) {
    json& reports = compiler[variant.name()] = json::array();
    for (const KernelReport& kernel : kernels) reports.push_back(to_json(kernel));
  }
  json object = {{"lab", result.lab},
                 {"variant", result.variant.shown()},
                 {"source_digest", result.source_digest},
                 {"backend", result.backend},
                 {"verdict", to_string(result.verdict)},
                 {"conclusion", result.conclusion},
                 {"gates", gates},
                 {"rungs", rungs},
                 {"score", number(result.score)},
                 {"times", times_json(result.timing)},
                 {"ratio", interval_json(result.timing.ratio)},
                 {"counters", counters},
                 {"compiler", compiler},
                 {"device", to_json(result.device)},
                 {"seed", result.seed},
                 {"date", result.date},
                 {"errors", errors},
                 {"phase_seconds", result.phase_seconds}};
  if (!result.printed.text.empty())
    object["printed"] = {{"text", result.printed.text},
                         {"left_out_bytes", result.printed.left_out_bytes}};
  return object;
}

Result<CheckResult> check_result_from(const json& object) {
  if (!object.is_object() || !object.contains("lab") || !object.contains("gates"))
    return make_error(ErrorCode::io, "This is not a record of a check: it has no lab or no gates.");
  CheckResult result;
  result.lab = get<std::string>(object, "lab", {});
  result.variant = VariantName(get<std::string>(object, "variant", {}));
  result.source_digest = get<std::string>(object, "source_digest", {});
  result.backend = get<std::string>(object, "backend", {});
  result.verdict =
      outcome_from(get<std::string>(object, "verdict", {})).value_or(Outcome::not_checkable);
  result.conclusion = get<std::string>(object, "conclusion", {});
  for (const json& gate : part(object, "gates"))
    if (auto read = gate_from(gate)) result.gates.push_back(std::move(*read));
  for (const json& rung : part(object, "rungs"))
    if (rung.is_object()) result.rungs.push_back(rung_from(rung));
  result.score = optional_number(object, "score");
  result.timing = timing_from(part(object, "times"), part(object, "ratio"));
  for (const auto& [variant, values] : part(object, "counters").items())
    result.counters[VariantName(variant)] = counters_from(values);
  for (const auto& [variant, kernels] : part(object, "compiler").items())
    for (const json& kernel : kernels)
      if (kernel.is_object())
        result.compiler[VariantName(variant)].push_back(kernel_report_from(kernel));
  result.device = device_from(part(object, "device"));
  result.seed = get<std::uint64_t>(object, "seed", 0);
  result.date = get<std::string>(object, "date", {});
  for (const json& error : part(object, "errors")) result.errors.push_back(error_from(error));
  const json& printed = part(object, "printed");
  result.printed = {get<std::string>(printed, "text", {}),
                    get<std::size_t>(printed, "left_out_bytes", 0)};
  for (const auto& [phase, seconds] : part(object, "phase_seconds").items())
    if (seconds.is_number()) result.phase_seconds[phase] = seconds.get<double>();
  return result;
}

}  // namespace klab
