// The verbs about this machine: what it has, and what a launch fills of it.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "cli/program.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("occupancy is calculated from what is given", "[cli][occupancy]") {
  const Program klab;
  const auto result =
      klab.run({"occupancy", "--block", "256", "--registers", "64", "--cc", "90", "--json"});
  CHECK(result.exit_code == 0);
  const auto kernel = parse(result.out)[0];
  // 65,536 registers hold four blocks of 256 threads with 64 registers each.
  CHECK(kernel["active_blocks"] == 4);
  CHECK(kernel["percent"] == 50.0);
  CHECK(kernel["limiters"][0] == "registers");
  CHECK(klab.run({"occupancy", "--block", "2000"}).exit_code == 2);
  CHECK(klab.run({"occupancy", "--cc", "13"}).exit_code == 2);
  CHECK_THAT(klab.run({"occupancy", "--block", "96", "--cc", "75"}).out,
             Says("compute capability 7.5"));
}

TEST_CASE("doctor looks at everything and has a remedy for all that does not work",
          "[cli][doctor]") {
  const Program klab;
  const auto result = klab.run({"doctor", "--json"});
  // This build tree has no runner, and nothing can be checked without one.
  CHECK(result.exit_code == 1);
  std::set<std::string> subjects;
  for (const auto& finding : parse(result.out)) {
    subjects.insert(finding["subject"].get<std::string>());
    CHECK(finding["what"].get<std::string>().size() > 3);
    if (!finding["works"].get<bool>()) CHECK(finding["remedy"].get<std::string>().size() > 10);
  }
  CHECK(subjects == std::set<std::string>{"course", "toolkit", "runner", "simulator", "driver",
                                          "GPU", "counters", "room", "display", "tools", "disk",
                                          "workbook"});
}

TEST_CASE("what needs a GPU says so and records nothing", "[cli][device]") {
  const Program klab;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"device"},
                                                    {"device", "--measure", "--json"},
                                                    {"course", "record"},
                                                    {"bench", "--json"}}) {
    const auto result = klab.run(arguments);
    CAPTURE(arguments[0]);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, Says("→"));
  }
  CHECK_FALSE(std::filesystem::exists(klab.folder.path() / "docs"));
}
