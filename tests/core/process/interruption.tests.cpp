// Whatever ends us, nothing of a build stays: no process, no file.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <functional>
#include <thread>

#include "core/process/process.hpp"
#include "core/process/scratch_folder.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using klab::test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// Waits for what must come; a loaded machine may take its time.
bool comes(const std::function<bool()>& true_at_last) {
  for (int i = 0; i < 3000 && !true_at_last(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return true_at_last();
}

bool runs(const std::string& pid) {
  // Neither gone nor a zombie that nobody has reaped yet.
  std::ifstream file("/proc/" + pid + "/stat");
  std::string stat;  // stays empty where it ends between the opening and the reading
  std::getline(file, stat);
  const auto end = stat.rfind(')');
  return end != std::string::npos && stat.substr(end + 2, 1) != "Z";
}

void make_older(const fs::path& path, std::chrono::seconds age) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - age);
}

}  // namespace

TEST_CASE("A killed program takes along what its compiler started, and the folder of the build",
          "[core][interruption]") {
  for (const int signal : {SIGTERM, SIGHUP, SIGKILL}) {
    CAPTURE(signal);
    const TemporaryFolder folder;
    const fs::path scratch = folder.path() / "build";
    fs::create_directory(scratch);
    // A compiler that starts another one and leaves files, as nvcc does.
    const std::string script = "sleep 1000 & echo $! >" + (folder.path() / "pid.new").string() +
                               "; touch " + (scratch / "half.so").string() + "; mv " +
                               (folder.path() / "pid.new").string() + " " +
                               (folder.path() / "pid").string() + "; wait";
    const pid_t program = ::fork();
    if (program == 0) {
      ::signal(signal, SIG_DFL);
      (void)run_process({.command = {"/bin/sh", "-c", script}, .scratch = scratch.string()});
      ::_exit(0);
    }
    REQUIRE(comes([&] { return fs::exists(folder.path() / "pid"); }));
    std::string compiler = folder.read("pid");
    compiler.pop_back();
    REQUIRE(runs(compiler));
    ::kill(program, signal);
    ::waitpid(program, nullptr, 0);
    CHECK(comes([&] { return !runs(compiler); }));
    CHECK(comes([&] { return !fs::exists(scratch); }));
  }
}

TEST_CASE("A folder in use stays, one that its process could not remove goes with the next start",
          "[core][interruption]") {
  const TemporaryFolder folder;
  auto used = ScratchFolder::make(folder.path());
  REQUIRE(used);
  const fs::path left = folder.path() / "klab-scratch-abcdef";
  const fs::path new_one = folder.path() / "klab-scratch-ghijkl";
  const fs::path other = folder.path() / "not-ours";
  for (const fs::path& path : {left, new_one, other}) fs::create_directory(path);
  folder.write("klab-scratch-abcdef/half.so", "");
  for (const fs::path& path : {used->path(), left, other}) make_older(path, std::chrono::hours(24));
  fs::path second;
  {
    const auto next = ScratchFolder::make(folder.path());
    REQUIRE(next);
    second = next->path();
    CHECK(second != used->path());
    CHECK(fs::exists(used->path()));
    CHECK_FALSE(fs::exists(left));
    CHECK(fs::exists(new_one));
    CHECK(fs::exists(other));
  }
  CHECK_FALSE(fs::exists(second));
}
