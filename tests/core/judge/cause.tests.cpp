// Tests of the gate cause.
#include "core/judge/judge.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

TEST_CASE("counters that were refused leave the cause open and the other gates alone",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["global_load_sectors_per_request"] = {
      {},
      Source::measured,
      missing_by(make_error(ErrorCode::profiler_denied, "Counters need a permission."))};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::not_checkable);
  CHECK_FALSE(gate.measured);
  CHECK_THAT(gate.detail, ContainsSubstring("permission"));
  CHECK(gate.basis == Basis::error);
  CHECK(gate.advice == default_remedy(ErrorCode::profiler_denied));
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::pass);
  CHECK(combine(judge(passing.evidence).gates) == Outcome::not_checkable);
}

TEST_CASE("a failing cause tells the symptom, and leaves what to do about it to the hints",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["global_load_sectors_per_request"] = {32.0, Source::measured, {}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::fail);
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("`./klab hint coalescing`"));
  const Metric* metric = find_metric("global_load_sectors_per_request");
  REQUIRE(metric);
  CHECK_THAT(shell_words(gate.detail + gate.advice),
             !ContainsSubstring(std::string(metric->try_next)));
}

TEST_CASE("without a GPU the cause can be proven and the time says what it needs",
          "[core][judge]") {
  Passing passing;
  passing.evidence.simulated = true;
  passing.evidence.timed.reset();
  passing.evidence.timing = {};
  passing.evidence.counters["global_load_sectors_per_request"] = {4.0, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  CHECK(passing.gate(GateName::cause).source == Source::counted);
  CHECK(passing.gate(GateName::time, "speedup").outcome == Outcome::not_checkable);
  CHECK_THAT(passing.gate(GateName::time, "speedup").detail, ContainsSubstring("needs a GPU"));
}

TEST_CASE("a cause that was not counted says why, and asks for a GPU only where one helps",
          "[core][judge]") {
  Passing passing;
  passing.evidence.simulated = true;
  passing.evidence.timed.reset();
  passing.evidence.timing = {};
  passing.evidence.counters.clear();
  Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::not_checkable);
  CHECK_THAT(gate.detail, ContainsSubstring("an earlier gate did not pass"));
  CHECK(gate.basis == Basis::not_run);
  CHECK(gate.advice.empty());
  // A ratio whose divisor is zero: no machine could say more.
  auto& counter = passing.evidence.counters["global_load_sectors_per_request"];
  counter.reason = {MissingKind::nothing_counted};
  gate = passing.gate(GateName::cause);
  CHECK_FALSE(gate.measured);
  CHECK(shell_words(gate.advice).find("GPU") == std::string::npos);
  counter.reason = {MissingKind::needs_gpu};
  CHECK(passing.gate(GateName::cause).advice == "Check it on a machine with a GPU.");
}

TEST_CASE("the target of a cause has the unit and separators of its value", "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"host_synchronizations", {Bound::Relation::at_most, 1200}, {}, ""}};
  CHECK(format_target(passing.gate(GateName::cause).target) == "<= 1,200 calls");
}

TEST_CASE("counters of a launch that took another time than the timed ones prove no cause",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counters["profiled_duration"] = {1.6e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  for (const double seconds : {0.3e-3, 5e-3}) {
    passing.evidence.counters["profiled_duration"] = {seconds, Source::measured, {}};
    const Gate gate = passing.gate(GateName::cause);
    CHECK(gate.outcome == Outcome::inconclusive);
    CHECK_THAT(gate.detail, ContainsSubstring("1.1 ms"));
  }
  // What allocates may take longer when it is timed, or when it is counted.
  passing.evidence.counters["pool_allocation_calls"] = {2.0, Source::traced, {}};
  passing.evidence.counters["profiled_duration"] = {0.4e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  passing.evidence.counters["profiled_duration"] = {2.6e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  passing.evidence.counters["profiled_duration"] = {2.8e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::inconclusive);
  passing.lab.timing = TimingMode::wall;
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
}

TEST_CASE("between the pieces of a counted launch a profiler may let time pass", "[core][judge]") {
  Passing passing;
  const auto counted_in = [&](double seconds, int pieces) {
    passing.evidence.counted_shape.pieces = pieces;
    passing.evidence.counters["profiled_duration"] = {seconds, Source::measured, {}};
    return passing.gate(GateName::cause).outcome;
  };
  CHECK(counted_in(2.3e-3, 1) == Outcome::inconclusive);
  CHECK(counted_in(2.3e-3, 2) == Outcome::pass);
  CHECK(counted_in(2.45e-3, 2) == Outcome::inconclusive);
  CHECK(counted_in(2.45e-3, 3) == Outcome::pass);
  CHECK(counted_in(2.9e-3, 1000) == Outcome::inconclusive);
  CHECK(counted_in(0.45e-3, 3) == Outcome::inconclusive);  // no gap makes it shorter
}

TEST_CASE("one kernel alone takes as long when it is counted as when it is timed",
          "[core][judge]") {
  Passing passing;
  passing.evidence.counted_shape.one_kernel = true;
  passing.evidence.counters["profiled_duration"] = {1.2e-3, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  for (const double seconds : {0.7e-3, 1.6e-3}) {
    passing.evidence.counters["profiled_duration"] = {seconds, Source::measured, {}};
    CHECK(passing.gate(GateName::cause).outcome == Outcome::inconclusive);
  }
}

TEST_CASE("what copies and fills move beside the kernels counts as the kernels' own traffic does",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"sectors_of_minimum", {Bound::Relation::at_most, 1.3}, {}, "all"}};
  passing.evidence.counted_least = LeastWork{{{Resource::device_memory, 1e9}}};
  passing.evidence.counters["sectors_of_minimum"] = {1.0, Source::counted, {}};
  passing.evidence.counters["memset_bytes"] = {0, Source::counted, {}};
  passing.evidence.counters["device_to_device_bytes"] = {0, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  passing.evidence.counters["device_to_device_bytes"] = {0.5e9, Source::counted, {}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::fail);
  CHECK(gate.measured == 2.0);  // each byte is read and written
  CHECK_THAT(gate.detail, ContainsSubstring("moved 1x"));
  passing.evidence.counters["device_to_device_bytes"] = {0, Source::counted, {}};
  passing.evidence.counters["memset_bytes"] = {0.5e9, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).measured == 1.5);
}

TEST_CASE("several kernels without a trace of what is copied between them prove no few sectors",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"sectors_of_minimum", {Bound::Relation::at_most, 1.3}, {}, "all"}};
  passing.evidence.counted_least = LeastWork{{{Resource::device_memory, 1e9}}};
  passing.evidence.counters["sectors_of_minimum"] = {1.0, Source::measured, {}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("no trace"));
  passing.evidence.counted_shape.one_kernel = true;  // nothing stands beside it
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
  // Too many sectors are too many, whatever else moved.
  passing.evidence.counted_shape.one_kernel = false;
  passing.evidence.counters["sectors_of_minimum"] = {2.0, Source::measured, {}};
  CHECK(passing.gate(GateName::cause).outcome == Outcome::fail);
}

TEST_CASE("a launch that asks how far the device is may know that it is counted", "[core][judge]") {
  Passing passing;
  passing.evidence.counted_shape.asks_if_done = true;
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail, ContainsSubstring("asks how far a stream or an event is"));
  // Where the host is timed, nothing is under way in either launch.
  passing.lab.timing = TimingMode::wall;
  CHECK(passing.gate(GateName::cause).outcome == Outcome::pass);
}

TEST_CASE("a share of the time is one of the timed launch's where the profiler made gaps",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"sm_busy_pct", {Bound::Relation::at_least, 80}, {}, "busy"}};
  passing.evidence.counters["sm_busy_pct"] = {76, Source::measured, {}};
  const double timed_s = passing.evidence.timing.variants[VariantName::mine].seconds->median;
  passing.evidence.counters["profiled_duration"] = {1.25 * timed_s, Source::measured, {}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::pass);
  CHECK(gate.measured == Catch::Approx(95));
  CHECK_THAT(gate.detail, ContainsSubstring("The profiler saw 76 %"));
  // One kernel has no gaps.
  passing.evidence.counted_shape.one_kernel = true;
  CHECK(passing.gate(GateName::cause).outcome == Outcome::fail);
}

TEST_CASE("what no report of the compiler holds stays open, and is blamed on no earlier gate",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"spill_bytes", {Bound::Relation::at_most, 120}, {}, ""}};
  passing.evidence.counters["spill_bytes"] = {{}, Source::compiler, {MissingKind::not_in_report}};
  const Gate gate = passing.gate(GateName::cause);
  CHECK(gate.outcome == Outcome::inconclusive);
  CHECK_THAT(gate.detail,
             ContainsSubstring("loaded at run time") && !ContainsSubstring("earlier gate"));
  CHECK_THAT(shell_words(gate.advice), ContainsSubstring("into the file"));
  CHECK(combine(judge(passing.evidence).gates) == Outcome::inconclusive);
}

TEST_CASE("copies and fills count by the sectors of their rows where those are known",
          "[core][judge]") {
  Passing passing;
  passing.lab.pass().causes = {{"sectors_of_minimum", {Bound::Relation::at_most, 1.3}, {}, "all"}};
  passing.evidence.counted_least = LeastWork{{{Resource::device_memory, 32e6}}};
  passing.evidence.counters["sectors_of_minimum"] = {0.0, Source::counted, {}};
  passing.evidence.counters["memset_bytes"] = {0, Source::counted, {}};
  passing.evidence.counters["device_to_device_bytes"] = {16e6, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).measured == 1.0);
  passing.evidence.counters["sectors_beside_kernels"] = {4.5e6, Source::counted, {}};
  CHECK(passing.gate(GateName::cause).measured == 4.5);
}
