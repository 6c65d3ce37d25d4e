#include "core/record/bench_record.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.hpp"

using namespace klab;
using klab::test::TemporaryFolder;
using Json = nlohmann::json;

namespace {

Json record_of(const std::string& lab, double seconds, const std::string& driver = "580.1",
               const std::string& date = "2026-11-30T00:00:00Z") {
  return {{"device", {{"name", "NVIDIA X"}, {"driver", driver}}},
          {"digests", {{lab, {{"date", date}, {"flawed", "a"}, {"optimized", "b"}}}}},
          {"figures", {{{"lab", lab}, {"name", "counters phase"}, {"median", seconds}}}}};
}

Json added(const TemporaryFolder& folder, const Json& record) {
  REQUIRE(add_figures(folder.path() / "bench.json", record));
  return Json::parse(folder.read("bench.json"));
}

}  // namespace

TEST_CASE("figures of a lab take the place of those that were there, and others stay",
          "[core][results]") {
  const TemporaryFolder folder;
  added(folder, record_of("01-a", 1));
  added(folder, record_of("02-b", 2));
  const Json all = added(folder, record_of("01-a", 3));
  CHECK(all["digests"].size() == 2);
  REQUIRE(all["figures"].size() == 2);
  CHECK(all["figures"][0]["lab"] == "02-b");
  CHECK(all["figures"][1]["median"] == 3);
}

TEST_CASE("nothing is kept of what another driver took", "[core][results]") {
  const TemporaryFolder folder;
  added(folder, record_of("01-a", 1));
  const Json all = added(folder, record_of("02-b", 2, "590.2"));
  CHECK(all["digests"].size() == 1);
  CHECK(all["figures"].size() == 1);
}

TEST_CASE("each lab of a record keeps the day on which it was measured", "[core][results]") {
  const TemporaryFolder folder;
  added(folder, record_of("01-a", 1));
  const Json all = added(folder, record_of("02-b", 2, "580.1", "2026-12-01T00:00:00Z"));
  CHECK(all["digests"]["01-a"]["date"] == "2026-11-30T00:00:00Z");
  CHECK(all["digests"]["02-b"]["date"] == "2026-12-01T00:00:00Z");
  CHECK_FALSE(all.contains("date"));
}

TEST_CASE("a file that is no record of a bench is not written over", "[core][results]") {
  const TemporaryFolder folder;
  folder.write("bench.json", "mine");
  const auto refused = add_figures(folder.path() / "bench.json", record_of("01-a", 1));
  REQUIRE(!refused);
  CHECK(refused.error().code == ErrorCode::io);
  CHECK(folder.read("bench.json") == "mine");
}
