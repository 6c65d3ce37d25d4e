// The planted-bug gallery: every programming error is named by its kind and its source line.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "simulator/runtime/plugin_run.hpp"

using namespace klab::sim::test;

namespace {

struct Bug {
  std::string name;
  std::string kind;
  std::string settings = "{}";
  int line = 0;  ///< 0: the finding carries none
  bool dies = false;
  bool has_company = false;  ///< other findings describe the same mistake
};

std::string after(const std::string& line, const std::string& mark) {
  const auto at = line.find(mark);
  return at == std::string::npos ? "" : line.substr(at + mark.size());
}

Bug read_bug(const std::filesystem::path& file) {
  Bug bug;
  bug.name = file.stem();
  std::ifstream in(file);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (const auto text = after(line, "// expect: "); !text.empty()) {
      bug.kind = text.substr(0, text.find_first_of(".,"));
    }
    if (const auto text = after(line, "// settings: "); !text.empty()) bug.settings = text;
    if (line.ends_with("// BUG")) bug.line = number;
    if (line.starts_with("// dies:")) bug.dies = true;
    if (line.starts_with("// also:")) bug.has_company = true;
  }
  return bug;
}

std::vector<Bug> gallery() {
  std::vector<Bug> bugs;
  const std::filesystem::path folder = std::string(KLAB_SOURCE_DIR) + "/tests/simulator/bugs";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") bugs.push_back(read_bug(entry.path()));
  }
  return bugs;
}

/// The finding of that kind at that line (0: without a line), or null.
const nlohmann::json* find(const std::vector<nlohmann::json>& findings, const std::string& kind,
                           int line) {
  for (const auto& finding : findings) {
    if (finding.value("kind", "") == kind && finding.value("line", 0) == line) return &finding;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Every planted bug is named with its kind and its exact line", "[simulator][bugs]") {
  const std::vector<Bug> bugs = gallery();
  REQUIRE(bugs.size() >= 15);
  for (const Bug& bug : bugs) {
    DYNAMIC_SECTION(bug.name) {
      if (!has_plugin(bug.name)) SKIP("no nvcc");
      const PluginRun run = run_plugin(bug.name, "run", bug.settings);
      CAPTURE(nlohmann::json(run.findings).dump(1), run.status);
      CHECK(run.signal == (bug.dies ? SIGSEGV : 0));
      const auto* finding = find(run.findings, bug.kind, bug.line);
      REQUIRE(finding != nullptr);
      CHECK(finding->value("message", "").ends_with("."));
      if (bug.line != 0) {
        CHECK(finding->value("file", "").ends_with(bug.name + ".cu"));
        CHECK(finding->contains("kernel"));
        // A thread, or of what was put together by line, both lines.
        CHECK((finding->contains("thread") || finding->contains("other")));
      }
      if (!bug.has_company) CHECK(run.findings.size() == 1);
    }
  }
}

TEST_CASE("Both accesses of a shared-memory race are named", "[simulator][bugs]") {
  if (!has_plugin("missing_syncthreads")) SKIP("no nvcc");
  const PluginRun run = run_plugin("missing_syncthreads", "run", R"({"checks": "full"})");
  const auto* race = find(run.findings, "shared_race", 10);
  REQUIRE(race != nullptr);
  REQUIRE(race->contains("other"));
  CHECK((*race)["other"].value("line", 0) == 8);
  CHECK((*race)["other"]["thread"] != (*race)["thread"]);
}
