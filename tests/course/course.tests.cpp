// The course under test: every flaw is alive, the solution and every plain fix pass, every
// plausible non-fix is rejected by the gate its first line names. One test case for each kernel
// file and backend, found by looking.
#include "support/checking.hpp"
#include "support/dynamic_tests.hpp"
#include "support/expectation.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/build/plugin_builder.hpp"
#include "core/measure/catalogue/metric_catalogue.hpp"

using namespace klab;
using namespace klab::test;

namespace {

const char* name_of(Backend backend) { return backend == Backend::gpu ? "gpu" : "sim"; }

/// The flawed kernel is right, shows its flaw in a counter, and fails.
void flaw_is_alive(const Lab& lab, Backend backend) {
  require_backend(backend);
  const CheckResult result = run_check(lab, {"flawed", lab.flawed()}, backend);
  INFO(describe(result));
  CHECK(outcome_of(result, "correct") == Outcome::pass);
  CHECK(result.verdict == Outcome::fail);
  int shown = 0;
  for (const CauseTarget& cause : lab.causes) {
    const auto found = result.counters.at("candidate").find(cause.metric);
    if (!cause.flawed || found == result.counters.at("candidate").end() || !found->second.value)
      continue;
    INFO(cause.metric << " is " << *found->second.value << ", the flaw shows at "
                      << to_string(*cause.flawed));
    CHECK(cause.flawed->holds(*found->second.value));
    ++shown;
  }
  CHECK(shown > 0);
}

/// A fix passes every gate that this backend can check, the cause among them.
void fix_passes(const Lab& lab, const Variant& variant, Backend backend) {
  require_backend(backend);
  const CheckResult result = run_check(lab, variant, backend);
  INFO(describe(result));
  if (backend == Backend::gpu) {
    CHECK(result.verdict == Outcome::pass);
    return;
  }
  CHECK(outcome_of(result, "correct") == Outcome::pass);
  int proven = 0;
  for (const Gate& gate : result.gates) {
    CHECK(gate.outcome != Outcome::fail);
    proven += gate.name == "cause" && gate.outcome == Outcome::pass ? 1 : 0;
  }
  CHECK(proven > 0);
}

/// A gallery file is rejected by a gate that its first line names; what only a GPU can reject is
/// skipped elsewhere.
void non_fix_is_rejected(const Lab& lab, const Variant& variant, Backend backend) {
  const Expectation expected = expectation_of(variant.path);
  INFO(variant.path.string());
  REQUIRE_FALSE(expected.gates.empty());
  require_backend(backend);
  const CheckResult result = run_check(lab, variant, backend);
  INFO(describe(result));
  if (variant.name.starts_with("slow_")) CHECK(outcome_of(result, "correct") == Outcome::pass);
  const bool rejected = std::any_of(
      expected.gates.begin(), expected.gates.end(),
      [&](const std::string& gate) { return outcome_of(result, gate) == Outcome::fail; });
  const bool open = std::any_of(
      expected.gates.begin(), expected.gates.end(),
      [&](const std::string& gate) { return outcome_of(result, gate) == Outcome::not_checkable; });
  if (backend == Backend::simulator && !rejected && open)
    SKIP("only a GPU can reject this one (" + expected.gates.front() + ")");
  CHECK(rejected);
}

/// What the compiler alone proves, on every machine: the flawed kernel shows the flaw, the solution
/// does not.
void compiler_proves(const Lab& lab, const CauseTarget& cause) {
  const auto toolchain = find_toolchain(tree());
  REQUIRE(toolchain);
  const auto spills = [&](const Variant& variant) {
    const auto built = build_plugin(tree(), *toolchain, lab, variant.name, variant.path,
                                    default_compute_capability);
    REQUIRE(built);
    double bytes = 0;
    for (const KernelReport& kernel : built->kernels)
      bytes += kernel.spill_store_bytes + kernel.spill_load_bytes;
    return bytes;
  };
  CHECK(cause.flawed->holds(spills({"flawed", lab.flawed()})));
  CHECK(cause.target.holds(spills({"optimized", lab.optimized()})));
}

/// Registers the whole course before main().
const bool registered = [] {
  for (const Lab& lab : load_course(tree().root).labs) {
    for (const Backend backend : {Backend::simulator, Backend::gpu}) {
      const std::string prefix = std::string(name_of(backend)) + ": " + lab.id + ": ";
      const std::string tags = std::string("[course][") + name_of(backend) + "]";
      add_test(prefix + "the flawed kernel is right, shows its flaw and fails", tags,
               [=] { flaw_is_alive(lab, backend); });
      add_test(prefix + "the optimized kernel passes", tags, [=] {
        fix_passes(lab, {"optimized", lab.optimized()}, backend);
      });
      for (const Variant& variant : variants(lab))
        if (variant.name.starts_with("fair_"))
          add_test(prefix + variant.name + " passes, as a plain fix does", tags,
                   [=] { fix_passes(lab, variant, backend); });
        else if (variant.name != "flawed" && variant.name != "optimized")
          add_test(prefix + variant.name + " is rejected by the gate it names", tags,
                   [=] { non_fix_is_rejected(lab, variant, backend); });
    }
    for (const CauseTarget& cause : lab.causes)
      if (cause.metric == "spill_bytes" && cause.flawed)
        add_test("compiler: " + lab.id +
                     ": the flaw shows in the compiler's report and the solution removes it",
                 "[course][compiler]", [=] { compiler_proves(lab, cause); });
  }
  return true;
}();

}  // namespace

TEST_CASE("every lab of the course can be read", "[course]") {
  REQUIRE(registered);
  const Course course = load_course(tree().root);
  for (const Error& error : course.broken) FAIL_CHECK(error.what);
  CHECK(course.labs.size() >= 5);
}
