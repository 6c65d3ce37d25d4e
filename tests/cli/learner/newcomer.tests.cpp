// A newcomer's first lab on the terminal, without a GPU: the real course, the real simulator.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
namespace fs = std::filesystem;

namespace {

/// The labs as they are, for a learner of the test's own.
struct Newcomer {
  Newcomer() {
    for (const char* part : {"labs", "kernels", "solutions"})
      fs::create_directory_symlink(fs::path(KLAB_SOURCE_DIR) / part, folder.path() / part);
  }

  /// What the verb says, to standard output and error; it must end with this code.
  std::string klab(std::vector<std::string> words, int code = 0) const {
    words.insert(words.begin(), {Program::program(), "--root", folder.path().string()});
    const auto result = run_process(
        {.command = words, .environment = {{"CUDA_VISIBLE_DEVICES", ""}}, .time_limit_s = 600});
    REQUIRE(result);
    const std::string said = result->out + result->err;
    UNSCOPED_INFO(said);
    CHECK(result->exit_code == code);
    for (const char* broken : {"not collected, because", "judged below", "disk", "\xEF\xBF\xBD"})
      CHECK_THAT(said, !Says(broken));
    return said;
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a newcomer takes lab 02 on the terminal", "[cli][newcomer][whole]") {
#ifdef __SANITIZE_ADDRESS__
  SKIP("whole labs take minutes under the sanitizers, which smaller kernels exercise as well");
#endif
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  if (!fs::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  const Newcomer i;
  CHECK_THAT(i.klab({"list"}), Says("0 of") && !Says("provisionally"));
  CHECK_THAT(i.klab({"start", "coalescing"}), Says("workbook/02_coalescing.cu"));
  CHECK_THAT(i.klab({"lesson", "coalescing"}), Says("Lesson") || Says("sector"));
  // It is right and slow; what is taught has not happened, and time is not invented.
  const std::string failing = i.klab({"check", "coalescing"}, 1);
  CHECK_THAT(failing, Says("✔ pass") && Says("✘ fail") && Says("· not here"));
  CHECK_THAT(failing, Says("klab hint"));
  CHECK_THAT(i.klab({"solution", "coalescing"}, 2), Says("--give-up"));
  CHECK_THAT(i.klab({"hint", "coalescing"}), Says("Hint 1 of"));
  CHECK_THAT(i.klab({"list"}), Says("failing"));
  fs::copy_file(i.folder.path() / "solutions/02_coalescing/fair_warp_per_row.cu",
                i.folder.path() / "workbook/02_coalescing.cu",
                fs::copy_options::overwrite_existing);
  const std::string passing = i.klab({"check", "coalescing"}, 4);
  CHECK_THAT(passing, Says("passed provisionally") && !Says("✘ fail") &&
                          Says("Next: `./klab start register-spill`"));
  CHECK_THAT(i.klab({"list"}), Says("1 provisionally") && Says("◐ passed provisionally"));
  CHECK_THAT(i.klab({"solution", "coalescing"}), Says("__global__"));
}
