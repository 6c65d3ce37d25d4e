// One kernel file for every way in which a check can end: none of them may hang, crash or invent
// anything.
#include "support/checking.hpp"
#include "support/dynamic_tests.hpp"
#include "support/expectation.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;
using namespace klab::test;

namespace {

const std::filesystem::path fixtures = tree().root / "tests" / "fixtures";

/// The part of the first line after the last semicolon must appear in the gate's text.
std::string promised_text(const Expectation& expected) {
  const std::size_t at = expected.reason.rfind("; ");
  return at == std::string::npos ? "" : expected.reason.substr(at + 2);
}

void ends_as_promised(const Lab& lab, const Variant& variant, Backend backend) {
  const Expectation expected = expectation_of(variant.path);
  REQUIRE(expected.gates.size() == 1);
  require_backend(backend);
  const CheckResult result = run_check(lab, variant, backend);
  INFO(describe(result));
  for (const auto& [phase, seconds] : result.phase_seconds) CHECK(seconds < lab.time_limit_s + 5);
  if (expected.gates.front() == "pass") {
    CHECK(outcome_of(result, "correct") == Outcome::pass);
    CHECK(outcome_of(result, "cause") == Outcome::pass);
    return;
  }
  bool said = false;
  for (const Gate& gate : result.gates) {
    if (gate.name != expected.gates.front()) continue;
    CHECK(gate.outcome != Outcome::pass);
    CHECK_FALSE(gate.advice.empty());
    said = said || (gate.detail + gate.advice).find(promised_text(expected)) != std::string::npos;
  }
  CHECK(said);
  for (const Gate& gate : result.gates)
    if (gate.name == "time" || gate.name == "same work" || gate.name == "cause")
      CHECK_FALSE(gate.measured);
}

const bool registered = [] {
  for (const Lab& lab : load_course(fixtures).labs)
    for (const Backend backend : {Backend::simulator, Backend::gpu})
      for (const Variant& variant : variants(lab))
        if (variant.name != "flawed" && variant.name != "optimized") {
          const std::string name = backend == Backend::gpu ? "gpu" : "sim";
          add_test(name + ": fixture " + variant.name + " ends as its first line says",
                   "[fixture][" + name + "]", [=] { ends_as_promised(lab, variant, backend); });
        }
  return true;
}();

}  // namespace

TEST_CASE("the fixture labs can be read", "[fixture]") {
  REQUIRE(registered);
  const Course course = load_course(fixtures);
  for (const Error& error : course.broken) FAIL_CHECK(error.what);
  REQUIRE(course.labs.size() == 2);
}
