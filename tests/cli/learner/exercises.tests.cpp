// The learner's own files as tests of ctest: what became of each can be told from text and JUnit.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"
#include "support/says.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr int skipped = 5;

/// What ctest runs for an exercise: `right`, then `whole`.
std::vector<std::string> exercise_command(const TemporaryFolder& folder, const std::string& lab,
                                          const std::string& part) {
  return {"sh",
          std::string(KLAB_SOURCE_DIR) + "/tests/exercises/check_exercise.sh",
          Program::program(),
          folder.path().string(),
          lab,
          part,
          (folder.path() / "result").string()};
}

/// ctest over the exercises of this course, as the preset runs it; what it leaves for JUnit too.
std::string run_ctest(const TemporaryFolder& course,
                      const std::map<std::string, std::string>& environment) {
  const auto folder = course.path() / "ctest";
  course.write("ctest/CTestTestfile.cmake",
               "set(klab [==[" + Program::program() + "]==])\nset(repository [==[" +
                   course.path().string() + "]==])\nset(results [==[" + folder.string() +
                   "]==])\ninclude([==[" KLAB_SOURCE_DIR "/tests/exercises/exercises.cmake]==])\n");
  auto result = run_process({.command = {"ctest", "--test-dir", folder.string(), "--output-junit",
                                         (folder / "junit.xml").string()},
                             .environment = environment,
                             .time_limit_s = 300});
  REQUIRE(result);
  return result->out + result->err + course.read("ctest/junit.xml");
}

}  // namespace

TEST_CASE("an exercise that is not started is not run; one that cannot be checked is skipped",
          "[cli][exercises]") {
  const Program klab;
  const std::map<std::string, std::string> nowhere = {{"KLAB_BUILD", klab.build}};
  CHECK_THAT(run_ctest(klab.folder, nowhere), ContainsSubstring("No tests were found"));
  REQUIRE(klab.run({"start", "2"}).exit_code == 0);
  const std::string one = run_ctest(klab.folder, nowhere);
  CHECK_THAT(one, Says("not started = 0.00 sec*proc (1 test)"));
  CHECK_THAT(one, Says("not checkable here =") && ContainsSubstring("02_coalescing (Skipped)"));
  CHECK_THAT(one, ContainsSubstring("01_divergence (Disabled)") &&
                      ContainsSubstring("<testcase name=\"exercise: 01_divergence\" "
                                        "classname=\"exercise: 01_divergence\" time=\"0\" "
                                        "status=\"disabled\">"));
  const auto part = [&](const std::string& name) {
    return klab.run_command(exercise_command(klab.folder, "02_coalescing", name));
  };
  const auto not_checkable = part("right");
  CHECK(not_checkable.exit_code == skipped);
  CHECK_THAT(not_checkable.out, Says("Not checkable here"));
  CHECK(part("whole").exit_code == skipped);
  write_lab(klab.folder, "02_coalescing", "title = 1\n");
  CHECK(part("right").exit_code == 2);
}

TEST_CASE("an exercise that passes provisionally, one that fails and one not started differ",
          "[cli][exercises][whole]") {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
  const TemporaryFolder folder;
  std::filesystem::copy(std::string(KLAB_SOURCE_DIR) + "/tests/fixtures", folder.path(),
                        std::filesystem::copy_options::recursive);
  const auto mine = [&](const std::string& from) {
    std::filesystem::create_directories(folder.path() / "workbook");
    std::filesystem::copy(folder.path() / from, folder.path() / "workbook/01_scale.cu",
                          std::filesystem::copy_options::overwrite_existing);
  };
  // Without a GPU, whatever this machine has.
  const auto run = [&](const std::string& part) {
    auto result = run_process({.command = exercise_command(folder, "01_scale", part),
                               .environment = {{"CUDA_VISIBLE_DEVICES", ""}},
                               .time_limit_s = 300});
    REQUIRE(result);
    return *result;
  };
  mine("solutions/01_scale/optimized.cu");
  const auto right = run("right");
  CHECK(right.exit_code == 0);
  CHECK_THAT(right.out, ContainsSubstring("<CTestLabel>passed provisionally<"));
  const auto whole = run("whole");
  CHECK(whole.exit_code == skipped);
  CHECK_THAT(whole.out, Says("needs a GPU"));
  // ctest counts what was checked: here the one that is started.
  const std::string counted = run_ctest(folder, {{"CUDA_VISIBLE_DEVICES", ""}});
  CHECK_THAT(counted, Says("passed provisionally =") && Says("not started ="));

  mine("solutions/01_scale/wrong_answer.cu");
  const auto failing = run("right");
  CHECK(failing.exit_code == 1);
  CHECK_THAT(failing.out, ContainsSubstring("<CTestLabel>failed<"));
  CHECK(run("whole").exit_code == skipped);
}
