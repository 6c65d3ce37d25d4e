// Starting, resetting and replacing never lose work.
#include "core/course/workbook.hpp"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;

namespace {

/// Root may write everywhere; anybody else may not. Ends with the scope.
struct AsAnybody {
  AsAnybody() {
    if (::geteuid() == 0) REQUIRE(::seteuid(65534) == 0);
  }
  ~AsAnybody() {
    if (::getuid() == 0) REQUIRE(::seteuid(0) == 0);
  }
};

Lab example(const TemporaryFolder& folder) {
  write_lab(folder, "02_coalescing");
  auto lab = load_lab(folder.path(), "02_coalescing");
  REQUIRE(lab);
  return *lab;
}

}  // namespace

TEST_CASE("start copies the flawed kernel once and then leaves it alone", "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  CHECK(learner_file(lab) == LearnerFile::missing);
  CHECK(*start_lab(lab) == true);
  CHECK(folder.read("workbook/02_coalescing.cu") == flawed_kernel);
  CHECK(learner_file(lab) == LearnerFile::unchanged);
  folder.write("workbook/02_coalescing.cu", "my work");
  CHECK(*start_lab(lab) == false);
  CHECK(folder.read("workbook/02_coalescing.cu") == "my work");
  CHECK(learner_file(lab) == LearnerFile::changed);
}

TEST_CASE("start follows no link that lies in its way", "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  std::filesystem::create_directories(folder.path() / "workbook");
  std::filesystem::create_symlink(folder.path() / "target", workbook_file(lab));
  CHECK(*start_lab(lab) == false);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "target"));
}

TEST_CASE("reset keeps every version of the learner's file", "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  CHECK(reset_lab(lab).error().code == ErrorCode::not_started);
  REQUIRE(start_lab(lab));
  std::vector<std::filesystem::path> kept;
  for (const std::string work : {"first", "second", "third"}) {
    folder.write("workbook/02_coalescing.cu", work);
    const auto copy = reset_lab(lab);
    REQUIRE(copy);
    CHECK(folder.read(copy->lexically_relative(folder.path()).string()) == work);
    CHECK(folder.read("workbook/02_coalescing.cu") == flawed_kernel);
    kept.push_back(*copy);
  }
  CHECK(kept[0] != kept[1]);
  CHECK(kept[1] != kept[2]);
}

TEST_CASE(
    "What lies in the place of the learner's file is named, and a reset puts it aside as it is",
    "[core][workbook]") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  const fs::path file = workbook_file(lab);
  fs::create_directories(file / "inside");
  CHECK(read_learner_file(lab).error().what == file.string() + " is a folder, not a file.");
  CHECK(shell_words(read_learner_file(lab).error().remedy).find("reset") != std::string::npos);
  const auto kept_folder = reset_lab(lab);
  REQUIRE(kept_folder);
  CHECK(fs::is_directory(*kept_folder / "inside"));
  CHECK(*read_learner_file(lab) == flawed_kernel);

  fs::remove(file);
  fs::create_symlink("/nowhere/kernel.cu", file);
  CHECK(read_learner_file(lab).error().what ==
        file.string() + " is a link to /nowhere/kernel.cu, which is not there.");
  const auto kept_link = reset_lab(lab);
  REQUIRE(kept_link);
  CHECK(fs::read_symlink(*kept_link) == "/nowhere/kernel.cu");
  CHECK_FALSE(fs::is_symlink(file));
  CHECK(*read_learner_file(lab) == flawed_kernel);
}

TEST_CASE("a kernel file that may not be read asks for the right, not for another file",
          "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  REQUIRE(start_lab(lab));
  ::chmod(folder.path().c_str(), 0755);
  ::chmod(workbook_file(lab).c_str(), 0);
  std::string remedy;
  {
    const AsAnybody anybody;
    remedy = shell_words(read_learner_file(lab).error().remedy);
  }
  CHECK(remedy.find("chmod") != std::string::npos);
  CHECK(remedy.find("Put the kernel file back") == std::string::npos);
}

TEST_CASE("a workbook that cannot be written is an error and loses nothing", "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  // A file where the folder should be fails for root too.
  folder.write("workbook", "in the way");
  const auto started = start_lab(lab);
  REQUIRE_FALSE(started);
  CHECK(started.error().code == ErrorCode::io);
  CHECK_FALSE(started.error().remedy.empty());
  CHECK_FALSE(probe_workbook(folder.path()));
  CHECK(folder.read("workbook") == "in the way");
}

TEST_CASE("a read-only workbook is an error with the remedy", "[core][workbook]") {
  const TemporaryFolder folder;
  const Lab lab = example(folder);
  std::filesystem::create_directories(folder.path() / "workbook");
  ::chmod(folder.path().c_str(), 0755);
  ::chmod((folder.path() / "workbook").c_str(), 0555);
  std::string remedy;
  {
    const AsAnybody anybody;
    remedy = shell_words(start_lab(lab).error().remedy);
  }
  ::chmod((folder.path() / "workbook").c_str(), 0755);
  CHECK(remedy.find("chmod") != std::string::npos);
}
