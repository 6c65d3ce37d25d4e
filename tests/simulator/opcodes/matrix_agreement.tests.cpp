// Every matrix instruction against what a GPU made of the same numbers.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/process/process.hpp"
#include "support/sanitized.hpp"

namespace matrix_agreement_tests {

TEST_CASE("Every matrix instruction gives the bits that an H200 gave", "[simulator][matrix]") {
  klab::skip_if_sanitized();
  const std::filesystem::path program = std::filesystem::path(KLAB_SIM_PLUGINS) / "matrices";
  std::ifstream file(std::string(KLAB_SOURCE_DIR) + "/docs/results/matrices/nvidia-h200.json");
  if (!file || !std::filesystem::exists(program)) SKIP("no recording, or no nvcc");
  const auto recorded = nlohmann::json::parse(file);
  const auto run = klab::run_process(
      {.command = {program.string(), "--count", std::to_string(recorded.at("matrices").get<int>())},
       .environment = {{"LD_LIBRARY_PATH",
                        std::filesystem::path(KLAB_SIM_LIBRARY).parent_path().string()}},
       .time_limit_s = 100});
  REQUIRE(run);
  CAPTURE(run->err);
  REQUIRE(run->exit_code == 0);
  const auto here = nlohmann::json::parse(run->out);
  REQUIRE(here.at("digests").size() == recorded.at("digests").size());
  for (const auto& [instruction, digests] : recorded.at("digests").items())
    for (const auto& [kind, digest] : digests.items()) {
      CAPTURE(instruction, kind);
      CHECK(here.at("digests").at(instruction).at(kind) == digest);
    }
}

}  // namespace matrix_agreement_tests
