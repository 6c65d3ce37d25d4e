// Host code of a kernel file that does not return as it should.
#include <catch2/catch_test_macros.hpp>

#include "cli/kernel_check.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// What a check says of a file whose `launch` does this.
std::string checked(const Program& klab, const std::string& act) {
  const auto shown = check_source(
      klab, "check",
      "#include <cstdio>\n#include <cstdlib>\n#include <exception>\n#include <stdexcept>\n"
      "#include \"contract.cuh\"\n"
      "extern \"C\" void launch(const Args& args, cudaStream_t stream) {\n  " +
          act + "\n}\n");
  CHECK(shown.exit_code == 1);
  CHECK_THAT(shown.out, Says("→ ") && !Says("klab doctor"));
  return shown.out;
}

}  // namespace

TEST_CASE("host code that ends a check otherwise than by returning is told of, with what to do",
          "[cli][check][whole]") {
  require_simulated_checks();
  const Program klab;
  CHECK_THAT(checked(klab, "std::printf(\"so far\\n\"); std::exit(3);"),
             Says("ended the program, with exit code 3") && Says("so far"));
  CHECK_THAT(checked(klab, "std::terminate();"), Says("called abort()"));
  CHECK_THAT(checked(klab, "throw std::runtime_error(\"no luck\");"),
             Says("`launch` let an exception out: no luck."));
  CHECK_THAT(checked(klab, "throw 7;"), Says("an exception out that is no std::exception"));
}

TEST_CASE("what would end the process past all that is refused before it is run", "[cli][check]") {
  require_simulated_checks();
  const Program klab;
  for (const std::string act : {"_Exit(0);", "quick_exit(0);"})
    CHECK_THAT(checked(klab, act), Says("✘ fail      built") && Says("and returns"));
}
