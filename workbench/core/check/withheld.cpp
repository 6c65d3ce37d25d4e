// Withholding causes, and counts of what was not seen.
#include "core/check/withheld.hpp"

#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"

namespace klab {

void hide_causes(CheckResult& result, const std::string& lab_slug) {
  const auto hide = [&](std::vector<Gate>& gates) {
    int number = 0;
    for (Gate& gate : gates)
      if (gate.name == GateName::cause)
        gate = {.name = gate.name,
                .subject = "hidden cause " + std::to_string(++number),
                .outcome = gate.outcome,
                .detail = "What it counts is told once you have said what you suspect.",
                .advice = "Profile the kernel, then " + Act{Verb::predict, lab_slug} + "."};
  };
  hide(result.gates);
  for (RungResult& rung : result.rungs) hide(rung.gates);
}

void leave_unasked(CheckResult& result) {
  for (Gate& gate : result.gates) {
    if (gate.name == GateName::built || gate.name == GateName::correct) {
      if (gate.outcome != Outcome::pass) return;
      continue;
    }
    gate.detail = "Not asked for: a quick check looks only whether it builds and is right.";
    gate.advice = {};
    gate.basis = Basis::not_run;
  }
  result.conclusion = "It builds and is right; a quick check asks no more.";
}

bool was_stopped(const CheckResult& result) {
  return std::any_of(result.errors.begin(), result.errors.end(),
                     [](const Error& error) { return error.code == ErrorCode::canceled; });
}

void leave_stopped(CheckResult& result) {
  const auto leave = [](std::vector<Gate>& gates) {
    for (Gate& gate : gates) {
      if (gate.outcome != Outcome::not_checkable) continue;
      gate.detail = "Not run: the check was stopped.";
      gate.advice = {};
      gate.basis = Basis::not_run;
    }
  };
  leave(result.gates);
  for (RungResult& rung : result.rungs) leave(rung.gates);
}

void count_by_report(Counters& counters, std::span<const KernelReport> kernels, bool loads_others) {
  for (const Metric& metric : metric_catalogue()) {
    if (metric.compiler.empty()) continue;
    const auto value = loads_others ? std::nullopt : evaluate_compiler(metric, kernels);
    counters[std::string(metric.name)] = {
        value, Source::compiler,
        value ? MissingReason() : MissingReason{MissingKind::not_in_report}};
  }
}

void withdraw_unseen_spills(Counters& counters) {
  const auto spills = counters.find("spill_bytes");
  if (spills == counters.end() || spills->second.value.value_or(0) == 0) return;
  const auto counts_local = [](const std::string& name) {
    const Metric* metric = find_metric(name);
    return metric != nullptr && metric->simulator.find("local_") != std::string_view::npos;
  };
  for (auto& [name, counter] : counters)
    if (counts_local(name) && counter.source != Source::compiler)
      counter = {std::nullopt, Source::modelled, {MissingKind::unseen_spills}};
}

void withdraw_unseen_in_graphs(Counters& counters) {
  const auto graphs = counters.find("graph_launches");
  if (graphs == counters.end() || graphs->second.value.value_or(0) == 0) return;
  for (auto& [name, counter] : counters) {
    const Metric* metric = find_metric(name);
    if (metric != nullptr && counter.source == Source::measured &&
        metric->cupti.find("smsp__sass") != std::string_view::npos)
      counter = {std::nullopt, Source::measured, {MissingKind::unseen_in_graph}};
  }
}

}  // namespace klab
