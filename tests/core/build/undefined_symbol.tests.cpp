// What is said of functions that are nowhere.
#include "core/build/undefined_symbol.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string remedy_for(const char* symbol) {
  return shell_words(undefined_symbol(symbol, "the loader's words").remedy);
}

}  // namespace

TEST_CASE("a function of the driver has one of the runtime in its place", "[core][build]") {
  CHECK_THAT(undefined_symbol("cuMemAlloc_v2", {}).what, ContainsSubstring("`cuMemAlloc`"));
  CHECK_THAT(remedy_for("cuMemAlloc_v2"), ContainsSubstring("cudaMalloc()"));
  CHECK_THAT(remedy_for("customers"), ContainsSubstring("Define it"));
}

TEST_CASE("a function of a library is the learner's to write", "[core][build]") {
  for (const char* symbol : {"cublasSgemm_v2", "curandGenerateUniform", "nvrtcCompileProgram"})
    CHECK_THAT(remedy_for(symbol), ContainsSubstring("Write the kernel yourself"));
}

TEST_CASE("a function that was forgotten is to be defined", "[core][build]") {
  const Error error = undefined_symbol("_Z6halvedf", "the loader's words");
  CHECK_THAT(error.what, ContainsSubstring("`halved(float)`"));
  CHECK(error.detail == "the loader's words");
  CHECK_THAT(shell_words(error.remedy), ContainsSubstring("Define it"));
}
