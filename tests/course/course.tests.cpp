// The course under test: every flaw is alive, the solution and every plain fix pass, every
// plausible non-fix is rejected by the gate its first line names. One test case for each kernel
// file and backend, found by looking.
#include "support/checking.hpp"
#include "support/course_under_test.hpp"
#include "support/dynamic_tests.hpp"
#include "support/passed_before.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/admission/conduct.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/checkable.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// What the lab's page says of the simulator is so: it counts the causes that are not said to be
/// lacking, none that is, and has no time.
void reaches_what_is_said(const Lab& lab, const CheckResult& result) {
  const Checkable said = what_can_be_checked(lab, {.device = result.device});
  INFO("the page says: " << said.words);
  CHECK(can_check(said));
  CHECK(result.timing.variants.empty());
  const auto counters = result.counters.find(VariantName::mine);
  REQUIRE(counters != result.counters.end());
  std::size_t counted = 0;
  const auto& causes = lab.pass().causes;
  for (const CauseTarget& cause : causes) {
    const auto counter = counters->second.find(cause.metric);
    if (counter != counters->second.end() && counter->second.value) ++counted;
  }
  INFO(counted << " of " << causes.size() << " causes have a value");
  CHECK((said.reach == Checkable::Reach::results) == (counted == 0));
  CHECK((said.words == "part of the cause") == (counted > 0 && counted < causes.size()));
}

/// All that a check on the simulator follows from, its seed aside.
Inputs inputs_of(const Lab& lab, const Variant& variant) {
  const auto any = [](const auto&) { return true; };
  const auto is_header = [](const auto& file) { return file.extension() != ".cu"; };
  const auto toolchain = find_toolchain(tree());
  Inputs inputs;
  inputs.source(variant.path).source(lab.flawed()).source(lab.optimized());
  inputs.sources(lab.lab_folder(), any).sources(lab.solutions(), is_header);
  inputs.sources(lab.root / "workbench" / "runner" / "workload", any);
  inputs.text(toolchain ? toolchain->version : std::string());
  inputs.built("/proc/self/exe").built(tree().runner(true));
  return inputs.built(tree().build / "simulator" / "libcudart.so.13");
}

/// The kernel does what it is there for; what only a GPU can show is skipped elsewhere. On the
/// simulator it is not asked again while nothing changed: KLAB_TEST_AGAIN=1 does, with other seeds.
void behaves(const Lab& lab, const Variant& variant, Backend backend) {
  require_runnable(lab, backend);
  const PassedBefore before(inputs_of(lab, variant));
  if (backend == Backend::simulator && before.said()) {
    if (!before.said()->empty()) SKIP(*before.said());
    SUCCEED("It passed with the same files before.");
    return;
  }
  const CheckResult result = run_check(lab, variant, backend);
  INFO(describe(result));
  const Conduct conduct = conduct_of(lab, variant, result);
  CHECK(conduct.faults == Faults());
  if (backend == Backend::simulator && variant.name == VariantName::optimized)
    reaches_what_is_said(lab, result);
  if (backend == Backend::simulator) before.note_if_passed(conduct.beyond);
  if (!conduct.beyond.empty()) SKIP(conduct.beyond);
}

std::string what_is_due(const Variant& variant) {
  if (variant.name == VariantName::flawed)
    return "the flawed kernel is right, shows its flaw and fails";
  if (variant.name == VariantName::optimized) return "the optimized kernel passes";
  if (variant.name.starts_with("fair_"))
    return variant.name.name() + " passes, as a plain fix does";
  if (variant.name.starts_with("stretch_")) return variant.name.name() + " reaches every rung";
  return variant.name.name() + " is rejected by the gate it names";
}

void compiler_agrees(const Lab& lab) {
  const auto toolchain = find_toolchain(tree());
  REQUIRE(toolchain);
  CHECK(compiler_faults(tree(), *toolchain, lab) == Faults());
}

/// Registers the whole course before main().
const bool registered = [] {
  for (const Lab& lab : course_under_test().labs) {
    for (const Backend backend : {Backend::simulator, Backend::gpu}) {
      const std::string name(to_string(backend));
      const std::string prefix = name + ": " + lab.id + ": ";
      const std::string tags = "[course][" + name + "]";
      for (const Variant& variant : variants(lab))
        add_test(prefix + what_is_due(variant), tags,
                 [&lab, variant, backend] { behaves(lab, variant, backend); });
    }
    if (compiler_proves(lab))
      add_test("compiler: " + lab.id +
                   ": the flaw shows in the compiler's report and the solution removes it",
               "[course][compiler]", [&lab] { compiler_agrees(lab); });
  }
  return true;
}();

}  // namespace

TEST_CASE("a lab that says that it needs a GPU is not run on the simulator", "[course]") {
  Lab lab = course_under_test().labs.front();
  lab.sizes.simulator.reset();
  const CheckResult result =
      run_check(lab, variants(course_under_test().labs.front()).front(), Backend::simulator);
  CHECK(result.verdict == Outcome::not_checkable);
  for (const auto& [name, counters] : result.counters)
    for (const auto& [metric, counter] : counters) CHECK_FALSE(counter.value.has_value());
  REQUIRE_FALSE(result.errors.empty());
  CHECK(result.errors.front().code == ErrorCode::no_device);
  CHECK(what_can_be_checked(lab, {.device = result.device}).words == "needs a GPU");
}

TEST_CASE("every lab of the course can be read", "[course]") {
  REQUIRE(registered);
  for (const Error& error : course_under_test().broken) FAIL_CHECK(error.what);
  CHECK_FALSE(course_under_test().labs.empty());
}
