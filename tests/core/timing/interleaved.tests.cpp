// The loop of timing, against sides that answer by a script.
#include "core/timing/interleaved.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <set>

#include "core/measure/measure_policy.hpp"
#include "support/in_full.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// How a kernel file behaves, and what was seen of it.
struct Script {
  double seconds = 1e-3;
  double outside_s = 2e-4;
  /// Seconds once another side has been started.
  std::optional<double> beside_s;
  int wrong_from = 1'000'000;  ///< samples of this number and later are wrong
  int ends_after = 1'000'000;  ///< samples
  int taken = 0, verified = 0;
  std::set<std::uint64_t> seeds;
  std::vector<std::optional<int>> processors;  ///< of samples
};

struct Stage {
  std::map<VariantName, Script> scripts;
  std::vector<VariantName> order;  ///< of samples, by variant
  int started = 0;
  std::vector<int> processes = {};  ///< of samples, numbered as they were started
  /// Whose sample was verified, and whose was the last.
  std::vector<std::pair<VariantName, VariantName>> verified_behind = {};
};

class ScriptedSide : public Side {
 public:
  ScriptedSide(Stage& stage, VariantName variant)
      : stage_(stage), variant_(std::move(variant)), script_(stage.scripts.at(variant_)) {
    number_ = stage_.started++;
  }
  Result<Sampled> sample(const Turn& turn) override {
    stage_.order.push_back(variant_);
    stage_.processes.push_back(number_);
    script_.seeds.insert(turn.seed);
    script_.processors.push_back(turn.processor);
    if (++script_.taken > script_.ends_after) return make_error(ErrorCode::crash, "It ended.");
    const bool alone = stage_.started == 1;
    // A little spread, as clocks have.
    const double by_processor = turn.processor ? 1 + 0.1 * std::abs(*turn.processor - 1) : 1;
    const double seconds = (alone ? script_.seconds : script_.beside_s.value_or(script_.seconds)) *
                           (1 + 1e-4 * (script_.taken % 5)) * by_processor;
    return Sampled{{variant_, seconds, {}, turn.launches},
                   seconds * turn.launches + script_.outside_s};
  }
  Result<record::Verified> verify() override {
    ++script_.verified;
    stage_.verified_behind.emplace_back(variant_, stage_.order.back());
    record::Verified verified{.variant = variant_};
    verified.correct = script_.taken < script_.wrong_from;
    if (!verified.correct) verified.problem = ResultProblem::wrong_value;
    return verified;
  }
  Result<record::Timed> end() override { return record::Timed{}; }

 private:
  Stage& stage_;
  VariantName variant_;
  Script& script_;
  int number_ = 0;
};

PhaseOutcome timed(Stage& stage, TimingMode mode = TimingMode::device, int processes = 1) {
  Request request{.phase = Phase::time};
  request.processes = processes;
  request.seed = 7;
  request.timing = mode;
  for (const VariantName& name : {VariantName::flawed, VariantName::mine})
    request.plugins.push_back({name, "/" + name.name() + ".so"});
  return time_interleaved(request,
                          [&](const PluginRequest& plugin) {
                            return std::make_unique<ScriptedSide>(stage, plugin.variant);
                          },
                          {});
}

record::Timed end_of(const PhaseOutcome& outcome) {
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
  const auto ends = outcome.all<record::Timed>();
  REQUIRE(ends.size() == 1);
  return ends.front();
}

}  // namespace

TEST_CASE("the flawed kernel is timed alone before another kernel file is loaded",
          "[core][timing]") {
  Stage stage{
      {{VariantName::flawed, {.seconds = 2e-3, .beside_s = 3e-3}}, {VariantName::mine, {}}}, {}, 0};
  const record::Timed end = end_of(timed(stage));
  const int alone = policy::warm_up_launches + policy::samples_alone;
  for (int i = 0; i < alone; ++i)
    CHECK(stage.order.at(static_cast<std::size_t>(i)) == VariantName::flawed);
  CHECK(stage.order.at(static_cast<std::size_t>(alone)) == VariantName::mine);
  REQUIRE(end.watches.size() == 2);
  REQUIRE(end.watches[0].alone_s);
  CHECK(*end.watches[0].alone_s < 2.1e-3);
  CHECK_FALSE(end.watches[1].alone_s);
}

TEST_CASE("one launch warms up a kernel that takes long", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {.seconds = 0.1}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage));
  const auto mine = std::find(stage.order.begin(), stage.order.end(), VariantName::mine);
  CHECK(mine - stage.order.begin() == 1 + policy::samples_alone);
}

TEST_CASE("of few samples a larger share is verified", "[core][timing]") {
  // At half of the time cap a pair, each sample is verified; the last one twice.
  Stage stage{{{VariantName::flawed, {.seconds = 0.5}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage));
  const Script& mine = stage.scripts.at(VariantName::mine);
  CHECK(mine.verified >= mine.taken - policy::warm_up_launches);
}

TEST_CASE("both sides are sampled in pairs, the first one last, until enough is known",
          "[core][timing]") {
  // What a side leaves of a seed in memory that both share is no help to the other one then.
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {.seconds = 5e-4}}}, {}, 0};
  const PhaseOutcome outcome = timed(stage);
  CHECK(end_of(outcome).stopped_because == "interval narrow enough");
  const auto samples = outcome.all<record::Sample>();
  REQUIRE(samples.size() >= 2 * static_cast<std::size_t>(policy::least_samples));
  for (std::size_t i = 0; i + 1 < samples.size(); i += 2) {
    CHECK(samples[i].variant == VariantName::mine);
    CHECK(samples[i + 1].variant == VariantName::flawed);
  }
}

TEST_CASE("what is verified at the end was sampled right before, of each side", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage));
  REQUIRE(stage.verified_behind.size() >= 2);
  for (const auto& [verified, sampled] : stage.verified_behind) CHECK(verified == sampled);
}

TEST_CASE("by the host's clock both sides begin on one processor, the quickest that was tried",
          "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage, TimingMode::wall));
  const Script& flawed = stage.scripts.at(VariantName::flawed);
  const Script& candidate = stage.scripts.at(VariantName::mine);
  REQUIRE(flawed.processors.back());
  const int chosen = *flawed.processors.back();
  CHECK(std::all_of(candidate.processors.begin(), candidate.processors.end(),
                    [&](const auto& processor) { return processor == chosen; }));
  const auto slowness = [](int processor) { return std::abs(processor - 1); };  // as scripted
  for (const auto& tried : flawed.processors)
    if (tried) CHECK(slowness(chosen) <= slowness(*tried));
}

TEST_CASE("sides of several processes are sampled in pairs of theirs, by turns", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  const record::Timed end = end_of(timed(stage, TimingMode::device, 2));
  CHECK(stage.started == 4);
  CHECK(end.watches.size() == 2);
  const std::size_t alone = policy::warm_up_launches + policy::samples_alone;
  for (std::size_t i = 0; i < alone; ++i) CHECK(stage.processes[i] == 0);
  // Behind the warming up of the other three; and in front of the last four, which are verified.
  const std::vector<int> pairs(
      stage.processes.begin() + static_cast<std::ptrdiff_t>(alone + 3 * policy::warm_up_launches),
      stage.processes.end() - 4);
  REQUIRE(pairs.size() >= 2 * static_cast<std::size_t>(policy::least_samples));
  for (std::size_t i = 0; i + 3 < pairs.size(); i += 4)
    CHECK(std::vector(pairs.begin() + static_cast<std::ptrdiff_t>(i),
                      pairs.begin() + static_cast<std::ptrdiff_t>(i) + 4) ==
          std::vector{2, 0, 3, 1});
  CHECK(std::vector(stage.processes.end() - 4, stage.processes.end()) == std::vector{0, 1, 2, 3});
}

TEST_CASE("nobody is given more than a few processes a side", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage, TimingMode::device, 1'000'000));
  CHECK(stage.started == 8);
}

TEST_CASE("by the device's clock no processor is chosen", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  (void)end_of(timed(stage));
  for (const auto& [variant, script] : stage.scripts)
    for (const auto& processor : script.processors) CHECK_FALSE(processor);
}

TEST_CASE("no launch of a side has the seed of another, and both of a pair have the same",
          "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  const PhaseOutcome outcome = timed(stage);
  const Script& flawed = stage.scripts.at(VariantName::flawed);
  const Script& candidate = stage.scripts.at(VariantName::mine);
  CHECK(flawed.seeds.size() == static_cast<std::size_t>(flawed.taken));
  CHECK(candidate.seeds.size() == static_cast<std::size_t>(candidate.taken));
  const auto shared = std::count_if(flawed.seeds.begin(), flawed.seeds.end(),
                                    [&](auto seed) { return candidate.seeds.contains(seed); });
  CHECK(2 * static_cast<std::size_t>(shared) == outcome.all<record::Sample>().size());
}

TEST_CASE("some samples of the candidate and the last of both are verified", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {}}}, {}, 0};
  timed(stage);
  CHECK(stage.scripts.at(VariantName::flawed).verified == 1);
  CHECK(stage.scripts.at(VariantName::mine).verified >= 1);
}

TEST_CASE("a candidate that is wrong once it is timed is found, and nothing is concluded",
          "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {.wrong_from = 6}}}, {}, 0};
  const PhaseOutcome outcome = timed(stage);
  const auto verified = outcome.all<record::Verified>();
  REQUIRE_FALSE(verified.empty());
  CHECK_FALSE(verified.back().correct);
  CHECK(outcome.all<record::Timed>().empty());
}

TEST_CASE("a time that the turn had no room for is not believed", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {.outside_s = -1e-4}}}, {}, 0};
  const PhaseOutcome outcome = timed(stage);
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::protocol_mismatch);
  CHECK(outcome.all<record::Timed>().empty());
}

TEST_CASE("a side that ends is told with its variant, and its samples are kept", "[core][timing]") {
  Stage stage{{{VariantName::flawed, {}}, {VariantName::mine, {.ends_after = 9}}}, {}, 0};
  const PhaseOutcome outcome = timed(stage);
  REQUIRE(outcome.error);
  CHECK(outcome.error->what == "It ended.");
  CHECK(outcome.all<record::Failure>().front().variant == VariantName::mine);
  CHECK_FALSE(outcome.all<record::Sample>().empty());
}

TEST_CASE("a kernel too short for one event pair has both launched in batches", "[core][timing]") {
  Stage stage{
      {{VariantName::flawed, {.seconds = 1e-3}}, {VariantName::mine, {.seconds = 3.9e-6}}}, {}, 0};
  const record::Timed end = end_of(timed(stage));
  CHECK(end.launches_per_sample == 25);
  // The flawed kernel alone was timed in batches, too, which takes a second start of both.
  CHECK(stage.started == 4);
}
