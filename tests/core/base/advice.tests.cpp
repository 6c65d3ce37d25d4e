// Advice keeps its acts as values from where it is given to where it is read, also through records.
#include "core/base/advice.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/verdict/json/check_result_json.hpp"

using namespace klab;

namespace {

const Advice two_acts =
    "Look at " + Act{Verb::doctor} + "; or read " + Act{Verb::hint, "coalescing"} + ".";

}  // namespace

TEST_CASE("the terminal types an act as code", "[core][advice]") {
  CHECK(shell_words(two_acts) == "Look at `./klab doctor`; or read `./klab hint coalescing`.");
  CHECK(shell_words(Advice(Act{Verb::simulate})) == "`--backend sim`");
  CHECK(shell_words(Advice()).empty());
}

TEST_CASE("texts beside each other are one, and nothing is no part", "[core][advice]") {
  CHECK(Advice("One. ") + "" + "Two." == Advice("One. Two."));
  CHECK(Advice("").empty());
  Advice twice = "Again. ";
  twice += twice;
  CHECK(twice == Advice("Again. Again. "));
}

TEST_CASE("each verb is typed in words of its own, and read back from them", "[core][advice]") {
  for (int verb = 0; verb <= static_cast<int>(Verb::agree); ++verb) {
    const Advice advice = "Run " + Act{static_cast<Verb>(verb)} + ".";
    INFO(shell_words(advice));
    CHECK(shell_words(advice).size() > std::string("Run ``.").size());
    CHECK(advice_from(shell_words(advice)) == advice);
  }
  CHECK(advice_from(shell_words(two_acts)) == two_acts);
}

TEST_CASE("code that is no act of ours stays text", "[core][advice]") {
  for (const char* words : {"Set `a <= b`.", "`./klab sweep x`", "`./klab hint a b`",
                            "`./klab hint `", "`./klab doctor x`", "An open ` sign", "``", ""})
    CHECK(advice_from(words) == Advice(words));
}

TEST_CASE("an error's act and a gate's survive a record", "[core][advice]") {
  const Error error = make_error(ErrorCode::runner_failed, "It ended.", two_acts);
  CHECK(error_from(to_json(error)).remedy == two_acts);
  Gate gate;
  REQUIRE(read_json(to_json(Gate{.advice = two_acts}), gate));
  CHECK(gate.advice == two_acts);
}
