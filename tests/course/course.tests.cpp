// The course under test: every flaw is alive, the solution and every plain fix pass, every
// plausible non-fix is rejected by the gate its first line names. One test case for each kernel
// file and backend, found by looking.
#include "support/checking.hpp"
#include "support/course_under_test.hpp"
#include "support/dynamic_tests.hpp"

#include <catch2/catch_test_macros.hpp>

#include "core/admission/conduct.hpp"
#include "core/build/toolchain.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// The kernel does what it is there for; what only a GPU can show is skipped elsewhere.
void behaves(const Lab& lab, const Variant& variant, Backend backend) {
  require_runnable(lab, backend);
  const CheckResult result = run_check(lab, variant, backend);
  INFO(describe(result));
  const Conduct conduct = conduct_of(lab, variant, result);
  CHECK(conduct.faults == Faults());
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

TEST_CASE("every lab of the course can be read", "[course]") {
  REQUIRE(registered);
  for (const Error& error : course_under_test().broken) FAIL_CHECK(error.what);
  CHECK_FALSE(course_under_test().labs.empty());
}
