// Loading of kernel files: what is missing is said before anything runs.
#include "runner/device/shared_object.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "runner/device/runner_error.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The error with which loading `library` as a kernel file fails, and the variant it blames.
std::pair<Error, VariantName> loading_error(const std::string& library) {
  try {
    runner::Plugin(VariantName::mine, library);
  } catch (const runner::RunnerError& failure) {
    return {failure.error(), failure.variant()};
  }
  FAIL("it was loaded: " << library);
  return {};
}

}  // namespace

TEST_CASE("a kernel file without launch is refused by name", "[runner][shared_object]") {
  const auto [error, variant] = loading_error(KLAB_NO_LAUNCH);
  CHECK(error.code == ErrorCode::bad_plugin);
  CHECK_THAT(error.what, ContainsSubstring("launch"));
  CHECK_THAT(shell_words(error.remedy), ContainsSubstring("contract.cuh"));
  CHECK(variant == VariantName::mine);
}

TEST_CASE("a kernel file that cannot be loaded is refused with the loader's words",
          "[runner][shared_object]") {
  const auto [missing, blamed] = loading_error("/nowhere/there/is/none.so");
  CHECK(missing.code == ErrorCode::bad_plugin);
  CHECK_THAT(missing.detail, ContainsSubstring("none.so"));
  CHECK(blamed == VariantName::mine);
  // Found at loading, not when the missing function is called in the middle of a measurement.
  const Error undefined = loading_error(KLAB_MISSING_SYMBOL).first;
  CHECK_THAT(undefined.what, ContainsSubstring("`nobody_defines_this`"));
  CHECK_THAT(shell_words(undefined.remedy), ContainsSubstring("Define it"));
}

TEST_CASE("a workload library without its factory is refused", "[runner][shared_object]") {
  try {
    runner::load_workload(KLAB_NO_LAUNCH);
    FAIL("it was loaded");
  } catch (const runner::RunnerError& failure) {
    CHECK(failure.error().code == ErrorCode::bad_plugin);
    CHECK_THAT(shell_words(failure.error().remedy), ContainsSubstring("klab_make_workload"));
  }
}
