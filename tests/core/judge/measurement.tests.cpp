// Tests of how a measurement is judged.
#include "core/judge/judge.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/passing_check.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;
using klab::test::Passing;

namespace {

/// A benchmark that passes, as a GPU saw it.
struct Measuring : Passing {
  Measuring() {
    lab.kind = LabKind::measurement;
    lab.pass().causes = {
        {"reported_error_pct", {Bound::Relation::at_most, 3}, {}, "held against our clock"}};
    lab.pass().time = {.at_most_s = 2.0};
    evidence.timing = {};
    evidence.timed.reset();
    evidence.counters = {{"reported_error_pct", {0.7, Source::measured, {}}},
                         {"job_runs", {16.0, Source::counted, {}}},
                         {"benchmark_seconds", {0.05, Source::measured, {}}}};
  }
};

}  // namespace

TEST_CASE("a benchmark that tells the truth of every job in time passes", "[core][judge]") {
  const Measuring measuring;
  CHECK(combine(judge(measuring.evidence).gates) == Outcome::pass);
  CHECK(measuring.gate(GateName::same_work).subject == "runs of each job");
}

TEST_CASE("a benchmark fails by what it reports, by what it never ran, and by how long it takes",
          "[core][judge]") {
  Measuring off, idle, slow;
  off.evidence.counters["reported_error_pct"].value = 8;
  CHECK(off.gate(GateName::cause).outcome == Outcome::fail);
  idle.evidence.counters["job_runs"].value = 0;
  CHECK(idle.gate(GateName::same_work).outcome == Outcome::fail);
  slow.evidence.counters["benchmark_seconds"].value = 9.5;
  CHECK(slow.gate(GateName::time).outcome == Outcome::fail);
  CHECK_THAT(format_target(slow.gate(GateName::time).target), ContainsSubstring("2 s"));
}

TEST_CASE("without a GPU a benchmark's agreement is modelled, and real time is named as missing",
          "[core][judge]") {
  Measuring simulated;
  simulated.evidence.simulated = true;
  simulated.evidence.counters["reported_error_pct"].source = Source::modelled;
  simulated.evidence.counters["benchmark_seconds"] = {
      std::nullopt, Source::measured, {MissingKind::needs_gpu}};
  CHECK(simulated.gate(GateName::cause).source == Source::modelled);
  CHECK(simulated.gate(GateName::time).outcome == Outcome::not_checkable);
  CHECK_THAT(simulated.gate(GateName::time).detail, ContainsSubstring("cold caches"));
  CHECK(passes_provisionally(judge(simulated.evidence).gates));
}

TEST_CASE("a benchmark that does not end fails as a hang", "[core][judge]") {
  Measuring endless;
  endless.evidence.counters.clear();
  endless.evidence.time_error = make_error(ErrorCode::hang, "It did not finish.");
  CHECK(endless.gate(GateName::correct).outcome == Outcome::fail);
}

TEST_CASE("a time that none can be is told of its job", "[core][judge]") {
  Measuring negative, stale;
  negative.evidence.verified = {{.variant = VariantName::mine,
                                 .size = {6, 64, 16},
                                 .seed = 7,
                                 .correct = false,
                                 .problem = ResultProblem::wrong_value,
                                 .buffer = "seconds",
                                 .index = 3,
                                 .got = -1e-6,
                                 .want = 50,
                                 .tolerance = 50,
                                 .wrong = 1,
                                 .total = 6}};
  const Gate below = negative.gate(GateName::correct);
  CHECK(below.outcome == Outcome::fail);
  CHECK_THAT(below.detail, ContainsSubstring("Job 3 is reported with -1e-06 s") &&
                               ContainsSubstring("greater than 0 s and less than 100 s"));
  CHECK_THAT(shell_words(below.advice), ContainsSubstring("subtracted"));
  stale.evidence.verified = negative.evidence.verified;
  stale.evidence.verified.front().problem = ResultProblem::nan_missing;
  stale.evidence.verified.front().want.reset();
  const Gate before = stale.gate(GateName::correct);
  CHECK_THAT(before.detail, ContainsSubstring("not run again in this call"));
  CHECK_THAT(shell_words(before.advice), ContainsSubstring("in every call"));
}
