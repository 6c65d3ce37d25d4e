// What the simulator cannot know of a kernel whose registers were spilled.
#include <catch2/catch_test_macros.hpp>

#include "core/check/withheld.hpp"

using namespace klab;

TEST_CASE("what holds spilled values is no count where spills cannot be seen", "[core][check]") {
  Counters counters{{"spill_bytes", {64, Source::compiler, {}}},
                    {"local_load_sectors", {0, Source::modelled, {}}},
                    {"sectors_of_minimum", {1, Source::counted, {}}},
                    {"requested_bytes", {32, Source::counted, {}}},
                    {"global_load_sectors", {1, Source::counted, {}}}};
  withdraw_unseen_spills(counters);
  for (const char* name : {"local_load_sectors", "sectors_of_minimum", "requested_bytes"}) {
    INFO(name);
    CHECK_FALSE(counters.at(name).value);
    CHECK_FALSE(counters.at(name).reason.empty());
  }
  CHECK(counters.at("global_load_sectors").value == 1);
  CHECK(counters.at("spill_bytes").value == 64);
}

TEST_CASE("a quick check says of what it leaves out that nobody asked for it", "[core][check]") {
  CheckResult result;
  result.gates = {{.name = GateName::built, .outcome = Outcome::pass},
                  {.name = GateName::correct, .outcome = Outcome::pass},
                  {.name = GateName::cause,
                   .detail = "Not counted, because an earlier gate did not pass.",
                   .advice = "Check it on a machine with a GPU."}};
  result.conclusion = "Right; what is left could not be checked here.";
  leave_unasked(result);
  CHECK(result.gates[2].detail.find("Not asked for") == 0);
  CHECK(result.gates[2].advice.empty());
  CHECK(result.conclusion == "It builds and is right; a quick check asks no more.");
  result.gates[1].outcome = Outcome::fail;
  result.conclusion = "The result is wrong.";
  leave_unasked(result);
  CHECK(result.conclusion == "The result is wrong.");
}

TEST_CASE("a check that was stopped says of what it did not see that it was not run",
          "[core][check]") {
  CheckResult result;
  result.gates = {{.name = GateName::built, .outcome = Outcome::pass, .detail = "Built."},
                  {.name = GateName::time,
                   .detail = "Time needs a GPU: the simulator counts, it does not time."}};
  result.rungs = {{.name = "as fast as a copy", .gates = {{.name = GateName::time}}}};
  CHECK_FALSE(was_stopped(result));
  result.errors.push_back(make_error(ErrorCode::canceled, "The check was stopped."));
  CHECK(was_stopped(result));
  leave_stopped(result);
  CHECK(result.gates[0].detail == "Built.");
  CHECK(result.gates[1].detail == "Not run: the check was stopped.");
  CHECK(result.gates[1].basis == Basis::not_run);
  CHECK(result.rungs[0].gates[0].basis == Basis::not_run);
}

TEST_CASE("a report that may lack the kernels that run says nothing of them", "[core][withheld]") {
  const std::vector<KernelReport> kernels = {{.kernel = "idle()", .registers = 8}};
  Counters counters;
  count_by_report(counters, kernels, false);
  CHECK(counters.at("spill_bytes").value == 0.0);
  count_by_report(counters, kernels, true);
  CHECK_FALSE(counters.at("spill_bytes").value);
  CHECK(counters.at("spill_bytes").reason.kind == MissingKind::not_in_report);
  Counters none;
  count_by_report(none, {}, false);
  CHECK(none.at("spill_bytes").reason.kind == MissingKind::not_in_report);
}
