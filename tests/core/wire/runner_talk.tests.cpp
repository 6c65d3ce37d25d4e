// Turns with a runner that a shell script stands in for.
#include "core/wire/runner_talk.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/in_full.hpp"
#include "support/scripted_runner.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A runner of one kernel file, in turns.
struct Scripted {
  test::ScriptedRunner runner;
  RunnerTalk talk;

  explicit Scripted(const std::string& script, bool waits = false)
      : runner(script),
        talk(runner.program,
             {.phase = Phase::time, .plugins = {{VariantName::mine, "/c.so"}}, .waits = waits},
             test::long_s, nullptr) {}
};

const std::string sample = R"(say '{"type":"sample","variant":"flawed","seconds":0.001}')";
const std::string end = "\nsay '{\"type\":\"done\"}'\n";
const std::string answer_each = "while read -r turn; do " + sample + "; done" + end;

}  // namespace

TEST_CASE("a runner answers each turn and ends when there are no more", "[core][wire]") {
  Scripted runner(answer_each);
  for (int i = 0; i < 3; ++i) {
    const auto answer = runner.talk.ask({});
    if (!answer) FAIL(klab::test::in_full(answer.error()));
    CHECK(answer->seconds > 0);
  }
  const PhaseOutcome outcome = runner.talk.end();
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
}

TEST_CASE("a runner has ended when it has said all, however long its process takes",
          "[core][wire]") {
  Scripted runner(answer_each + "sleep 20\ntouch \"$0.gone\"\n");
  REQUIRE(runner.talk.ask({}));
  CHECK_FALSE(runner.talk.end().error);
  CHECK_FALSE(std::filesystem::exists(runner.runner.program.string() + ".gone"));
}

TEST_CASE("a runner speaks for its own kernel file, whatever it says", "[core][wire]") {
  Scripted runner(answer_each);
  const auto answer = runner.talk.ask({});
  REQUIRE(answer);
  CHECK(std::get<record::Sample>(answer->record).variant == VariantName::mine);
}

TEST_CASE("an answer that nobody asked for is a breach of the protocol", "[core][wire]") {
  Scripted runner("while read -r turn; do " + sample + "; " + sample + "; done" + end);
  (void)runner.talk.ask({});
  const PhaseOutcome outcome = runner.talk.end();
  REQUIRE(outcome.error);
  CHECK(outcome.error->code == ErrorCode::protocol_mismatch);
  CHECK_THAT(outcome.error->what, ContainsSubstring("nobody had asked"));
}

TEST_CASE("a runner does not run outside of its turns", "[core][wire]") {
  // It counts as long as it may; two answers tell how far it came in between.
  Scripted runner("(while :; do echo tick >> \"$0.ticks\"; sleep 0.01; done) &\n" + answer_each);
  REQUIRE(runner.talk.ask({}));
  const auto ticks = [&] {
    std::error_code none;
    const auto bytes = std::filesystem::file_size(runner.runner.program.string() + ".ticks", none);
    return none ? 0 : bytes;
  };
  const auto before = ticks();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(ticks() <= before + 5);  // one tick may have been under way
  REQUIRE(runner.talk.ask({}));
}

TEST_CASE("a runner that waits is let begin once, before its first turn", "[core][wire]") {
  Scripted runner("read -r word; [ -z \"$word\" ] || exit 3\n" + answer_each, true);
  for (int i = 0; i < 3; ++i) {
    const auto answer = runner.talk.ask({});
    if (!answer) FAIL(klab::test::in_full(answer.error()));
  }
  const PhaseOutcome outcome = runner.talk.end();
  if (outcome.error) FAIL(klab::test::in_full(*outcome.error));
}

TEST_CASE("a runner that ends before it answers is told as what it is", "[core][wire]") {
  Scripted runner("read -r turn; exit 3");
  const auto answer = runner.talk.ask({});
  REQUIRE_FALSE(answer);
  CHECK(answer.error().code == ErrorCode::crash);
  CHECK_THAT(answer.error().what, ContainsSubstring("3"));
}
