// The verbs about the course: its libraries, its recordings' tables, its files.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("report writes README's table and --check finds what is stale", "[cli][report]") {
  const Program klab;
  CHECK(klab.run({"course", "report"}).exit_code == 2);
  klab.folder.write("README.md", "# x\n<!-- results:begin -->\n<!-- results:end -->\n");
  CHECK(klab.run({"course", "report", "--check"}).exit_code == 1);
  CHECK(klab.run({"course", "report"}).exit_code == 0);
  CHECK_THAT(klab.folder.read("README.md"), Says("No run is recorded yet"));
  CHECK(klab.run({"course", "report", "--check"}).exit_code == 0);
  klab.folder.write("docs/results/nvidia-x.json",
                    R"({"format":1,"device":{"name":"NVIDIA X"},"date":"2026-11-21",
                        "runs":[{"lab":"02-coalescing","variant":"optimized","gates":[]}]})");
  const auto stale = klab.run({"course", "report", "--check"});
  CHECK(stale.exit_code == 1);
  CHECK_THAT(stale.err, Says("02-coalescing flawed was not recorded on NVIDIA X"));
  CHECK_THAT(stale.out, Says("01-divergence was never recorded on NVIDIA X"));
  CHECK(stale.err.find("01-divergence") == std::string::npos);
  klab.folder.write("docs/results/nvidia-x.json", "broken");
  CHECK(klab.run({"course", "report"}).exit_code == 2);
}

TEST_CASE("build makes the libraries, and profile prints a command for them",
          "[cli][build][whole]") {
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
  CHECK_THAT(profile.out, Says("ncu --set full"));
  CHECK_THAT(profile.out, Says("klab-runner-gpu --records-fd 3"));
  const auto occupancy = klab.run_command(
      {Program::program(), "--root", root, "occupancy", "scale", "--variant", "flawed", "--json"});
  CHECK(occupancy.exit_code == 0);
  CHECK(parse(occupancy.out)[0]["registers"].get<int>() > 0);
}

TEST_CASE("a file that is meant to be refused is no failure of the build", "[cli][build][whole]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const Program klab;
  const auto root = klab.folder.path() / "course";
  for (const char* part :
       {"labs/01_scale", "kernels/01_scale", "solutions/01_scale/optimized.cu"}) {
    std::filesystem::create_directories((root / part).parent_path());
    std::filesystem::copy(std::filesystem::path(KLAB_SOURCE_DIR "/tests/fixtures") / part,
                          root / part, std::filesystem::copy_options::recursive);
  }
  const auto status_of = [&](const std::string& first_line) {
    klab.folder.write("course/solutions/01_scale/wrong_word.cu", first_line + "\nno C++\n");
    const auto built =
        klab.run_command({Program::program(), "--root", root.string(), "build", "--all", "--json"});
    std::string status;
    for (const auto& library : parse(built.out))
      if (library["variant"] == "wrong_word") status = library["status"].get<std::string>();
    return std::pair(built.exit_code == 0, status);
  };
  CHECK(status_of("// Rejected by: built — it is no C++") ==
        std::pair(true, std::string("refused, as its first line says")));
  CHECK(status_of("// Rejected by: correct — it is no C++") ==
        std::pair(false, std::string("failed")));
}

TEST_CASE("course check says of a lab what is not as it should be", "[cli][course][whole]") {
  const Program klab;
  const auto result = klab.run({"course", "check", "2", "--files"});
  CHECK(result.exit_code == 1);
  CHECK_THAT(result.out, Says("✘ files") && Says("has no TODO"));
  CHECK(klab.run({"course", "check", "nothing"}).exit_code == 2);
  const auto own = klab.run_command(
      {Program::program(), "--root", KLAB_SOURCE_DIR, "course", "check", "--files"});
  CAPTURE(own.out, own.err);
  CHECK(own.exit_code == 0);
}
