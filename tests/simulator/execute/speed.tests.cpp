// The recorded speed of the simulator: complete, and within the bounds that it is built to.
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

namespace speed_tests {

TEST_CASE("The recorded speed of the simulator keeps its bounds", "[simulator][speed]") {
  std::ifstream in(std::string(KLAB_SOURCE_DIR) + "/docs/results/bench/simulator.json");
  if (!in) SKIP("no speed is recorded: ./klab bench --simulator");
  const auto record = nlohmann::json::parse(in);
  for (const char* key : {"processor", "date", "simulator_digest"})
    CHECK_FALSE(record[key].get<std::string>().empty());
  CHECK(record["figures"].size() >= 4);
  for (const auto& figure : record["figures"]) {
    CAPTURE(figure["name"].get<std::string>());
    CHECK(figure["values_us"].size() >= 3);
    if (figure["threads"] != 2) continue;  // for which the bounds are
    CHECK(figure["median_us"].get<double>() <= figure["bound_us"].get<double>());
  }
}

}  // namespace speed_tests
