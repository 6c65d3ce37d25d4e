// Reading with a bound, writing as a whole, and what is said when it fails.
#include "core/base/files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("what was written is read back, byte by byte", "[core][files]") {
  const TemporaryFolder folder;
  const std::string text("a\0b\n\xff", 5);
  REQUIRE(write_file(folder.path() / "deep/er/file", text));
  CHECK(*read_file(folder.path() / "deep/er/file") == text);
  REQUIRE(write_file(folder.path() / "deep/er/file", "short"));
  CHECK(*read_file(folder.path() / "deep/er/file") == "short");
}

TEST_CASE("a file longer than the bound is refused", "[core][files]") {
  const TemporaryFolder folder;
  const auto path = folder.write("long", std::string(1000, 'x'));
  CHECK(read_file(path, 1000));
  CHECK(read_file(path, 999).error().code == ErrorCode::io);
}

TEST_CASE("what is no regular file is refused at once", "[core][files]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THAT(read_file(pipe).error().what, ContainsSubstring("not a regular file"));
  CHECK_FALSE(read_file(folder.path()));
  CHECK_FALSE(read_file(folder.path() / "missing"));
}

TEST_CASE("a new file never replaces one that is there", "[core][files]") {
  const TemporaryFolder folder;
  folder.write("mine.cu", "work");
  CHECK_FALSE(write_new_file(folder.path() / "mine.cu", "other"));
  CHECK(folder.read("mine.cu") == "work");
  std::filesystem::create_symlink(folder.path() / "elsewhere", folder.path() / "link");
  CHECK_FALSE(write_new_file(folder.path() / "link", "other"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / "elsewhere"));
}

TEST_CASE("a full disk is said as a sentence and leaves no half file", "[core][files]") {
  // /dev/full fails every write with ENOSPC: a real full disk, as far as write() is concerned.
  if (::access("/dev/full", W_OK) != 0) SKIP("no /dev/full on this system");
  const TemporaryFolder folder;
  folder.write("kept", "old");
  const auto draft = folder.path().string() + "/kept.new-" + std::to_string(::getpid());
  std::filesystem::create_symlink("/dev/full", draft);
  const auto written = write_file(folder.path() / "kept", "new");
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().what, ContainsSubstring("No space left"));
  CHECK_THAT(written.error().remedy, ContainsSubstring("Free some space"));
  CHECK(folder.read("kept") == "old");
  CHECK_FALSE(std::filesystem::is_symlink(draft));
}

TEST_CASE("every failure of a file has a remedy that fits", "[core][files]") {
  CHECK_THAT(io_error("write", "/x", EROFS).remedy, ContainsSubstring("read-only"));
  CHECK_THAT(io_error("write", "/x", EACCES).remedy, ContainsSubstring("chmod"));
  CHECK_THAT(io_error("write", "/x", ENOSPC).remedy, ContainsSubstring("space"));
  CHECK_FALSE(io_error("write", "/x", EIO).remedy.empty());
}

TEST_CASE("a bare file name is written where we are", "[core][files]") {
  const test::TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const auto written = write_file("bare.txt", "here");
  std::filesystem::current_path(before);
  REQUIRE(written);
  CHECK(read_file(folder.path() / "bare.txt").value() == "here");
}
