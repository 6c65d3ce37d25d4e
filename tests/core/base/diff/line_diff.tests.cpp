// The change between two texts is complete: applied to the first it gives the second.
#include "core/base/diff/line_diff.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <random>

#include "core/process/process.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;

namespace {

std::string random_text(std::mt19937& random) {
  std::string text;
  const int lines = static_cast<int>(random() % 30);
  for (int i = 0; i < lines; ++i)
    text += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
  return text;
}

}  // namespace

TEST_CASE("a change is shown with three lines around it", "[core][line_diff]") {
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  CHECK(unified_diff(before, before).empty());
  CHECK(unified_diff("", "").empty());
  CHECK(unified_diff(before, "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  CHECK(unified_diff("", "a\n") == "@@ -0,0 +1,1 @@\n+a\n");
  CHECK(unified_diff("a\n", "") == "@@ -1,1 +0,0 @@\n-a\n");
}

TEST_CASE("patch(1) makes the second text of the first", "[core][line_diff]") {
  if (std::system("command -v patch >/dev/null 2>&1") != 0) SKIP("patch is not installed");
  std::mt19937 random(7);
  const TemporaryFolder folder;
  for (int i = 0; i < 40; ++i) {
    const std::string before = random_text(random), after = random_text(random);
    const std::string change = unified_diff(before, after, 10000);
    CAPTURE(before, after, change);
    if (change.empty()) {
      CHECK(before == after);
      continue;
    }
    folder.write("file", before);
    const auto patched = run_process(
        {.command = {"patch", "--batch", "--no-backup-if-mismatch", "-o",
                     (folder.path() / "out").string(), (folder.path() / "file").string()},
         .input = "--- a\n+++ b\n" + change,
         .time_limit_s = 100});
    REQUIRE(patched);
    CAPTURE(patched->out, patched->err);
    REQUIRE(patched->exit_code == 0);
    CHECK(folder.read("out") == after);
  }
}

TEST_CASE("a change that is too long is cut and says so", "[core][line_diff]") {
  std::string after;
  for (int i = 0; i < 50; ++i) after += std::to_string(i) + "\n";
  const std::string change = unified_diff("", after, 10);
  CHECK(split_lines(change).size() == 11);
  CHECK(change.find("\\ 41 more lines are not shown.") != std::string::npos);
}

TEST_CASE("versions of a long file are compared line by line", "[core][line_diff]") {
  std::vector<std::string> left(50000, "x"), right = left;
  right[25000] = "y";
  const auto rows = line_diff(left, right);
  REQUIRE(rows.size() == 50000);
  CHECK_FALSE(rows[25000].same);
  CHECK(rows[25001].same);
}
