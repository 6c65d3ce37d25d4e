// The verbs roofline, sweep and device --live on a machine without a GPU or a runner.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/investigate/investigate.hpp"
#include "cli/program.hpp"
#include "core/base/files.hpp"
#include "core/build/toolchain.hpp"
#include "support/environment.hpp"
#include "support/says.hpp"

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

TEST_CASE("a sweep that does not fit says what would", "[cli][investigate]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const auto swept = [](const std::string& option, const std::string& value) {
    const auto result =
        run_process({.command = {Program::program(), "--root", KLAB_SOURCE_DIR, "sweep", "2",
                                 "--backend", "sim", "--variant", "flawed", option, value},
                     .time_limit_s = 300});
    REQUIRE(result);
    CHECK(result->exit_code != 0);
    return result->err;
  };
  // As it can be typed: the name has a space in it.
  CHECK_THAT(swept("--parameter", "block"), Says("Choose size or BLOCK."));
  CHECK_THAT(swept("--values", "999999999999"), Says("take a smaller size"));
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

TEST_CASE("what was recorded can be looked at without a GPU, and says that it is recorded",
          "[cli][investigate]") {
  const Program klab;
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {Program::program(), "--root", KLAB_SOURCE_DIR});
    return klab.run_command(words);
  };
  for (const std::string verb : {"roofline", "stalls", "sweep", "trace", "compare"}) {
    CAPTURE(verb);
    const auto shown = run({verb, "coalescing", "--recorded"});
    CHECK(shown.exit_code == 0);
    CHECK_THAT(shown.out, Says("Recorded on NVIDIA H200, 2026-11-"));
    CHECK_THAT(shown.out, ContainsSubstring("flawed"));
    CHECK_FALSE(parse(run({verb, "2", "--recorded", "--json"}).out).empty());
  }
  // No other lab's roofline is recorded, and no other lab's is shown instead.
  const auto missing = run({"roofline", "divergence", "--recorded"});
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.err, ContainsSubstring("01-divergence"));
  CHECK(missing.out.empty());
}

TEST_CASE("a sweep that was kept is found by its parameter, and kept once", "[cli][investigate]") {
  const Program klab;
  const auto path = klab.folder.path() / "docs/results/sweeps.jsonl";
  klab.folder.write("docs/results/sweeps.jsonl", "{\"at_s\":1}\n");
  const auto keep = [&](const std::string& parameter, std::vector<SweepPoint> points) {
    Investigation found{.kind = InvestigationKind::sweep,
                        .lab = "02-coalescing",
                        .backend = Backend::gpu,
                        .date = "2026-11-22T00:00:00Z"};
    found.found = Sweep{.parameter = parameter,
                        .label = parameter,
                        .variants = {VariantName::flawed},
                        .points = std::move(points)};
    REQUIRE(cli::keep_investigation(path, found));
  };
  keep("size", {{.value = 64}});
  keep("size", {{.value = 32}, {.value = 128}});
  keep("block size", {{.value = 256}});
  const auto points = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"sweep", "2", "--recorded", "--json"});
    return parse(klab.run(words).out)["found"]["points"].size();
  };
  CHECK(points({"--parameter", "block size"}) == 1);
  CHECK(klab.run({"sweep", "2", "--recorded", "--parameter", "other"}).exit_code == 2);
  const auto lines = *read_file(path);
  CHECK(std::count(lines.begin(), lines.end(), '\n') == 3);
  CHECK(lines.starts_with("{\"at_s\":1}\n"));
}

TEST_CASE("a roofline of hostile records cannot drive the terminal", "[cli][investigate]") {
  const Program klab;
  const std::string esc = "\\u001b[2J\\u009b31m";
  klab.folder.write(
      "docs/results/window.jsonl",
      R"({"at_s":1,"investigation":{"kind":"roofline","lab":"02-coalescing","backend":"gpu","date":"2026-11-21T00:00:00Z","device":{"name":"X)" +
          esc + R"("},"errors":[],"source_digests":{},"found":{"kernels":[{"variant":"flawed)" +
          esc + R"("}],"notes":["note)" + esc + R"("]}}})" + "\n");
  const auto shown = klab.run({"roofline", "2", "--recorded"});
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.out, ContainsSubstring("note"));
  for (const char* sequence : {"\033", "\xc2\x9b"})
    CHECK((shown.out + shown.err).find(sequence) == std::string::npos);
}

TEST_CASE("facts end where no folder for nvcc can be had", "[cli][facts]") {
  const Program klab;
  klab.folder.write("build/cache", "a file in the way");
  const Environment nowhere("TMPDIR", "/proc");
  const auto facts = klab.run({"facts", "2", "--variant", "flawed"});
  CHECK(facts.exit_code != 0);
  CHECK_FALSE(facts.err.empty());
}
