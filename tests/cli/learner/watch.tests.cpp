// Checking until it is stopped: watch, and Ctrl-C in a check.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <string>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;

TEST_CASE("watch checks at once and after every save, until Ctrl-C", "[cli][watch]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const std::string file = (klab.folder.path() / "workbook/02_coalescing.cu").string();
  std::string command;
  for (const std::string& word : klab.with_program({"watch", "2", "--backend", "gpu"}))
    command += "'" + word + "' ";
  // Each act waits for what it is to follow, however long that takes here.
  const std::string out = (klab.folder.path() / "out").string();
  const auto until = [&](int verdicts) {
    return "until [ \"$(grep -c ' UTC$' '" + out + "')\" = " + std::to_string(verdicts) +
           " ]; do sleep 0.05; done; ";
  };
  const auto result = klab.run_command(
      {"sh", "-c",
       command + ">'" + out + "' & watch=$!; " + until(1) + "echo '// saved' >> '" + file + "'; " +
           until(2) + "touch '" + file + "'; sleep 1; kill -INT $watch; wait $watch; code=$?; " +
           "cat '" + out + "'; exit $code"});
  CHECK(result.exit_code == 0);
  std::size_t verdicts = 0;
  for (std::size_t at = 0; (at = result.out.find(" UTC\n", at)) != std::string::npos; ++at)
    ++verdicts;
  // The start and the save; touching without a change is none.
  CHECK(verdicts == 2);
}

TEST_CASE("watch tells once that there is nothing to check, and goes on when there is",
          "[cli][watch]") {
  const Program klab;
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const std::string file = (klab.folder.path() / "workbook/02_coalescing.cu").string();
  const std::string out = (klab.folder.path() / "out").string();
  std::string command;
  for (const std::string& word : klab.with_program({"watch", "2", "--backend", "gpu"}))
    command += "'" + word + "' ";
  const auto until = [&](const std::string& words) {
    return "until grep -q '" + words + "' '" + out + "'; do sleep 0.05; done; ";
  };
  const auto result = klab.run_command(
      {"sh", "-c",
       command + ">'" + out + "' 2>&1 & watch=$!; " + until(" UTC$") + "mv '" + file + "' '" +
           file + ".away'; " + until("No such file") + ": >'" + file + "'; sleep 1; " +
           "printf '// back' >'" + file + "'; until [ \"$(grep -c ' UTC$' '" + out +
           "')\" = 2 ]; do sleep 0.05; done; kill -INT $watch; wait $watch; cat '" + out + "'"});
  std::size_t told = 0;
  for (std::size_t at = 0; (at = result.out.find("warning:", at)) != std::string::npos; ++at)
    ++told;
  CHECK(told == 1);
}

TEST_CASE("a check that is stopped says so, and shows no gates that it did not come to",
          "[cli][check]") {
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const std::string built = KLAB_BINARY_DIR;
  if (!std::filesystem::exists(built + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  const Program klab;
  // A build folder of its own, in which the first thing that a check does is seen.
  std::filesystem::create_directories(klab.build);
  for (const std::string part : {"/bin", "/simulator"})
    std::filesystem::create_directory_symlink(built + part, klab.build + part);
  const auto result = klab.run_command(
      {"sh", "-c",
       "'" + Program::program() +
           "' --root '" KLAB_SOURCE_DIR
           "/tests/fixtures' check scale --variant flawed --backend sim & check=$!; "
           "until [ -d '" +
           klab.build +
           "/plugins' ]; do sleep 0.02; done; "
           "kill -INT $check; wait $check"});
  CHECK(result.exit_code == 130);
  CHECK_THAT(result.out, Says("Stopped: nothing is proven") && !Says("not here"));
}
