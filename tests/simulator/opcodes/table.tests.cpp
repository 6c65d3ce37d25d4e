// The table of opcodes in docs is what the interpreter implements.
#include <fmt/format.h>

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "simulator/program/encoder.hpp"

using namespace klab::sim;

namespace table_tests {
namespace {

std::string table() {
  std::string out =
      "# PTX opcodes of the simulator\n\n"
      "Written by the test \"The table of opcodes in docs is current\" (with `KLAB_UPDATE_DOCS=1` "
      "set);\n"
      "do not edit. A kernel that executes any other form is stopped there, by opcode and source "
      "line;\n"
      "one that only holds it runs, and so do other kernels.\n\n"
      "## Implemented\n\n| opcode | forms |\n|---|---|\n";
  std::string_view last;
  for (const Opcode& opcode : all_opcodes()) {
    if (opcode.name == last) {
      out.erase(out.size() - 3);
      out += fmt::format("; {} |\n", opcode.forms);
    } else {
      out += fmt::format("| `{}` | {} |\n", opcode.name, opcode.forms);
    }
    last = opcode.name;
  }
  out += "\n## Refused\n\n| opcode | why |\n|---|---|\n";
  for (const Opcode& opcode : refused_opcodes())
    out += fmt::format("| `{}` | {} |\n", opcode.name, opcode.forms);
  return out;
}

}  // namespace

TEST_CASE("The table of opcodes in docs is current", "[simulator][docs]") {
  const std::string path = std::string(KLAB_SOURCE_DIR) + "/docs/simulator-opcodes.md";
  if (std::getenv("KLAB_UPDATE_DOCS") != nullptr) std::ofstream(path) << table();
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == table());
}

}  // namespace table_tests
