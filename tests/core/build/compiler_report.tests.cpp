// Reading nvcc: messages with file and line, and the report of ptxas.
#include <catch2/catch_test_macros.hpp>

#include "core/build/demangle.hpp"
#include "core/build/plugin_builder.hpp"

using namespace klab;

TEST_CASE("nvcc's and g++'s messages give file, line, severity and text", "[core][compiler]") {
  const auto messages = parse_compiler_messages(
      "/w/02_coalescing.cu(7): error: identifier \"thread\" is undefined\n"
      "    int i = thread.x;\n            ^\n\n"
      "/w/02_coalescing.cu(9): warning #177-D: variable \"j\" was declared but never referenced\n"
      "/w/a.cu:12:3: fatal error: nothing.h: No such file or directory\n"
      "ptxas error   : Entry function 'k' uses too much shared data\n"
      "1 error detected in the compilation of \"/w/02_coalescing.cu\".\n");
  REQUIRE(messages.size() == 4);
  CHECK(messages[0].file == "/w/02_coalescing.cu");
  CHECK(messages[0].line == 7);
  CHECK(messages[0].severity == Severity::error);
  CHECK(messages[0].text == "identifier \"thread\" is undefined");
  CHECK(messages[1].severity == Severity::warning);
  CHECK(messages[2].line == 12);
  CHECK(messages[3].file == "ptxas");
}

TEST_CASE("the report of ptxas gives registers, stack, spills and shared memory of each kernel",
          "[core][compiler]") {
  const auto kernels = parse_ptxas_report(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z5heavyPfi' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z5heavyPfi\n"
      "    504 bytes stack frame, 1992 bytes spill stores, 2348 bytes spill loads\n"
      "ptxas info    : Used 32 registers, used 0 barriers, 504 bytes cumulative stack size\n"
      "ptxas info    : Compiling entry function '_Z5lightPf' for 'sm_90'\n"
      "ptxas info    : Function properties for _Z5lightPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 1 barriers, 4224 bytes smem\n");
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].kernel == "heavy(float*, int)");
  CHECK(kernels[0].registers == 32);
  CHECK(kernels[0].stack_bytes == 504);
  CHECK(kernels[0].spill_store_bytes == 1992);
  CHECK(kernels[0].spill_load_bytes == 2348);
  CHECK(kernels[1].kernel == "light(float*)");
  CHECK(kernels[1].static_shared_bytes == 4224);
  CHECK(kernels[1].spill_load_bytes == 0);
}

TEST_CASE("a message without a line is a message all the same", "[core][compiler]") {
  const auto messages = parse_compiler_messages(
      "At end of source: error: expected a \"}\"\n"
      "ptxas fatal   : Unresolved extern function '_Z1fi'\n"
      "nvcc fatal   : Unknown option '-x'\n");
  REQUIRE(messages.size() == 3);
  for (const CompilerMessage& message : messages) CHECK(message.severity == Severity::error);
  CHECK(messages[0].text == "At end of source: expected a \"}\"");
  CHECK(place_of(messages[0]).empty());
  CHECK(place_of(messages[1]) == "ptxas");
  CHECK(place_of({"k.cu", 7, Severity::error, "x"}) == "k.cu:7");
}

TEST_CASE("a kernel's name may be of any length, and hides none of its spills",
          "[core][compiler]") {
  for (const std::size_t length : {100u, 4096u, 300'000u}) {
    const std::string name = "_Z" + std::to_string(length) + std::string(length, 'k') + "Pf";
    const auto kernels = parse_ptxas_report(
        "ptxas info    : Compiling entry function '" + name +
        "' for 'sm_90'\n"
        "ptxas info    : Function properties for " +
        name +
        "\n    504 bytes stack frame, 1992 bytes spill stores, 2348 bytes spill loads\n"
        "ptxas info    : Used 32 registers, used 0 barriers\n");
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].spill_store_bytes == 1992);
    CHECK(kernels[0].stack_bytes == 504);
    CHECK(kernels[0].registers == 32);
  }
}

TEST_CASE("a tool's message names functions as the source does", "[core][compiler]") {
  CHECK(with_demangled_names("ptxas error   : Entry function '_ZN4deep5scaleILi1EEEvPf' uses too "
                             "much shared data (0x13880 bytes, 0xc000 max)\n") ==
        "ptxas error   : Entry function 'void deep::scale<1>(float*)' uses too much shared data "
        "(0x13880 bytes, 0xc000 max)\n");
  for (const std::string own : {"", "_Z", "_Zebra stripes\n", "my_Z1fi", "no name\tat all"})
    CHECK(with_demangled_names(own) == own);
}
