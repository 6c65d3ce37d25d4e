// A phase that is started before its turn, with a runner that a shell script stands in for.
#include "core/wire/phase_ahead.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/in_full.hpp"
#include "support/scripted_runner.hpp"

using namespace klab;

namespace {

constexpr const char* end_of_phase = "say '{\"type\":\"done\"}'\n";

/// One step, said before the word to begin, and one after it.
const std::string two_steps =
    "say '{\"type\":\"progress\",\"step\":\"early\"}'\ntouch \"$0.early\"\n"
    "read -r word || exit 0\ntouch \"$0.begun\"\n"
    "say '{\"type\":\"progress\",\"step\":\"late\"}'\n" +
    std::string(end_of_phase);

bool exists(const test::ScriptedRunner& runner, const std::string& mark) {
  return std::filesystem::exists(runner.program.string() + mark);
}

void wait_for(const test::ScriptedRunner& runner, const std::string& mark) {
  while (!exists(runner, mark)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

std::vector<std::string> steps_of(const std::vector<Record>& records) {
  std::vector<std::string> steps;
  for (const Record& record : records)
    if (const auto* progress = std::get_if<record::Progress>(&record))
      steps.push_back(progress->step);
  return steps;
}

}  // namespace

TEST_CASE("what is started ahead waits to be let begin, and all it says is heard in order",
          "[core][wire]") {
  const test::ScriptedRunner runner(two_steps);
  PhaseAhead ahead(runner.program, {.phase = Phase::counters}, test::long_s, false);
  wait_for(runner, ".early");
  CHECK_FALSE(exists(runner, ".begun"));
  std::vector<Record> heard;
  const PhaseOutcome outcome =
      ahead.run([&](const Record& record) { heard.push_back(record); }, nullptr);
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  CHECK(steps_of(heard) == std::vector<std::string>{"early", "late"});
  CHECK(steps_of(outcome.records) == steps_of(heard));
}

TEST_CASE("what is started ahead is awake once it tells of its device", "[core][wire]") {
  const test::ScriptedRunner runner("touch \"$0.early\"\nsay '" + encode(record::Device{}) +
                                    "'\nread -r word\n" + end_of_phase);
  PhaseAhead ahead(runner.program, {.phase = Phase::counters}, test::long_s, false);
  ahead.wait_until_awake(nullptr);
  CHECK(exists(runner, ".early"));
  CHECK_FALSE(ahead.run({}, nullptr).error);
}

TEST_CASE("a phase is over when it has said all, however long its process takes to end",
          "[core][wire]") {
  const test::ScriptedRunner runner("read -r word\n" + std::string(end_of_phase) +
                                    "sleep 20\ntouch \"$0.gone\"\n");
  PhaseAhead ahead(runner.program, {.phase = Phase::counters}, test::long_s, false);
  CHECK_FALSE(ahead.run({}, nullptr).error);
  CHECK_FALSE(exists(runner, ".gone"));
}

TEST_CASE("a phase that is over tells of the failure that it reported", "[core][wire]") {
  const record::Failure failure{make_error(ErrorCode::too_slow, "It took too long."), {}};
  const test::ScriptedRunner runner("read -r word\nsay '" + encode(failure) + "'\n" + end_of_phase +
                                    "sleep 20\n");
  PhaseAhead ahead(runner.program, {.phase = Phase::counters}, test::long_s, false);
  const PhaseOutcome outcome = ahead.run({}, nullptr);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::too_slow);
}

TEST_CASE("what nobody lets begin ends without a word", "[core][wire]") {
  const test::ScriptedRunner runner(two_steps);
  {
    PhaseAhead ahead(runner.program, {.phase = Phase::counters}, test::long_s, false);
    wait_for(runner, ".early");
  }
  CHECK_FALSE(exists(runner, ".begun"));
}

TEST_CASE("the time limit of what is started ahead runs from its beginning", "[core][wire]") {
  constexpr double limit_s = 0.3;
  const test::ScriptedRunner patient(two_steps), stuck("read -r word; sleep 100");
  PhaseAhead first(patient.program, {.phase = Phase::counters}, limit_s, false);
  PhaseAhead second(stuck.program, {.phase = Phase::counters}, limit_s, false);
  std::this_thread::sleep_for(std::chrono::duration<double>(3 * limit_s));
  // However busy the machine: what waits is not killed, and what never ends is.
  const PhaseOutcome kept = first.run({}, nullptr);
  CHECK((!kept.error || kept.seconds > limit_s));
  const PhaseOutcome killed = second.run({}, nullptr);
  REQUIRE(killed.error);
  CHECK(killed.error->code == ErrorCode::hang);
}
