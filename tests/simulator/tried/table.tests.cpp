// The table of programs that were tried, held against the runtime of today.
#include <dlfcn.h>
#include <link.h>

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

struct Row {
  std::string program, outcome, remark;
};

/// The table below each heading of docs/simulator-programs.md, and the first one, of totals, below
/// "".
std::map<std::string, std::vector<std::vector<std::string>>> tables() {
  std::map<std::string, std::vector<std::vector<std::string>>> found;
  std::ifstream document(std::string(KLAB_SOURCE_DIR) + "/docs/simulator-programs.md");
  std::string heading;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("## ")) heading = line.substr(3);
    if (!line.starts_with("| ")) continue;
    std::vector<std::string> cells;
    for (std::size_t at = 2; at < line.size();) {
      const std::size_t end = line.find(" |", at);
      if (end == std::string::npos) break;
      cells.push_back(line.substr(at, end - at));
      at = end + 3;
    }
    found[heading].push_back(cells);
  }
  return found;
}

std::vector<Row> tried_programs() {
  std::vector<Row> rows;
  for (const auto& [heading, cells] : tables())
    for (const auto& row : cells)
      if (!heading.empty() && row.size() >= 2 && row[0] != "program")
        rows.push_back({row[0], row[1], row.size() > 2 ? row[2] : ""});
  return rows;
}

/// Whether the runtime has it, rather than a stub that says that it is missing.
bool is_implemented(void* library, const std::string& function) {
  void* address = dlvsym(library, function.c_str(), "libcudart.so.13");
  Dl_info info;
  ElfW(Sym)* symbol = nullptr;
  REQUIRE(address != nullptr);
  REQUIRE(dladdr1(address, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) != 0);
  REQUIRE(symbol != nullptr);
  return ELF64_ST_BIND(symbol->st_info) != STB_WEAK;
}

}  // namespace

TEST_CASE("The table of tried programs adds up", "[simulator][docs]") {
  const auto all = tables();
  REQUIRE(all.contains(""));
  const auto& totals = all.at("");
  REQUIRE(totals.size() == all.size());  // its head, and a row for each other table
  const std::vector<std::string>& outcomes = totals.front();
  for (std::size_t i = 1; i < totals.size(); ++i) {
    CAPTURE(totals[i].front());
    REQUIRE(all.contains(totals[i].front()));
    for (std::size_t outcome = 1; outcome < outcomes.size(); ++outcome) {
      CAPTURE(outcomes[outcome]);
      int count = 0;
      for (const auto& row : all.at(totals[i].front()))
        count += row.size() > 1 && row[1] == outcomes[outcome];
      CHECK(std::to_string(count) == totals[i].at(outcome));
    }
  }
}

// Whoever adds what programs were refused for tries them again:
// tests/simulator/tried/try_programs.py.
TEST_CASE("A tried program that was refused names what is refused still",
          "[simulator][docs][whole]") {
  void* library = dlopen(KLAB_SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  REQUIRE(library != nullptr);
  CHECK(is_implemented(library, "cudaMalloc"));
  const std::regex missing(R"(^(cuda\w+) is not part of the simulated runtime)");
  const std::regex unknown(R"(: kernel .* uses call __cuda_syscall_cnpv2)");
  std::ifstream file(KLAB_SIM_LIBRARY, std::ios::binary);
  const std::string sentences(std::istreambuf_iterator<char>(file), {});
  int refused = 0;
  for (const Row& row : tried_programs()) {
    if (row.outcome != "refused") continue;
    ++refused;
    CAPTURE(row.program, row.remark);
    std::smatch found;
    if (std::regex_search(row.remark, found, missing))
      CHECK_FALSE(is_implemented(library, found[1]));
    else if (!std::regex_search(row.remark, unknown))       // what a kernel launches
      CHECK(sentences.find(row.remark) != sentences.npos);  // the runtime's own
  }
  CHECK(refused > 0);
  dlclose(library);
}
