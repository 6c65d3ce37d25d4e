// What clangd is told of the learner's files.
#include "core/build/editor_settings.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/course/workbook.hpp"
#include "core/process/process.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("clangd is told of every lab's contract, and a file of the learner's own is left alone",
          "[core][editor]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  write_lab(folder, "03_spill");
  const Tree tree{folder.path(), folder.path() / "build"};
  const Course course = load_course(folder.path());
  REQUIRE(write_editor_settings(tree, course));
  const std::string written = folder.read("workbook/.clangd");
  for (const char* lab : {"02_coalescing", "03_spill"})
    CHECK_THAT(written, ContainsSubstring(std::string("PathMatch: ") + lab + "\\.cu") &&
                            ContainsSubstring("-I" + (folder.path() / "labs" / lab).string()));
  // What klab wrote follows the course; what the learner wrote stays.
  folder.write("workbook/.clangd", written.substr(0, written.size() / 2));
  REQUIRE(write_editor_settings(tree, course));
  CHECK(folder.read("workbook/.clangd") == written);
  folder.write("workbook/.clangd", "CompileFlags: {}\n");
  REQUIRE(write_editor_settings(tree, course));
  CHECK(folder.read("workbook/.clangd") == "CompileFlags: {}\n");
}

TEST_CASE("clangd finds the contract of a started lab", "[core][editor]") {
  const auto found = run_process({.command = {"sh", "-c", "command -v clangd"}});
  if (!found || found->exit_code != 0) SKIP("no clangd");
  const TemporaryFolder folder;
  for (const char* part : {"labs", "kernels", "solutions"})
    std::filesystem::copy(std::filesystem::path(KLAB_SOURCE_DIR) / "tests" / "fixtures" / part,
                          folder.path() / part, std::filesystem::copy_options::recursive);
  const Tree tree{folder.path(), folder.path() / "build"};
  const Course course = load_course(folder.path());
  REQUIRE_FALSE(course.labs.empty());
  REQUIRE(start_lab(course.labs.front()));
  const auto diagnosed = [&] {
    auto run = run_process(
        {.command = {"clangd", "--check=" + workbook_file(course.labs.front()).string()},
         .folder = (folder.path() / "workbook").string(),
         .time_limit_s = 60});
    REQUIRE(run);
    return run->err;
  };
  const std::string missing = "unknown type name 'Args'";
  CHECK_THAT(diagnosed(), ContainsSubstring(missing));
  REQUIRE(write_editor_settings(tree, course));
  CHECK(diagnosed().find(missing) == std::string::npos);
}
