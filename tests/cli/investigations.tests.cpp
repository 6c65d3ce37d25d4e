// The verbs roofline, sweep and device --live on a machine without a GPU or a runner.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "support/environment.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("investigations and the live view explain themselves", "[cli][help]") {
  const Program klab;
  const auto help = klab.run({"--help"});
  for (const std::string verb : {"roofline", "sweep"}) {
    CHECK_THAT(help.out, ContainsSubstring("\n  " + verb + " "));
    CHECK_THAT(klab.run({verb, "--help"}).out, ContainsSubstring("--json"));
  }
  CHECK_THAT(klab.run({"device", "--help"}).out, ContainsSubstring("--live"));
  CHECK(klab.run({"device", "--live", "--measure"}).exit_code == 2);
  CHECK(klab.run({"device", "--seconds", "1"}).exit_code == 2);
  CHECK(klab.run({"sweep", "2", "--values", "one"}).exit_code == 2);
}

TEST_CASE("without a runner each says so with a remedy, also as JSON", "[cli][investigate]") {
  const Program klab;
  for (const std::string verb : {"roofline", "sweep"}) {
    CHECK(klab.run({verb, "nothing"}).exit_code == 2);
    const auto result = klab.run({verb, "2"});
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("→"));
    CHECK_FALSE(parse(klab.run({verb, "2", "--json"}).out)["errors"].empty());
  }
  const auto live = klab.run({"device", "--live", "--seconds", "0.2"});
  CHECK(live.exit_code != 0);
  CHECK_THAT(live.err, ContainsSubstring("→"));
}

TEST_CASE("facts end where neither NVRTC nor a folder for nvcc can be had", "[cli][facts]") {
  const Program klab;
  klab.folder.write("build/cache", "a file in the way");
  const Environment nowhere("TMPDIR", "/proc");
  const auto facts = klab.run({"facts", "2", "--variant", "flawed"});
  CHECK(facts.exit_code != 0);
  CHECK_FALSE(facts.err.empty());
}
