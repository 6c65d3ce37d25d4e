// The house holds: who may include what, how full a room is, and which libraries the programs
// without CUDA link.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/files.hpp"
#include "core/process/process.hpp"
#include "support/passed_before.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path source = KLAB_SOURCE_DIR;

/// The rooms of a layer from the ground up; those side by side share a floor. A room's folders
/// belong to it unless they are named. An include stays on its floor or goes down.
using Floors = std::vector<std::vector<std::string>>;
const std::map<std::string, Floors> house = {
    {"core",
     {{"base"},
      {"process"},
      {"verdict"},
      {"measure"},
      {"course"},
      {"diagnosis"},
      {"build", "build/calls"},
      {"build/draft"},
      {"timeline"},
      {"wire"},
      {"timing"},
      {"judge"},
      {"journal"},
      {"check"},
      {"record"},
      {"record/random/write"},
      {"record/random"},
      {"lesson"},
      {"admission"},
      {"investigate"}}},
    {"runner",
     {{"workload"},
      {"device"},
      {"memory"},
      {"problem"},
      {"phases", "verify", "measurement"},
      {"cupti"},
      {"gpu", "simulated"},
      {"main"}}},
    {"ui",
     {{"words"},
      {"edit"},
      {"look"},
      {"window"},
      {"model"},
      {"background"},
      {"session"},
      {"replay"},
      {"text"},
      {"pages"},
      {"app"}}},
    {"cli",
     {{"terminal"},
      {"views"},
      {"verbs"},
      {"investigate"},
      {"learner"},
      {"course", "elsewhere"},
      {"main"}}},
};
/// Headers that only their own room includes.
const std::set<std::string> inner_headers = {
    "core/build/draft/cuda_tokens.hpp",  "core/journal/svg_plot.hpp",      "core/judge/gates.hpp",
    "core/measure/catalogue/tables.hpp", "core/wire/remote_client.hpp",    "ui/session/desk.hpp",
    "ui/session/draft_store.hpp",        "ui/session/journal_reading.hpp", "ui/session/library.hpp",
};
constexpr int most_files = 20;  ///< in a room: what one look takes in

bool is_code(const fs::path& path) {
  const auto kind = path.extension();
  return kind == ".hpp" || kind == ".cpp" || kind == ".cu" || kind == ".cuh";
}

/// The code of a folder, relative to it.
std::vector<std::string> code_in(const fs::path& folder) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (is_code(entry.path())) found.push_back(fs::relative(entry.path(), folder).string());
  std::sort(found.begin(), found.end());
  return found;
}

/// What `path` includes with quotes, in order.
std::vector<std::string> includes_of(const fs::path& path) {
  static const std::regex pattern("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  std::vector<std::string> found;
  std::ifstream file(path);
  std::smatch match;
  for (std::string line; std::getline(file, line);)
    if (std::regex_search(line, match, pattern)) found.push_back(match[1]);
  return found;
}

/// Every `#include` in a folder that matches `forbidden`, as "file: line".
std::vector<std::string> forbidden_includes(const fs::path& folder, const std::string& forbidden) {
  const std::regex pattern("^\\s*#\\s*include\\s*[<\"](" + forbidden + ")");
  std::vector<std::string> found;
  for (const std::string& name : code_in(folder)) {
    std::ifstream file(folder / name);
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, pattern)) found.push_back((folder / name).string() + ": " + line);
  }
  return found;
}

/// The floor of a file of a layer, from 0; -1 if its room is on none.
int floor_of(const Floors& floors, const fs::path& file) {
  for (fs::path room = file.parent_path(); !room.empty(); room = room.parent_path())
    for (std::size_t floor = 0; floor < floors.size(); ++floor)
      if (std::count(floors[floor].begin(), floors[floor].end(), room.string())) return floor;
  return -1;
}

/// The room of a file below `workbench`: a folder on a floor of its layer, or its own folder.
std::string room_of(const fs::path& file) {
  const std::string layer = file.begin()->string();
  const auto floors = house.find(layer);
  for (fs::path room = file.parent_path(); room != layer && floors != house.end();
       room = room.parent_path())
    for (const auto& floor : floors->second)
      if (std::count(floor.begin(), floor.end(), room.lexically_relative(layer).string()))
        return room.string();
  return file.parent_path().string();
}

/// For each header of ours all others that it includes, directly or through one of them.
std::map<std::string, std::set<std::string>> headers_and_what_they_reach() {
  std::map<std::string, std::set<std::string>> reached;
  const std::function<void(const std::string&)> visit = [&](const std::string& header) {
    if (reached.contains(header)) return;
    std::set<std::string>& all = reached[header];
    for (const std::string& next : includes_of(source / "workbench" / header)) {
      if (!fs::exists(source / "workbench" / next)) continue;
      visit(next);
      all.insert(next);
      all.insert(reached[next].begin(), reached[next].end());
    }
  };
  for (const std::string& name : code_in(source / "workbench"))
    if (fs::path(name).extension() == ".hpp") visit(name);
  return reached;
}

/// All headers of ours in rows, each header after some that it includes itself. What compiles in
/// such a row compiles alone: nothing stands before it that it does not bring along. A row takes
/// the compiler hardly longer than its last header.
std::vector<std::vector<std::string>> rows_of_headers() {
  const auto reached = headers_and_what_they_reach();
  const auto fewer = [&](const std::string& one, const std::string& other) {
    return reached.at(one).size() < reached.at(other).size();
  };
  std::set<std::string> left;
  for (const auto& [header, others] : reached)
    if (fs::path(header).extension() == ".hpp") left.insert(header);
  std::vector<std::vector<std::string>> rows;
  while (!left.empty()) {
    std::vector<std::string>& row = rows.emplace_back();
    std::set<std::string> possible = left;
    while (!possible.empty()) {
      row.push_back(*std::max_element(possible.begin(), possible.end(), fewer));
      left.erase(row.back());
      possible.clear();
      std::set_intersection(left.begin(), left.end(), reached.at(row.back()).begin(),
                            reached.at(row.back()).end(),
                            std::inserter(possible, possible.begin()));
    }
    std::reverse(row.begin(), row.end());
  }
  return rows;
}

/// All that the compiler reads of a row, its own headers and the system's aside.
klab::test::Inputs inputs_of(const std::vector<std::string>& row,
                             const std::map<std::string, std::set<std::string>>& reached) {
  std::set<std::string> all(row.begin(), row.end());
  for (const std::string& header : row)
    all.insert(reached.at(header).begin(), reached.at(header).end());
  klab::test::Inputs inputs;
  inputs.text("headers in a row").text(KLAB_CUDA_INCLUDES).text(__VERSION__);
  for (const std::string& header : row) inputs.text(header);
  for (const std::string& header : all) inputs.source(source / "workbench" / header);
  return inputs;
}

/// The rows in which a header needs another one before it, with what the compiler says: of every
/// other row, from the first (0) or the second (1) on; those that changed since all compiled.
std::string dependent_headers(std::size_t from) {
  const fs::path folder = fs::path(KLAB_BINARY_DIR) / "tests" / "headers";
  fs::create_directories(folder);
  std::string script;
  const auto rows = rows_of_headers();
  const auto reached = headers_and_what_they_reach();
  std::vector<klab::test::PassedBefore> asked;
  for (std::size_t i = from; i < rows.size(); i += 2) {
    const klab::test::PassedBefore before(inputs_of(rows[i], reached));
    if (before.said()) continue;
    asked.push_back(before);
    const std::string source_file = (folder / (std::to_string(i) + ".cpp")).string();
    std::string text;
    for (const std::string& header : rows[i]) text += "#include \"" + header + "\"\n";
    REQUIRE(klab::write_file(source_file, text));
    script += source_file + '\n';
  }
  if (asked.empty()) return {};
  const std::string compiler =
      "g++ -fsyntax-only {} -std=c++20 -I '" + (source / "workbench").string() + "' -isystem '" +
      (fs::path(KLAB_BINARY_DIR) / ".." / "deps" / "usr" / "include" / "imgui").string() +
      "' -isystem /usr/include/imgui -isystem '" KLAB_CUDA_INCLUDES "'";
  const auto run =
      klab::run_process({.command = {"xargs", "-d\\n", "-I{}", "sh", "-c", compiler + " || cat {}"},
                         .input = script,
                         .time_limit_s = 1480});
  REQUIRE(run);
  CHECK(run->exit_code == 0);
  if (!run->out.empty()) UNSCOPED_INFO(run->err);
  for (const klab::test::PassedBefore& row : asked) row.note_if_passed();
  return run->out;
}

}  // namespace

TEST_CASE("no layer includes what it must not know", "[core][layers]") {
  const std::vector<std::pair<const char*, const char*>> rules = {
      {"core", "cuda|cupti|nvtx|nvml|imgui|GLFW|runner/|simulator/|ui/|cli/"},
      {"runner", "imgui|GLFW|ui/|cli/|simulator/"},
      {"simulator", "imgui|GLFW|ui/|cli/|runner/|cupti|core/(?!verdict/finding_kind\\.hpp)"},
      {"ui", "cuda|cupti|nvtx|nvml|runner/|simulator/|cli/"},
      {"cli", "cuda|cupti|nvtx|nvml|imgui|GLFW|runner/|simulator/|ui/"}};
  for (const auto& [layer, forbidden] : rules) {
    const fs::path folder = source / "workbench" / layer;
    if (!fs::exists(folder)) continue;
    for (const std::string& line : forbidden_includes(folder, forbidden)) FAIL_CHECK(line);
  }
  SUCCEED();
}

TEST_CASE("an include stays on its floor or goes down", "[core][layers]") {
  for (const auto& [layer, floors] : house) {
    const fs::path folder = source / "workbench" / layer;
    for (const std::string& name : code_in(folder)) {
      INFO(layer << "/" << name);
      const int here = floor_of(floors, name);
      CHECK(here >= 0);
      for (const std::string& header : includes_of(folder / name)) {
        if (!header.starts_with(layer + "/")) continue;
        INFO("includes " << header);
        CHECK(floor_of(floors, header.substr(layer.size() + 1)) <= here);
      }
    }
  }
}

TEST_CASE("inner headers are included by their own room alone", "[core][layers]") {
  std::set<std::string> seen;
  for (const std::string& name : code_in(source / "workbench")) {
    for (const std::string& header : includes_of(source / "workbench" / name)) {
      if (!inner_headers.contains(header)) continue;
      INFO(name << " includes " << header);
      CHECK(room_of(name) == room_of(header));
      seen.insert(header);
    }
  }
  CHECK(seen == inner_headers);
}

TEST_CASE("no room holds more files than one look takes in", "[core][layers]") {
  std::map<std::string, int> files;
  for (const char* house : {"workbench", "tests"})
    for (const std::string& name : code_in(source / house))
      ++files[(house / fs::path(name).parent_path()).string()];
  for (const auto& [room, count] : files) {
    INFO(room << " holds " << count);
    CHECK(count <= most_files);
  }
}

TEST_CASE("each source includes its own header first", "[core][layers]") {
  int sources = 0;
  for (const std::string& name : code_in(source / "workbench")) {
    const fs::path path = source / "workbench" / name;
    const std::string header = fs::path(name).replace_extension(".hpp").string();
    if (path.extension() == ".hpp" || path.extension() == ".cuh" ||
        !fs::exists(source / "workbench" / header))
      continue;
    const auto includes = includes_of(path);
    INFO(name);
    REQUIRE(!includes.empty());
    CHECK(includes.front() == header);
    ++sources;
  }
  CHECK(sources > 100);
}

TEST_CASE("core and runner leave it to terminal and window to name a verb", "[core][layers]") {
  // Beside the shell's words: an example of what to type.
  const std::set<std::string> named = {"core/base/advice.cpp", "core/admission/skeleton.cpp"};
  for (const char* layer : {"core", "runner"})
    for (const std::string& name : code_in(source / "workbench" / layer)) {
      if (named.contains(layer + ("/" + name))) continue;
      std::ifstream file(source / "workbench" / layer / name);
      for (std::string line; std::getline(file, line);) {
        INFO(layer << "/" << name << ": " << line);
        const bool comment = line.find("//") < line.find("`./klab");
        CHECK((comment || line.find("`./klab") == line.npos));
      }
    }
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

TEST_CASE("no reference into ImGui's storage is kept: the next value that joins moves it",
          "[core][layers]") {
  const std::regex reference("Get(Bool|Int|Float|VoidPtr)Ref\\(");
  int files = 0;
  for (const std::string& name : code_in(source / "workbench/ui")) {
    std::ifstream file(source / "workbench/ui" / name);
    for (std::string line; std::getline(file, line);)
      if (std::regex_search(line, reference)) FAIL_CHECK(name + ": " + line);
    ++files;
  }
  CHECK(files > 100);
}

TEST_CASE(
    "what the user's environment says is read where a program begins, and passed on as values",
    "[core][layers]") {
  // Each file that reads or sets a variable, by its reason.
  const std::set<std::string> readers = {
      "core/base/tree.cpp",          // once for all layers
      "core/base/tree.hpp",          //
      "core/process/process.cpp",    // PATH, as the system does when it starts a program
      "cli/terminal/output.cpp",     // what the terminal is
      "cli/terminal/terminal.cpp",   //
      "cli/learner/doctor.cpp",      // whether there is a display
      "ui/look/theme.cpp",           // where fonts are
      "ui/session/draft_store.cpp",  // where the user keeps state
      "ui/window/window.cpp",        // whether there is a display
      "runner/main/closed_room.cpp",
      "runner/main/injection.cpp",
      "simulator/api/program_report.cpp"};
  const std::set<std::string> setters = {// for a runner with an open room
                                         "cli/terminal/output.cpp",        // for less
                                         "runner/gpu/timeline_cupti.cpp",  // for NVTX
                                         "ui/window/window.cpp"};  // for the drivers that draw
  const std::set<std::string> finders = {"core/base/tree.cpp", "core/base/tree.hpp",
                                         "cli/terminal/context.cpp", "runner/main/main.cpp",
                                         "ui/app/main.cpp"};
  const auto users = [](const char* pattern) {
    const std::regex call(pattern);
    std::set<std::string> found;
    for (const std::string& name : code_in(source / "workbench")) {
      std::ifstream file(source / "workbench" / name);
      for (std::string line; std::getline(file, line);)
        if (std::regex_search(line, call)) found.insert(name);
    }
    return found;
  };
  CHECK(users("\\b(getenv|environment)\\(") == readers);
  CHECK(users("\\b(setenv|putenv)\\(") == setters);
  CHECK(users("\\bfind_tree\\(") == finders);
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

// By halves, which two processors take at once.
TEST_CASE("every header compiles alone, of every other row", "[core][layers][slow]") {
  CHECK(dependent_headers(0) == "");
}

TEST_CASE("every header compiles alone, of the other rows", "[core][layers][slow]") {
  CHECK(dependent_headers(1) == "");
}

TEST_CASE("the rows hold every header", "[core][layers]") {
  std::size_t headers = 0;
  for (const auto& row : rows_of_headers()) headers += row.size();
  CHECK(headers > 300);
}
