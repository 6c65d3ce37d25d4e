// Reading with a bound, writing as a whole, and what is said when it fails.
#include "core/base/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>

#include <iterator>
#include <thread>
#include <vector>

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
  const auto itself = read_file(folder.path());
  REQUIRE_FALSE(itself);
  CHECK_THAT(itself.error().what, ContainsSubstring("is a folder"));
  CHECK(shell_words(itself.error().remedy).find("space") == std::string::npos);
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

TEST_CASE("a full device is said as a sentence", "[core][files]") {
  // /dev/full fails every write with ENOSPC: a real full disk, as far as write() is concerned.
  if (::access("/dev/full", W_OK) != 0) SKIP("no /dev/full on this system");
  const auto written = write_file("/dev/full", "new");
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().what, ContainsSubstring("No space left"));
  CHECK_THAT(shell_words(written.error().remedy), ContainsSubstring("Free some space"));
}

TEST_CASE("a text that does not fit leaves the old one, and no half file", "[core][files]") {
  const TemporaryFolder folder;
  folder.write("kept", "old");
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{4096, before.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = write_file(folder.path() / "kept", std::string(10'000, 'x'));
  const auto made = write_new_file(folder.path() / "new", std::string(10'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  REQUIRE_FALSE(written);
  CHECK_FALSE(made);
  CHECK_THAT(shell_words(written.error().remedy), ContainsSubstring("ulimit -f"));
  CHECK(folder.read("kept") == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("every failure of a file has a remedy that fits", "[core][files]") {
  CHECK_THAT(shell_words(io_error("write", "/x", EROFS).remedy), ContainsSubstring("read-only"));
  CHECK_THAT(shell_words(io_error("write", "/x", EACCES).remedy), ContainsSubstring("chmod"));
  CHECK_THAT(shell_words(io_error("write", "/x", ENOSPC).remedy), ContainsSubstring("space"));
  CHECK_THAT(shell_words(io_error("read", "/x", ELOOP).remedy), ContainsSubstring("Links"));
  CHECK_THAT(shell_words(io_error("read", "/x", ENOTDIR).remedy), ContainsSubstring("is a file"));
  CHECK_THAT(shell_words(io_error("read", "/x", ENAMETOOLONG).remedy),
             ContainsSubstring("shorter"));
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

TEST_CASE("a file that is not there speaks of no full disk", "[core][files]") {
  const auto missing = read_file("/nowhere/kernel.cu");
  REQUIRE_FALSE(missing);
  CHECK_THAT(shell_words(missing.error().remedy), ContainsSubstring("spelling"));
  CHECK(shell_words(missing.error().remedy).find("space") == std::string::npos);
}

TEST_CASE("a pipe is written to and stays a pipe", "[core][files]") {
  const TemporaryFolder folder;
  const auto pipe = folder.path() / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto unread = write_file(pipe, "text");
  REQUIRE_FALSE(unread);
  CHECK_THAT(shell_words(unread.error().remedy), ContainsSubstring("start its reader"));
  const Descriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  for (const auto& write : {write_file, append_to_file}) {
    REQUIRE(write(pipe, "text"));
    char text[8] = {};
    CHECK(::read(reader.get(), text, sizeof text) == 4);
    CHECK(std::string(text) == "text");
  }
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("a device is written to and stays a device", "[core][files]") {
  const TemporaryFolder folder;
  const auto device = folder.path() / "null";
  if (::mknod(device.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    SKIP("only root makes devices, and not everywhere");
  if (::access(device.c_str(), W_OK) != 0) SKIP("devices have no effect in this file system");
  const auto link = folder.path() / "link";
  std::filesystem::create_symlink("null", link);
  for (const auto& path : {device, link}) {
    const auto written = write_file(path, "text");
    // A file system may be mounted without devices: then it is an error, and nothing else.
    if (!written) CHECK_THAT(written.error().what, ContainsSubstring("Permission denied"));
    CHECK(std::filesystem::is_character_file(std::filesystem::symlink_status(device)));
    CHECK(std::filesystem::is_symlink(std::filesystem::symlink_status(link)));
  }
}

TEST_CASE("a link is followed and stays a link, also where it leads to no file yet",
          "[core][files]") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "there");
  std::filesystem::create_symlink("there/file", folder.path() / "second");
  std::filesystem::create_symlink(folder.path() / "second", folder.path() / "first");
  for (const std::string text : {"one", "two"}) {
    REQUIRE(write_file(folder.path() / "first", text));
    CHECK(folder.read("there/file") == text);
    CHECK(std::filesystem::is_symlink(folder.path() / "first"));
    CHECK(std::filesystem::is_symlink(folder.path() / "second"));
  }
  CHECK_FALSE(write_new_file(folder.path() / "first", "new"));
  CHECK(folder.read("there/file") == "two");
  std::filesystem::create_symlink("circle", folder.path() / "circle");
  CHECK_FALSE(write_file(folder.path() / "circle", "text"));
}

TEST_CASE("a stranger's link in a folder for everybody is refused", "[core][files]") {
  const TemporaryFolder folder;
  const auto shared = folder.path() / "shared";
  std::filesystem::create_directory(shared);
  folder.write("precious", "mine");
  std::filesystem::create_symlink("../precious", shared / "report");
  if (::lchown((shared / "report").c_str(), 4711, 4711) != 0) SKIP("only root gives links away");
  ::chmod(shared.c_str(), 01777);
  const auto written = write_file(shared / "report", "overwritten");
  REQUIRE_FALSE(written);
  CHECK_THAT(written.error().what, ContainsSubstring("link"));
  CHECK(folder.read("precious") == "mine");
}

TEST_CASE("a replaced file keeps who may read it", "[core][files]") {
  const TemporaryFolder folder;
  const auto path = folder.write("secret", "old");
  ::chmod(path.c_str(), 0640);
  const bool given = ::chown(path.c_str(), 4711, 4712) == 0;
  REQUIRE(write_file(path, "new"));
  struct stat facts {};
  REQUIRE(::stat(path.c_str(), &facts) == 0);
  CHECK((facts.st_mode & 07777) == 0640);
  if (given) CHECK(facts.st_uid == 4711);
}

TEST_CASE("what a killed writer left is gone with the next write, what one works at stays",
          "[core][files]") {
  const TemporaryFolder folder;
  folder.write(".klab-draft-abcdefghijkl", "half");
  const auto held = folder.write(".klab-draft-mnopqrstuvwx", "half");
  const Descriptor writer(::open(held.c_str(), O_WRONLY));
  REQUIRE(::flock(writer.get(), LOCK_EX) == 0);
  REQUIRE(write_file(folder.path() / "file", "text"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / ".klab-draft-abcdefghijkl"));
  CHECK(std::filesystem::exists(held));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

TEST_CASE("threads that write one file leave one text, whole, and no drafts", "[core][files]") {
  const TemporaryFolder folder;
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 25; ++round)
        if (!write_file(folder.path() / "file", std::string(5000, static_cast<char>('a' + i))))
          ++failures;
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  const std::string text = folder.read("file");
  CHECK(text == std::string(5000, text.at(0)));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}
