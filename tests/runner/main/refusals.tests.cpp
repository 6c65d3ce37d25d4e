// What a driver refuses, seen through the real runner: the refusal is made at the border of
// NVIDIA's libraries, and what a learner reads comes out at the other end.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <string>

#include "core/course/lab.hpp"
#include "core/wire/runner_client.hpp"
#include "support/checking.hpp"
#include "support/environment.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* old_version = "The driver supports CUDA 12.4, but this build needs CUDA 13";

/// The check of a lab's optimized kernel while CUPTI refuses `call` with `status`.
CheckResult check_refused(const std::string& call, int status) {
  const test::Environment library("LD_PRELOAD", KLAB_REFUSING_PROFILER);
  const test::Environment refused("KLAB_REFUSED_CALL", call);
  const test::Environment refusal("KLAB_REFUSAL", std::to_string(status));
  const auto lab = load_lab(KLAB_SOURCE_DIR, "02_coalescing");
  REQUIRE(lab);
  return test::run_check(*lab, {VariantName::optimized, lab->optimized()}, Backend::gpu);
}

/// The cause is open and says `why` and `remedy`; the other gates were judged as ever.
void require_only_cause_open(const CheckResult& result, const std::string& why,
                             const std::string& remedy) {
  INFO(test::describe(result));
  bool has_cause = false;
  for (const Gate& gate : result.gates) {
    if (gate.name != GateName::cause) continue;
    has_cause = true;
    CHECK(gate.outcome == Outcome::not_checkable);
    CHECK_FALSE(gate.measured);
    CHECK_THAT(shell_words(gate.detail + " " + gate.advice), ContainsSubstring(why));
    CHECK_THAT(shell_words(gate.detail + " " + gate.advice), ContainsSubstring(remedy));
  }
  CHECK(has_cause);
  CHECK(test::outcome_of(result, GateName::built) == Outcome::pass);
  CHECK(test::outcome_of(result, GateName::correct) == Outcome::pass);
  CHECK(test::outcome_of(result, GateName::same_work) == Outcome::pass);
  CHECK(test::outcome_of(result, GateName::time) == Outcome::pass);
  CHECK(combine(result.gates) == Outcome::not_checkable);
}

}  // namespace

TEST_CASE("every phase under a driver that is too old names both versions and the remedy",
          "[runner][refusals]") {
  const test::Environment library("LD_LIBRARY_PATH", KLAB_OLD_DRIVER_FOLDER);
  for (const Phase phase : {Phase::device, Phase::verify, Phase::time, Phase::counters,
                            Phase::trace, Phase::stalls, Phase::ceilings, Phase::timeline}) {
    INFO(to_string(phase));
    const auto outcome =
        run_phase(test::tree(), false, Request{.phase = phase, .sizes = {{1}}}, 30);
    REQUIRE(outcome.error);
    CHECK(outcome.error->code == ErrorCode::driver_too_old);
    CHECK_THAT(outcome.error->what, ContainsSubstring(old_version));
    CHECK_THAT(shell_words(outcome.error->remedy), ContainsSubstring("version 580 or newer"));
    CHECK_THAT(shell_words(outcome.error->remedy), ContainsSubstring("--backend sim"));
    CHECK(outcome.all<record::Device>().empty());
  }
}

TEST_CASE("a check on the GPU under a driver that is too old is not checkable here",
          "[runner][refusals]") {
  if (gpu_facts(test::tree())) SKIP("this machine's device is remembered");
  const test::Environment library("LD_LIBRARY_PATH", KLAB_OLD_DRIVER_FOLDER);
  const auto lab = load_lab(KLAB_SOURCE_DIR, "02_coalescing");
  REQUIRE(lab);
  const CheckResult result =
      test::run_check(*lab, {VariantName::optimized, lab->optimized()}, Backend::gpu);
  INFO(test::describe(result));
  REQUIRE_FALSE(result.errors.empty());
  CHECK(result.errors.front().code == ErrorCode::driver_too_old);
  CHECK_THAT(result.errors.front().what, ContainsSubstring(old_version));
  CHECK(combine(result.gates) == Outcome::not_checkable);
  CHECK(result.timing.variants.empty());
}

TEST_CASE("counters kept for administrators leave the cause open, with the remedy for the host",
          "[runner][refusals][gpu]") {
  test::require_backend(Backend::gpu);
  const std::string call =
      GENERATE("cuptiRangeProfilerEnable", "cuptiProfilerGetCounterAvailability");
  CAPTURE(call);
  require_only_cause_open(check_refused(call, 35), "CUPTI error 35",
                          "NVreg_RestrictProfilingToAdminUsers=0");
}

TEST_CASE("counters that another program holds leave the cause open and name a way out",
          "[runner][refusals][gpu]") {
  test::require_backend(Backend::gpu);
  require_only_cause_open(check_refused("cuptiRangeProfilerEnable", 26), "CUPTI error 26",
                          "dcgmi profile --pause");
}

TEST_CASE("the library that refuses changes nothing where it is told to refuse nothing",
          "[runner][refusals][gpu]") {
  test::require_backend(Backend::gpu);
  const CheckResult result = check_refused("none", 0);
  INFO(test::describe(result));
  const Outcome cause = test::outcome_of(result, GateName::cause);
  if (cause == Outcome::not_checkable) SKIP("this machine's own driver refuses counters");
  CHECK(cause == Outcome::pass);
}
