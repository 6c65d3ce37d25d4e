// Whose fault a failed build is.
#include "core/build/nvcc.hpp"

#include <catch2/catch_test_macros.hpp>

#include "support/says.hpp"

using namespace klab;
using test::Says;

namespace {

ProcessResult failed(const std::string& log) {
  ProcessResult run;
  run.exit_code = 1;
  run.err = log;
  return run;
}

const BuildRoom roomy{"/build/plugins", 1u << 30};
const BuildRoom full{"/build/plugins", 0};

}  // namespace

TEST_CASE("a full disk is no fault of the kernel file", "[core][builder]") {
  for (const auto& [log, room] :
       {std::pair{"nvcc fatal   : Failed to preprocess host compiler properties.\n", full},
        std::pair{"as: can't write 12 bytes: No space left on device\n", roomy}}) {
    const Error error = build_error("mine.cu", failed(log), room);
    CHECK(error.code == ErrorCode::io);
    CHECK_THAT(error.what, Says("/build/plugins: No space left on device"));
    CHECK_THAT(shell_words(error.remedy), Says("Free some space"));
  }
}

TEST_CASE("a line to blame is blamed, also on a full disk", "[core][builder]") {
  const Error error = build_error("mine.cu", failed("mine.cu(3): error: expected a \";\"\n"), full);
  CHECK(error.code == ErrorCode::build_failed);
  CHECK_THAT(error.what, Says("mine.cu:3"));
}

TEST_CASE("a compiler that was killed is told with what kills it", "[core][builder]") {
  ProcessResult killed;
  killed.signal = 9;
  for (const ProcessResult& run :
       {killed, failed("nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n"),
        failed("g++: fatal error: Killed signal terminated program cc1plus\n")}) {
    const Error error = build_error("mine.cu", run, roomy);
    CHECK(error.code == ErrorCode::io);
    CHECK_THAT(shell_words(error.remedy), Says("memory"));
  }
}

TEST_CASE("a complaint of any length is told in a sentence, and kept whole for who asks",
          "[core][builder]") {
  const std::string name(200'000, 'a');
  for (const std::string& log :
       {"mine.cu(3): error: identifier \"" + name + "\" is undefined\n",
        "mine.cu: undefined reference to " + name + "\n", name + "\n",
        "ptxas error   : Entry function '" + name + "' uses too much shared data\n"}) {
    const Error error = build_error("mine.cu", failed(log), roomy);
    CHECK(error.code == ErrorCode::build_failed);
    CHECK(error.what.size() < 1000);
    CHECK_THAT(error.what, Says("aaa..."));
    CHECK(error.detail == log);
  }
}
