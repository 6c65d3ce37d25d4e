// Gates and problems are values; records hold their words.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/files.hpp"
#include "core/verdict/json/check_result_json.hpp"
#include "core/verdict/result_problem.hpp"
#include "core/verdict/verdict.hpp"

using namespace klab;

TEST_CASE("each gate's name is read as it is written", "[core][verdict]") {
  for (const char* name : {"built", "correct", "same work", "cause", "time"}) {
    const auto gate = gate_name_from(name);
    REQUIRE(gate);
    CHECK(to_string(*gate) == name);
  }
  CHECK_FALSE(gate_name_from("luck"));
  CHECK_FALSE(gate_name_from(""));
}

TEST_CASE("a record's gates that are none of ours are left out", "[core][verdict]") {
  const auto read = check_result_from(nlohmann::json::parse(
      R"({"lab":"02-coalescing","gates":[{"name":"luck"},{"name":"same work"},{},3]})"));
  REQUIRE(read);
  REQUIRE(read->gates.size() == 1);
  CHECK(read->gates.front().name == GateName::same_work);
}

TEST_CASE("what a gate rests on is known of records, too, which keep words", "[core][verdict]") {
  CheckResult result;
  result.errors = {make_error(ErrorCode::no_toolkit, "There is no nvcc.")};
  result.gates = {
      {.name = GateName::built, .detail = "There is no nvcc.", .basis = Basis::error},
      {.name = GateName::correct, .detail = "Not run: There is no nvcc.", .basis = Basis::not_run},
      {.name = GateName::cause,
       .detail = "Not counted, because an earlier gate did not pass.",
       .basis = Basis::not_run},
      {.name = GateName::time, .detail = "Time needs a GPU."}};
  const auto read = check_result_from(to_json(result));
  REQUIRE(read);
  REQUIRE(read->gates.size() == result.gates.size());
  for (std::size_t i = 0; i < result.gates.size(); ++i) {
    CAPTURE(result.gates[i].detail);
    CHECK(read->gates[i].basis == result.gates[i].basis);
  }
}

TEST_CASE("each problem of a result is read as it is written", "[core][verdict]") {
  for (const char* words :
       {"", "wrong value", "wrong value where NaN is right", "wrong value where infinity is right",
        "not written", "guard overwritten", "input changed",
        "work on another stream is not joined"}) {
    const nlohmann::json json = words;
    CHECK(nlohmann::json(json.get<ResultProblem>()) == json);
  }
  CHECK_FALSE(result_problem_from("bad luck"));
  CHECK_THROWS(nlohmann::json("bad luck").get<ResultProblem>());
}

TEST_CASE("recorded runs are written again as they were", "[core][verdict]") {
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(KLAB_SOURCE_DIR) / "docs/results")) {
    if (entry.path().extension() != ".json") continue;
    const auto text = read_file(entry.path(), 64u << 20);
    REQUIRE(text);
    const nlohmann::json recorded = nlohmann::json::parse(*text);
    if (!recorded.contains("runs")) continue;
    for (const nlohmann::json& run : recorded["runs"]) {
      const auto read = check_result_from(run);
      REQUIRE(read);
      const nlohmann::json again = to_json(*read);
      INFO(read->lab << " " << read->variant.name());
      for (const auto& [key, value] : run.items()) CHECK(again.at(key).dump() == value.dump());
      ++compared;
    }
  }
  CHECK(compared > 0);
}
