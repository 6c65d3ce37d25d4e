// check, watch and what needs the runner; and the verbs about machine and course.
#include "core/check/check.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <set>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"
#include "core/check/machine.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("checking a lab that is not started says how to start it", "[cli][check]") {
  const Program klab;
  const auto result = klab.run({"check", "2"});
  CHECK(result.exit_code == 2);
  CHECK_THAT(result.err, ContainsSubstring("klab start coalescing"));
  const auto json = klab.run({"check", "2", "--json"});
  CHECK(json.exit_code == 2);
  CHECK(parse(json.out)["error"]["code"] == "not_started");
}

TEST_CASE("an unknown variant, backend or file is exit code 2", "[cli][check]") {
  const Program klab;
  const auto variant = klab.run({"check", "2", "--variant", "wrong-man"});
  CHECK(variant.exit_code == 2);
  CHECK_THAT(variant.err, ContainsSubstring("wrong_nan"));
  CHECK(klab.run({"check", "2", "--variant", "flawed", "--backend", "cloud"}).exit_code == 2);
  CHECK(klab.run({"check", "2", "--file", "/nowhere/x.cu"}).exit_code == 2);
}

TEST_CASE("without a GPU a check on it is not checkable here, in words and as JSON",
          "[cli][check]") {
  // A build tree without runner: whatever the machine has, nothing can be run.
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const auto shown = klab.run({"check", "2", "--backend", "gpu"});
  CHECK(shown.exit_code == 4);
  CHECK_THAT(shown.out, ContainsSubstring("not here"));
  CHECK(shown.out.find("✔") == std::string::npos);

  const auto result = klab.run({"check", "2", "--backend", "gpu", "--seed", "7", "--json"});
  CHECK(result.exit_code == 4);
  const auto json = parse(result.out);
  for (const char* key : {"lab", "variant", "backend", "verdict", "gates", "times", "ratio",
                          "counters", "device", "seed"})
    CHECK(json.contains(key));
  CHECK(json["lab"] == "02-coalescing");
  CHECK(json["variant"] == "mine");
  CHECK(json["seed"] == 7);
  CHECK(json["verdict"] == "not checkable here");
  CHECK(json["ratio"].is_null());
  std::set<std::string> names;
  for (const auto& gate : json["gates"]) {
    names.insert(gate["name"].get<std::string>());
    CHECK(gate["measured"].is_null());
  }
  CHECK(names == std::set<std::string>{"built", "correct", "same work", "cause", "time"});
  CHECK(parse(klab.run({"list", "--json"}).out)[1]["status"] == "started");
}

TEST_CASE("watch checks at once and after every save, until Ctrl-C", "[cli][watch]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const std::string file = (klab.folder.path() / "workbook/02_coalescing.cu").string();
  std::string command;
  for (const std::string& word : klab.with_program({"watch", "2", "--backend", "gpu"}))
    command += "'" + word + "' ";
  const auto result =
      klab.run_command({"sh", "-c",
                        "(sleep 2; echo '// saved' >> '" + file + "'; sleep 1; touch '" + file +
                            "') & timeout --foreground --preserve-status -s INT 5 " + command});
  CHECK(result.exit_code == 0);
  std::size_t verdicts = 0;
  for (std::size_t at = 0; (at = result.out.find(" UTC\n", at)) != std::string::npos; ++at)
    ++verdicts;
  // The start and the save; touching without a change is none.
  CHECK(verdicts == 2);
}

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
             ContainsSubstring("compute capability 7.5"));
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
                                          "GPU", "counters", "display", "tools", "disk",
                                          "workbook"});
}

TEST_CASE("what needs a GPU says so and records nothing", "[cli][device]") {
  const Program klab;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"device"},
                                                    {"device", "--measure", "--json"},
                                                    {"record"},
                                                    {"bench", "--json"}}) {
    const auto result = klab.run(arguments);
    CAPTURE(arguments[0]);
    CHECK(result.exit_code != 0);
    CHECK_THAT(result.err, ContainsSubstring("→"));
  }
  CHECK_FALSE(std::filesystem::exists(klab.folder.path() / "docs"));
}

TEST_CASE("report writes README's table and --check finds what is stale", "[cli][report]") {
  const Program klab;
  CHECK(klab.run({"report"}).exit_code == 2);
  klab.folder.write("README.md", "# x\n<!-- results:begin -->\n<!-- results:end -->\n");
  CHECK(klab.run({"report", "--check"}).exit_code == 1);
  CHECK(klab.run({"report"}).exit_code == 0);
  CHECK_THAT(klab.folder.read("README.md"), ContainsSubstring("No run is recorded yet"));
  CHECK(klab.run({"report", "--check"}).exit_code == 0);
  klab.folder.write("docs/results/nvidia-x.json",
                    R"({"format":1,"device":{"name":"NVIDIA X"},"date":"2026-11-21","runs":[]})");
  const auto stale = klab.run({"report", "--check"});
  CHECK(stale.exit_code == 1);
  CHECK_THAT(stale.err, ContainsSubstring("02-coalescing flawed was not recorded on NVIDIA X"));
  klab.folder.write("docs/results/nvidia-x.json", "broken");
  CHECK(klab.run({"report"}).exit_code == 2);
}

TEST_CASE("build makes the libraries, and profile prints a command for them", "[cli][build]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const std::string root = std::string(KLAB_SOURCE_DIR) + "/tests/fixtures";
  const auto built =
      klab.run_command({Program::program(), "--root", root, "build", "--needed", "--json"});
  CHECK(built.exit_code == 0);
  const auto libraries = parse(built.out);
  // Workload and flawed kernel of two labs.
  REQUIRE(libraries.size() == 4);
  for (const auto& library : libraries) {
    CHECK(library["status"] == "built");
    CHECK(std::filesystem::exists(library["library"].get<std::string>()));
  }
  const auto profile = klab.run_command({Program::program(), "--root", root, "profile", "scale",
                                         "--variant", "flawed", "--print", "--tool", "ncu"});
  CHECK(profile.exit_code == 0);
  CHECK_THAT(profile.out, ContainsSubstring("ncu --set full"));
  CHECK_THAT(profile.out, ContainsSubstring("klab-runner-gpu --records-fd 3"));
  const auto occupancy = klab.run_command(
      {Program::program(), "--root", root, "occupancy", "scale", "--variant", "flawed", "--json"});
  CHECK(occupancy.exit_code == 0);
  CHECK(parse(occupancy.out)[0]["registers"].get<int>() > 0);
}

TEST_CASE("on the simulator the exit code is the verdict, and no time is ever shown",
          "[cli][check]") {
  const std::string runner = std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim";
  if (!std::filesystem::exists(runner)) SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const auto check = [&](const std::string& variant) {
    auto result = run_process(
        {.command = {Program::program(), "--root", std::string(KLAB_SOURCE_DIR) + "/tests/fixtures",
                     "check", "scale", "--variant", variant, "--backend", "sim", "--json"},
         .time_limit_s = 300});
    REQUIRE(result);
    return *result;
  };
  const auto flawed = check("flawed");
  CHECK(flawed.exit_code == 1);
  CHECK(parse(flawed.out)["verdict"] == "fail");
  CHECK(parse(flawed.out)["backend"] == "sim");
  const auto optimized = check("optimized");
  CHECK(optimized.exit_code == 4);
  const auto json = parse(optimized.out);
  CHECK(json["times"]["variants"].empty());
  CHECK(json["ratio"].is_null());
  const auto broken = check("wrong-compile-error");
  CHECK(broken.exit_code == 1);
  CHECK(parse(broken.out)["gates"][0]["verdict"] == "fail");
  CHECK_THAT(parse(broken.out)["gates"][0]["detail"].get<std::string>(),
             ContainsSubstring("wrong_compile_error.cu:"));
}

TEST_CASE("an exercise is skipped until it is started, and where it cannot be checked",
          "[cli][exercises]") {
  const Program klab;
  const auto exercise = [&] {
    return klab.run_command({"sh",
                             std::string(KLAB_SOURCE_DIR) + "/tests/exercises/check_exercise.sh",
                             Program::program(), klab.folder.path().string(), "02_coalescing"});
  };
  constexpr int skipped = 5;
  const auto not_started = exercise();
  CHECK(not_started.exit_code == skipped);
  CHECK_THAT(not_started.out, ContainsSubstring("klab start 02_coalescing"));
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const auto not_checkable = exercise();
  CHECK(not_checkable.exit_code == skipped);
  CHECK_THAT(not_checkable.out, ContainsSubstring("Not checkable here"));
  write_lab(klab.folder, "02_coalescing", "title = 1\n");
  CHECK(exercise().exit_code == 2);
}
