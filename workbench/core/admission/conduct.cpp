// Holding a check's result against what its kernel is there for.
#include "core/admission/conduct.hpp"

#include <algorithm>

#include "core/admission/expectation.hpp"
#include "core/base/names.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/check/machine.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/format.hpp"

namespace klab {
namespace {

/// The worst outcome among the gates of that name.
Outcome outcome_of(const CheckResult& result, GateName name) {
  std::vector<Gate> gates;
  std::copy_if(result.gates.begin(), result.gates.end(), std::back_inserter(gates),
               [&](const Gate& gate) { return gate.name == name; });
  return combine(gates);
}

std::string told(const Gate& gate) {
  return "gate " + to_string(gate.name) + " (" + gate.subject +
         "): " + std::string(to_string(gate.outcome)) + ". " + gate.detail;
}

/// What kept the check from trying the kernel at all: a workload that does not build, or a file of
/// the course that does not and is not there for that.
Faults untried(const Variant& variant, const CheckResult& result) {
  const Expectation expected = expectation_of(variant.path);
  Faults faults;
  for (const Gate& gate : result.gates) {
    if (gate.name != GateName::built) continue;
    if (gate.outcome == Outcome::not_checkable)
      faults.push_back("It could not be tried. " + gate.detail);
    else if (gate.outcome == Outcome::fail && !expected.may_be_rejected_by(GateName::built))
      faults.push_back("It does not build. " + gate.detail);
  }
  return faults;
}

void need_correct(Conduct& conduct, const CheckResult& result) {
  if (outcome_of(result, GateName::correct) == Outcome::pass) return;
  conduct.faults.push_back("It must be right. " + result.conclusion);
  for (const Gate& gate : result.gates) {
    const bool unproven = gate.name == GateName::correct && gate.outcome != Outcome::pass;
    if (gate.outcome == Outcome::fail || (unproven && !gate.detail.empty()))
      conduct.faults.push_back(told(gate));
  }
}

/// The flawed kernel is right, shows its flaw in a counter, and fails.
Conduct flawed_conduct(const Lab& lab, const CheckResult& result) {
  Conduct conduct;
  need_correct(conduct, result);
  if (result.verdict != Outcome::fail)
    conduct.faults.push_back("The flawed kernel must fail. " + result.conclusion);
  const auto counted = result.counters.find(VariantName::mine);
  int shown = 0;
  for (const CauseTarget& cause : lab.pass().causes) {
    if (!cause.flawed || counted == result.counters.end()) continue;
    const auto found = counted->second.find(cause.metric);
    if (found == counted->second.end() || !found->second.value) continue;
    ++shown;
    if (!cause.flawed->holds(*found->second.value))
      conduct.faults.push_back(cause.metric + " is " + format_number(found->second.value) +
                               "; the flaw shows at " + to_string(*cause.flawed) + ".");
  }
  if (shown == 0) conduct.faults.push_back("No counter shows the flaw here.");
  return conduct;
}

/// The optimized kernel passes every gate that can be checked here, the cause among them.
Conduct optimized_conduct(const CheckResult& result) {
  Conduct conduct;
  need_correct(conduct, result);
  for (const Gate& gate : result.gates)
    if (gate.outcome == Outcome::fail && gate.name != GateName::correct)
      conduct.faults.push_back(told(gate));
  const bool passes = result.verdict == Outcome::pass ||
                      (result.device.simulated && passes_provisionally(result.gates));
  if (!passes && conduct.faults.empty())
    conduct.faults.push_back("The optimized kernel must pass. " + result.conclusion);
  return conduct;
}

bool is_stretch(const Variant& variant) { return variant.name.starts_with("stretch_"); }

/// A last rung that takes what few GPUs have is reached by a solution of its own.
bool has_stretch(const Lab& lab) {
  const std::vector<Variant> all = variants(lab);
  return std::any_of(all.begin(), all.end(), is_stretch);
}

/// It also reaches every stretch goal, as far as that can be checked here; the last one only if it
/// is this solution's to reach.
Conduct solution_conduct(const CheckResult& result, bool to_the_top) {
  Conduct conduct = optimized_conduct(result);
  const RungResult* next = next_rung(result.rungs);
  if (!conduct.faults.empty() || next == nullptr) return conduct;
  if (!to_the_top && next == &result.rungs.back()) return conduct;
  if (next->outcome == Outcome::not_checkable && result.device.simulated) return conduct;
  conduct.faults.push_back("It must reach every rung, and stops before \"" + next->name + "\".");
  for (const Gate& gate : next->gates)
    if (gate.outcome != Outcome::pass) conduct.faults.push_back(told(gate));
  return conduct;
}

/// The simulator does not have the instructions that such a solution is about.
Conduct stretch_conduct(const CheckResult& result) {
  if (result.device.simulated) return {{}, "Only a GPU has what this one takes."};
  return solution_conduct(result, true);
}

bool is_mistake(const Variant& variant) {
  return variant.name.starts_with("wrong_") || variant.name.starts_with("deceit_");
}

/// The check saw elements that are not what they have to be.
bool is_seen_wrong(const CheckResult& result) {
  return std::any_of(result.gates.begin(), result.gates.end(), [](const Gate& gate) {
    return gate.name == GateName::correct && gate.outcome == Outcome::fail &&
           gate.unit == "wrong elements" && gate.measured.value_or(0) > 0;
  });
}

/// A file of the gallery is rejected by a gate that its first line names.
Conduct gallery_conduct(const Variant& variant, const CheckResult& result) {
  const Expectation expected = expectation_of(variant.path);
  Conduct conduct;
  if (expected.passes) return optimized_conduct(result);
  if (expected.gates.empty()) return {{"Its first line names no gate."}, {}};
  const auto any = [&](Outcome outcome) {
    return std::any_of(expected.gates.begin(), expected.gates.end(),
                       [&](GateName gate) { return outcome_of(result, gate) == outcome; });
  };
  if (variant.name.starts_with("slow_")) need_correct(conduct, result);
  if (any(Outcome::fail)) return conduct;
  // What is wrong or deceives is refused as well by results that are wrong where it did not expect
  // to be looked at; and what deceives, by a gate that says why it cannot tell.
  if (is_mistake(variant) && is_seen_wrong(result)) return conduct;
  if (variant.name.starts_with("deceit_") && any(Outcome::inconclusive)) return conduct;
  // Right here and wrong on the simulator is no pass either.
  if (expected.may_be_rejected_by(GateName::correct) &&
      outcome_of(result, GateName::correct) == Outcome::inconclusive)
    return conduct;
  std::vector<std::string> names;
  for (const GateName gate : expected.gates) names.push_back(to_string(gate));
  const std::string gates = join_or(names);
  // What another gate refuses does not fail as it says.
  const bool refused_elsewhere = result.verdict == Outcome::fail;
  if (result.device.simulated && any(Outcome::not_checkable) && !refused_elsewhere)
    conduct.beyond = "Only a GPU can reject this one (" + gates + ").";
  else
    conduct.faults.push_back("The gate " + gates + " must reject it. " + result.conclusion);
  return conduct;
}

/// The conclusion, and what the gate that it rests on found.
std::string why_not_passed(const CheckResult& result) {
  const auto gate = std::find_if(result.gates.begin(), result.gates.end(),
                                 [&](const Gate& one) { return one.outcome == result.verdict; });
  return result.conclusion + (gate == result.gates.end() ? "" : " " + gate->detail);
}

Result<double> spilled_bytes(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                             const Variant& variant) {
  const auto built =
      build_plugin(tree, toolchain, lab, variant.name, variant.path, default_compute_capability);
  if (!built) return built.error();
  double bytes = 0;
  for (const KernelReport& kernel : built->kernels)
    bytes += static_cast<double>(kernel.spill_store_bytes + kernel.spill_load_bytes);
  return bytes;
}

bool is_compilers(const CauseTarget& cause) {
  return cause.metric == "spill_bytes" && cause.flawed.has_value();
}

}  // namespace

Conduct conduct_of(const Lab& lab, const Variant& variant, const CheckResult& result) {
  if (Faults faults = untried(variant, result); !faults.empty()) return {std::move(faults), {}};
  if (variant.name == VariantName::flawed) return flawed_conduct(lab, result);
  if (variant.name == VariantName::optimized) return solution_conduct(result, !has_stretch(lab));
  if (is_stretch(variant)) return stretch_conduct(result);
  return gallery_conduct(variant, result);
}

bool must_pass(const Variant& variant) {
  return variant.name == VariantName::optimized || variant.name.starts_with("fair_");
}

Faults faults_on_gpu(const Lab& lab, const Variant& variant, const CheckResult& result) {
  if (Faults faults = untried(variant, result); !faults.empty()) return faults;
  // What is looked for behind a pass is not looked for where another gate refuses first.
  if (is_mistake(variant) && result.verdict == Outcome::fail) return {};
  if (!must_pass(variant)) return conduct_of(lab, variant, result).faults;
  return result.verdict == Outcome::pass ? Faults() : Faults{why_not_passed(result)};
}

bool compiler_proves(const Lab& lab) {
  return std::any_of(lab.pass().causes.begin(), lab.pass().causes.end(), is_compilers);
}

Faults compiler_faults(const Tree& tree, const Toolchain& toolchain, const Lab& lab) {
  Faults faults;
  for (const CauseTarget& cause : lab.pass().causes) {
    if (!is_compilers(cause)) continue;
    const auto hold = [&](const Variant& variant, const Bound& bound) {
      const auto bytes = spilled_bytes(tree, toolchain, lab, variant);
      if (!bytes)
        faults.push_back(bytes.error().what);
      else if (!bound.holds(*bytes))
        faults.push_back("The compiler spills " + format_number(*bytes) + " bytes of the " +
                         variant.name.name() + " kernel; it must be " + to_string(bound) + ".");
    };
    hold({VariantName::flawed, lab.flawed()}, *cause.flawed);
    hold({VariantName::optimized, lab.optimized()}, cause.target);
  }
  return faults;
}

}  // namespace klab
