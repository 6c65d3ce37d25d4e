// However the real window ends, it ends soon and loses no work.
#include <sys/mount.h>

#include <catch2/catch_test_macros.hpp>

#include "ui/support/trouble.hpp"

namespace klab::ui {
namespace {

/// A folder that nobody may write to, not even root where the host allows a mount.
class ReadOnly {
 public:
  explicit ReadOnly(fs::path folder) : folder_(std::move(folder)), mounted_(::geteuid() == 0) {
    if (mounted_)
      done_ = ::mount(folder_.c_str(), folder_.c_str(), nullptr, MS_BIND, nullptr) == 0 &&
              ::mount(nullptr, folder_.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY,
                      nullptr) == 0;
    else
      done_ = ::chmod(folder_.c_str(), 0500) == 0;
  }
  ~ReadOnly() {
    mounted_ ? ::umount2(folder_.c_str(), MNT_DETACH) : ::chmod(folder_.c_str(), 0700);
  }
  ReadOnly(const ReadOnly&) = delete;
  ReadOnly& operator=(const ReadOnly&) = delete;
  explicit operator bool() const { return done_; }

 private:
  fs::path folder_;
  bool mounted_, done_ = false;
};

/// What the program says, with its exit code, when it does these acts in a window that is seen.
std::string acted(const Course& course, const std::string& acts) {
  const auto script = course.root() / "acts.klab";
  std::ofstream(script) << acts;
  return output_of("timeout 300 " KLAB_WORKBENCH " --show --script " + script.string() +
                   " 2>&1; echo code $?");
}

const std::string endless = "read -r request\n" + hello + device + "sleep 600\n";

}  // namespace

TEST_CASE(
    "Ctrl+Q in the middle of a check ends it at once, loses nothing and leaves nothing running",
    "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const fs::path runs = course.root() / "runs";
  fs::create_directory(runs);
  const FakeRunner runner(course.root(), ": > " + runs.string() + "/$$\n" + endless);
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  const Desktop& desktop = open.desktop;
  CHECK(desktop.press_until("F5", "checking"));
  type_into_editor(course, desktop, "typedhere");
  const std::string kernel = text_of(course.mine());
  open.quit();
  CHECK(text_of(course.mine()) == kernel);
  CHECK(holds(course.drafts(), "typedhere"));
  int started = 0;
  for (const auto& entry : fs::directory_iterator(runs)) {
    ++started;
    // What was killed may take its time to go, and whoever inherits it to bury it.
    const auto status = "/proc" / entry.path().filename() / "status";
    CHECK(comes_true(
        [&] {
          const std::string state = text_of(status);
          return state.empty() || state.find("State:\tZ") != std::string::npos;
        },
        60s));
  }
  CHECK(started > 0);
}

TEST_CASE("Quitting while a lab is investigated ends it at once and keeps what was typed",
          "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const FakeRunner runner(course.root(), endless);
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const std::string said =
      acted(course,
            "open 2\nkey F4\ninvestigate timeline\nwait 0.5\nexpect investigating\n"
            "type typedhere\nexpect investigating\nquit\n");
  CHECK(said.starts_with("What you typed for 02-coalescing is not saved. It is kept as "));
  CHECK(said.ends_with("\ncode 0\n"));
  CHECK(text_of(course.mine()).find("typedhere") == std::string::npos);
  CHECK(holds(course.drafts(), "typedhere"));
}

TEST_CASE("Quitting while the ceilings are measured ends it at once", "[ui][robust]") {
  const Course course;
  const FakeRunner runner(course.root(), "read -r request\n" + hello + device +
                                             "case $request in *ceilings*) sleep 600;; esac\n"
                                             "echo '{\"type\":\"done\"}' >&3\n");
  const Desktop desktop;
  REQUIRE(desktop.usable());
  CHECK(acted(course,
              "open 2\npage device\nwait done\nkey M\nexpect measuring the ceilings\nquit\n") ==
        "code 0\n");
}

TEST_CASE("A window that is told to end keeps what was typed until then", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const FakeRunner runner(course.root(), endless);
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    CAPTURE(signal);
    const std::string words = "signal" + std::to_string(signal);
    OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
    type_into_editor(course, open.desktop, words);
    // The keys have reached the window's connection, whether or not it has looked there.
    ::kill(open.window->pid(), signal);
    CHECK(open.window->wait(60s) == 128 + signal);
    CHECK(holds(course.drafts(), words));
    CHECK(text_of(course.mine()).find("signal") == std::string::npos);
  }
}

TEST_CASE("A display that goes away takes nothing with it that was typed", "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const Desktop desktop;
  REQUIRE(desktop.usable());
  const auto script = course.root() / "typing.klab";
  // The picture says that what was typed has arrived.
  std::ofstream(script) << "open 2\nkey F4\ntype typedhere\nscreenshot typed.png\nwait 600\n";
  Child window(workbench({"--show", "--script", script.string()}));
  REQUIRE(comes_true([&] { return fs::exists(course.root() / "typed.png"); }, 60s));
  desktop.end();
  CHECK(window.wait(60s) == 1);
  CHECK(holds(course.drafts(), "typedhere"));
}

TEST_CASE("In a workbook that cannot be written the window works, and what was typed is kept",
          "[ui][robust]") {
  const Course course;
  course.start_second_lab();
  const std::string kernel = text_of(course.mine());
  const ReadOnly workbook(course.mine().parent_path());
  if (!workbook) SKIP("no folder can be made read-only here: root takes a host that allows mounts");
  OpenWorkbench open({"--lab", "2", "--size", "1024x768"}, "02-coalescing");
  type_into_editor(course, open.desktop, "typedhere");
  CHECK(comes_true([&] { return holds(course.root() / "state", "typedhere"); }, 60s));
  CHECK(open.desktop.press_until("ctrl+4", "04-fusion"));
  CHECK(open.desktop.press_until("ctrl+2", "02-coalescing"));
  open.quit();
  CHECK(holds(course.root() / "state", "typedhere"));
  CHECK(text_of(course.mine()) == kernel);
}

}  // namespace klab::ui
