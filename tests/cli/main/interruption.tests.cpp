// Ctrl-C while nvcc works: one sentence, exit status 130, and JSON that is whole.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "cli/program.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Runs the verb with a compiler that interrupts klab, as Ctrl-C would, and never ends by itself.
ProcessResult interrupted(const Program& klab, const std::string& verb) {
  const std::string pid = (klab.folder.path() / "pid").string();
  // Once: a second Ctrl-C ends klab at once.
  const auto nvcc = klab.folder.write(
      "toolkit/bin/nvcc",
      "#!/bin/sh\n[ \"$1\" != --version ] || { echo 'release 13.0, V13.0.88'; exit; }\n"
      "mv '" +
          pid + "' '" + pid + ".taken' && kill -INT \"$(cat '" + pid +
          ".taken')\"\n"
          "exec sleep 600\n");
  std::filesystem::permissions(nvcc, std::filesystem::perms::owner_all);
  klab.folder.write("build/toolkit.json",
                    R"({"root":")" + (klab.folder.path() / "toolkit").string() + "\"}");
  return klab.run_command({"sh", "-c",
                           "echo $$ > '" + pid + "'; exec '" + Program::program() + "' --root '" +
                               klab.folder.path().string() + "' " + verb});
}

}  // namespace

TEST_CASE("a build that is stopped says so once, and lists what it built", "[cli][build]") {
  const Program klab;
  const auto build = interrupted(klab, "build");
  CHECK(build.exit_code == 130);
  CHECK_THAT(build.err, Says("error: The build was stopped."));
  CHECK(build.err.find("stopped") == build.err.rfind("stopped"));
  CHECK(build.out.find("failed") == std::string::npos);
  const auto json = interrupted(klab, "build --json");
  CHECK(json.exit_code == 130);
  CHECK(parse(json.out)[0]["status"] == "stopped");
}

TEST_CASE("facts that are stopped are no failure of the file, also as JSON", "[cli][facts]") {
  const Program klab;
  const auto facts = interrupted(klab, "facts 2 --variant flawed --json");
  CHECK(facts.exit_code == 130);
  CHECK(parse(facts.out)["error"]["code"] == "canceled");
}
