// Reading ncu's CSV.
#include "core/record/ncu_report.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("ncu's table is found among messages and the program's own output", "[core][ncu]") {
  const auto kernels = parse_ncu_csv(
      "==PROF== Connected to process 42 (/x/klab-runner-gpu)\n"
      "learner says, \"hello\"\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"dram__bytes.sum\",\"gpu__time_duration.sum\"\n"
      "\"\",\"\",\"\",\"byte\",\"ns\"\n"
      "\"0\",\"42\",\"scale<float, \"\"x\"\">(Args)\",\"1,073,745,920\",\"255104\"\r\n"
      "\"1\",\"42\",\"relu(Args)\",\"n/a\",\"10.5\"\n"
      "==PROF== Disconnected\n");
  REQUIRE(kernels);
  REQUIRE(kernels->size() == 2);
  CHECK(kernels->at(0).name == "scale<float, \"x\">(Args)");
  CHECK(kernels->at(0).values.at("dram__bytes.sum") == 1073745920);
  CHECK(kernels->at(0).values.at("gpu__time_duration.sum") == 255104);
  CHECK(kernels->at(1).values.count("dram__bytes.sum") == 0);
  CHECK(kernels->at(1).values.at("gpu__time_duration.sum") == 10.5);
}

TEST_CASE("output without a table is an error, a row of another shape is left out", "[core][ncu]") {
  CHECK(parse_ncu_csv("==ERROR== ERR_NVGPUCTRPERM\n").error().code == ErrorCode::io);
  CHECK(parse_ncu_csv("").error().code == ErrorCode::io);
  const auto cut = parse_ncu_csv("\"ID\",\"Kernel Name\",\"m\"\n\"0\",\"k\"\n");
  REQUIRE(cut);
  CHECK(cut->empty());
}
