// Check results as JSON: their fields, and what is JSON otherwise than by fields.
#include "core/verdict/json/check_result_json.hpp"

#include <algorithm>
#include <optional>

#include "core/verdict/json/check_result_fields.hpp"
#include "core/verdict/json/json_fields.hpp"

namespace klab {

using json_fields::word;
using nlohmann::json;

template <class Visit>
void fields(Visit& visit, Interval& interval) {
  visit("median", interval.median);
  visit("low", interval.low);
  visit("high", interval.high);
}

json to_json(const Interval& interval) { return json_fields::of_fields(interval); }

/// Three numbers or none.
bool read_json(const json& value, Interval& interval) {
  std::string problem;
  return json_fields::read_fields(value, interval, true, problem) && problem.empty();
}

bool read_json(const json& value, DeviceFacts& device) {
  device = device_from(value);
  return true;
}

bool read_json(const json& value, Error& error) {
  error = error_from(value);
  return true;
}

template <class Visit>
void fields(Visit& visit, Error& error) {
  const auto code_from = [](std::string_view name) { return std::optional(error_code_from(name)); };
  if constexpr (Visit::reads) error.code = ErrorCode::runner_failed;  // where it is not said
  visit("code", word(error.code, code_from, "unknown error"));
  visit("what", error.what);
  visit("remedy", error.remedy);
  visit("detail", error.detail);
}

json to_json(const Error& error) { return json_fields::of_fields(error); }

Error error_from(const json& object) {
  if (!object.is_object())
    return make_error(ErrorCode::runner_failed, "An error without a description.");
  auto error = json_fields::lenient<Error>(object);
  return make_error(error.code, std::move(error.what), std::move(error.remedy),
                    std::move(error.detail));
}

json to_json(const Gate& gate) {
  return {{"name", to_string(gate.name)},
          {"subject", gate.subject},
          {"verdict", to_string(gate.outcome)},
          {"measured", json_reading::number(gate.measured)},
          {"target", gate.target ? target_words(*gate.target) : ""},
          {"unit", gate.unit},
          {"source", gate.source ? json(to_string(*gate.source)) : json(nullptr)},
          {"detail", gate.detail},
          {"advice", shell_words(gate.advice)}};
}

/// False if it is not one of ours.
bool read_json(const json& object, Gate& gate) {
  using namespace json_reading;
  if (!object.is_object()) return false;
  const auto name = gate_name_from(get<std::string>(object, "name", {}));
  if (!name) return false;
  gate.name = *name;
  gate.subject = get<std::string>(object, "subject", {});
  gate.outcome =
      outcome_from(get<std::string>(object, "verdict", {})).value_or(Outcome::not_checkable);
  gate.measured = optional_number(object, "measured");
  gate.target = target_from(get<std::string>(object, "target", {}));
  gate.unit = get<std::string>(object, "unit", {});
  gate.source = source_from(get<std::string>(object, "source", {}));
  gate.detail = get<std::string>(object, "detail", {});
  gate.advice = advice_from(get<std::string>(object, "advice", {}));
  return true;
}

template <class Visit>
void fields(Visit& visit, DeviceFacts& device) {
  visit("name", device.name);
  visit("chip", device.chip);
  visit("compute_capability", json_fields::or_zero(device.compute_capability));
  visit("driver", device.driver);
  visit("toolkit", device.toolkit);
  visit("simulated", device.simulated);
  visit("multiprocessors", device.multiprocessors);
  visit("l2_bytes", device.l2_bytes);
  visit("memory_bytes", device.memory_bytes);
  visit("shared_per_multiprocessor_bytes", device.shared_per_multiprocessor_bytes);
  visit("registers_per_multiprocessor", device.registers_per_multiprocessor);
  visit.if_there("memory_free_bytes", device.memory_free_bytes);
  visit.if_there("gpus", device.gpus);
}

template <class Visit>
void fields(Visit& visit, RungResult& rung) {
  visit("name", rung.name);
  visit("verdict", word(rung.outcome, outcome_from, "unknown outcome"));
  visit("gates", rung.gates);
}

template <class Visit>
void fields(Visit& visit, VariantTimes& times) {
  visit("seconds", times.seconds);
  visit("samples_s", times.samples_s);
  visit("sm_clock_mhz", times.sm_clock_mhz);
}

template <class Visit>
void fields(Visit& visit, Timing& timing) {
  visit("variants", timing.variants);
  visit("cliffs_delta", timing.cliffs_delta);
  visit("throttle_reasons", timing.throttle_reasons);
  visit("cold_l2", timing.cold_l2);
  visit("stopped_because", timing.stopped_because);
}

template <class Visit>
void fields(Visit& visit, Printed& printed) {
  visit("text", printed.text);
  visit("left_out_bytes", printed.left_out_bytes);
}

template <class Visit>
void fields(Visit& visit, CheckResult& result) {
  visit("lab", result.lab);
  visit("variant", json_fields::Shown{result.variant});
  visit("source_digest", result.source_digest);
  visit("backend", json_fields::or_empty(result.backend));
  visit("verdict", word(result.verdict, outcome_from, "unknown outcome"));
  visit("conclusion", result.conclusion);
  visit("gates", result.gates);
  visit("rungs", result.rungs);
  visit("score", result.score);
  visit("times", result.timing);
  visit("ratio", result.timing.ratio);
  visit("counters", result.counters);
  visit("compiler", result.compiler);
  visit("device", result.device);
  visit("seed", result.seed);
  visit("date", result.date);
  visit("errors", result.errors);
  visit("phase_seconds", result.phase_seconds);
  if (Visit::reads || !result.printed.text.empty()) visit.may("printed", result.printed);
}

json to_json(const KernelReport& kernel) { return json_fields::of_fields(kernel); }
json to_json(const DeviceFacts& device) { return json_fields::of_fields(device); }
json to_json(const Counters& counters) { return json_fields::written(counters); }
json to_json(const CheckResult& result) { return json_fields::of_fields(result); }

DeviceFacts device_from(const json& object) { return json_fields::lenient<DeviceFacts>(object); }

namespace {

/// Records keep words: what an error of theirs says, too, rests on that error.
void restore_basis(CheckResult& result) {
  for (Gate& gate : result.gates) {
    if (gate.outcome == Outcome::pass) continue;
    const auto tells = [&](const Error& error) { return gate.detail == error.what; };
    if (gate.detail.starts_with("Not run") || gate.detail.ends_with(earlier_gate))
      gate.basis = Basis::not_run;
    else if (std::any_of(result.errors.begin(), result.errors.end(), tells))
      gate.basis = Basis::error;
  }
}

}  // namespace

Result<CheckResult> check_result_from(const json& object) {
  if (!object.is_object() || !object.contains("lab") || !object.contains("gates"))
    return make_error(ErrorCode::io, "This is not a record of a check: it has no lab or no gates.");
  auto result = json_fields::lenient<CheckResult>(object);
  restore_basis(result);
  return result;
}

}  // namespace klab
