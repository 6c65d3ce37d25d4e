// The layers hold: who may include what, and which libraries the programs without CUDA link.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "core/process.hpp"

namespace fs = std::filesystem;

namespace {

/// Every `#include` in a folder that matches `forbidden`, as "file: line".
std::vector<std::string> forbidden_includes(const fs::path& folder, const std::string& forbidden) {
  const std::regex pattern("^\\s*#\\s*include\\s*[<\"](" + forbidden + ")");
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const auto kind = entry.path().extension();
    if (kind != ".hpp" && kind != ".cpp" && kind != ".cu" && kind != ".cuh") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, pattern)) found.push_back(entry.path().string() + ": " + line);
  }
  return found;
}

const fs::path source = KLAB_SOURCE_DIR;

}  // namespace

TEST_CASE("no layer includes what it must not know", "[core][layers]") {
  const std::vector<std::pair<const char*, const char*>> rules = {
      {"core", "cuda|cupti|nvtx|nvml|imgui|GLFW|runner/|simulator/|ui/|cli/"},
      {"runner", "imgui|GLFW|ui/|cli/|simulator/"},
      {"compiler", "imgui|GLFW|ui/|cli/|runner/|simulator/|cuda_|cuda\\.h|cupti|nvml"},
      {"simulator", "imgui|GLFW|ui/|cli/|runner/|cupti"},
      {"ui", "cuda|cupti|nvtx|nvml|runner/|simulator/|cli/"},
      {"cli", "cuda|cupti|nvtx|nvml|imgui|GLFW|runner/|simulator/|ui/"}};
  for (const auto& [layer, forbidden] : rules) {
    const fs::path folder = source / "workbench" / layer;
    if (!fs::exists(folder)) continue;
    for (const std::string& line : forbidden_includes(folder, forbidden)) FAIL_CHECK(line);
  }
  SUCCEED();
}

TEST_CASE("a kernel file includes its contract and nothing else of ours", "[core][layers]") {
  int files = 0;
  for (const char* part : {"kernels", "solutions"}) {
    if (!fs::exists(source / part)) continue;
    for (const std::string& line : forbidden_includes(source / part, "runner/|core/|\\.\\."))
      FAIL_CHECK(line);
    for (const auto& entry : fs::recursive_directory_iterator(source / part))
      files += entry.path().extension() == ".cu";
  }
  CHECK(files > 0);
}

TEST_CASE("the programs without CUDA link none of its libraries", "[core][layers]") {
  for (const char* program : {"klab", "klab-workbench"}) {
    const fs::path binary = fs::path(KLAB_BINARY_DIR) / "bin" / program;
    if (!fs::exists(binary)) continue;
    const auto run = klab::run_process({.command = {"readelf", "-d", binary.string()}});
    REQUIRE(run);
    REQUIRE(run->exit_code == 0);
    INFO(run->out);
    CHECK(run->out.find("NEEDED") != std::string::npos);
    for (const char* library : {"libcuda", "libcupti", "libnvperf", "libnvidia"})
      CHECK(run->out.find(library) == std::string::npos);
  }
}

TEST_CASE("every header of core compiles alone", "[core][layers][slow]") {
  std::string all;
  int headers = 0;
  for (const auto& entry : fs::directory_iterator(source / "workbench" / "core")) {
    if (entry.path().extension() != ".hpp") continue;
    ++headers;
    const auto run =
        klab::run_process({.command = {"g++", "-std=c++20", "-fsyntax-only", "-x", "c++", "-I",
                                       (source / "workbench").string(), "-include",
                                       entry.path().string(), "/dev/null"}});
    REQUIRE(run);
    INFO(entry.path().string() << "\n" << run->err);
    CHECK(run->exit_code == 0);
  }
  CHECK(headers > 10);
}
