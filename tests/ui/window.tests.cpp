// The real program in a real window under Xvfb, driven by keys and mouse.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "fixture.hpp"

namespace klab::ui {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A child process, ended with the object.
class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(open("/dev/null", O_WRONLY), 2);
      execvp(argv[0], argv.data());
      _exit(127);
    }
  }
  ~Child() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The exit code if it ended within `limit`.
  std::optional<int> wait(Clock::duration limit) {
    const auto until = Clock::now() + limit;
    int status = 0;
    while (Clock::now() < until) {
      if (waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      std::this_thread::sleep_for(5ms);
    }
    return std::nullopt;
  }

 private:
  pid_t pid_ = -1;
};

std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), read);
  pclose(pipe);
  return text;
}

/// An X server of its own, and a workbench in it.
class Desktop {
 public:
  Desktop() {
    int ends[2];
    if (pipe(ends) != 0) return;
    // Without -noreset the server starts over whenever its last client leaves, as xdotool does, and
    // drops a window that is just connecting.
    server_.emplace(std::vector<std::string>{"Xvfb", "-noreset", "-displayfd",
                                             std::to_string(ends[1]), "-screen", "0",
                                             "1280x1024x24", "-nolisten", "tcp"});
    close(ends[1]);
    char text[16] = {};
    if (read(ends[0], text, sizeof text - 1) > 0) display_ = ":" + std::to_string(std::atoi(text));
    close(ends[0]);
    setenv("DISPLAY", display_.c_str(), 1);
  }
  ~Desktop() { unsetenv("DISPLAY"); }

  bool usable() const { return !display_.empty(); }
  void key(const std::string& name) const { output_of("xdotool key --delay 30 " + name); }
  void click(int x, int y) const {
    output_of("xdotool mousemove " + std::to_string(x) + " " + std::to_string(y) +
              " sleep 0.1 mousedown 1 sleep 0.1 mouseup 1");
  }
  /// The title of our window, empty before it is there.
  std::string title() const {
    return output_of("xdotool search --onlyvisible --name 'Kernel Lab' getwindowname");
  }
  /// Presses a key until the title holds `words`: without a window manager the first key after the
  /// window appears may find no focus. Only for keys that do no harm twice.
  bool press_until(const std::string& name, const std::string& words) const {
    for (int i = 0; i < 4; ++i) {
      key(name);
      if (title_holds(words, 3s)) return true;
    }
    return false;
  }
  bool title_holds(const std::string& words, Clock::duration limit = 10s) const {
    const auto until = Clock::now() + limit;
    while (Clock::now() < until) {
      if (title().find(words) != std::string::npos) return true;
      std::this_thread::sleep_for(50ms);
    }
    UNSCOPED_INFO("title is: " << title());
    return false;
  }

 private:
  std::string display_;
  std::optional<Child> server_;
};

std::vector<std::string> workbench(std::vector<std::string> more) {
  std::vector<std::string> all{KLAB_WORKBENCH};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

struct Root {
  SampleCourse course;
  Root() { setenv("KLAB_ROOT", course.root().c_str(), 1); }
  ~Root() { unsetenv("KLAB_ROOT"); }
};

}  // namespace

TEST_CASE("The window links no CUDA library", "[ui][window]") {
  const std::string needed = output_of("readelf -d " KLAB_WORKBENCH);
  REQUIRE(needed.find("libglfw") != std::string::npos);
  for (const char* library : {"libcuda", "libcudart", "libcupti", "libnvrtc", "libnvidia"})
    CHECK(needed.find(library) == std::string::npos);
}

TEST_CASE("Without a display the program says so and exits 4", "[ui][window]") {
  const Root root;
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const std::string said = output_of(KLAB_WORKBENCH " 2>&1; echo code $?");
  CHECK(said.find("The window cannot open") != std::string::npos);
  CHECK(said.find("klab list") != std::string::npos);
  CHECK(said.find("code 4") != std::string::npos);
}

TEST_CASE("Wrong options are a sentence and exit code 2", "[ui][window]") {
  for (const char* options : {"--size 12", "--size 1280x800x", "--theme pink", "--nonsense",
                              "--replay /absent.jsonl --screenshot x.png"})
    CHECK(output_of(std::string(KLAB_WORKBENCH) + " " + options + " >/dev/null 2>&1; echo $?") ==
          "2\n");
}

TEST_CASE("A window is driven by keys and mouse and closes during a hanging check",
          "[ui][window]") {
  const Root root;
  Desktop desktop;
  REQUIRE(desktop.usable());
  Child window(workbench({"--replay", recording_path("hanging").string(), "--scale", "1"}));
  REQUIRE(desktop.title_holds("checking 02-coalescing"));
  REQUIRE(desktop.press_until("Escape", "not checkable"));
  desktop.click(120, 191);
  CHECK(desktop.title_holds("01-divergence"));
  CHECK(desktop.press_until("ctrl+4", "04-fusion"));
  output_of("xdotool search --onlyvisible --name 'Kernel Lab' windowsize 640 480");
  desktop.key("F1");
  desktop.key("Escape");
  desktop.key("F5");
  CHECK(desktop.title_holds("checking 04-fusion"));
  desktop.key("ctrl+2");
  CHECK(desktop.title_holds("02-coalescing - Kernel Lab - checking 04-fusion"));
  desktop.key("ctrl+q");
  CHECK(window.wait(5s) == 0);
}

TEST_CASE("A real check without a GPU ends in words, not in a crash", "[ui][window]") {
  const Root root;
  Desktop desktop;
  REQUIRE(desktop.usable());
  Child window(workbench({"--lab", "2", "--scale", "1"}));
  REQUIRE(desktop.title_holds("02-coalescing"));
  desktop.key("F5");
  std::this_thread::sleep_for(300ms);
  desktop.key("3");
  desktop.key("2");
  desktop.key("F5");
  const auto journal = root.course.root() / "workbook" / "journal.jsonl";
  std::string kept;
  for (int i = 0; i < 200 && kept.find("\"attempt\"") == std::string::npos; ++i) {
    std::this_thread::sleep_for(100ms);
    std::ifstream file(journal);
    kept.assign(std::istreambuf_iterator<char>(file), {});
  }
  CHECK(kept.find("prediction") != std::string::npos);
  CHECK(kept.find("\"attempt\"") != std::string::npos);
  desktop.key("ctrl+q");
  CHECK(window.wait(5s) == 0);
}

TEST_CASE("Screenshots are written for each page, and the first frame comes soon", "[ui][window]") {
  const Root root;
  Desktop desktop;
  REQUIRE(desktop.usable());
  const auto folder = std::filesystem::path(KLAB_BINARY_DIR) / "screenshots";
  std::filesystem::create_directories(folder);
  for (const std::string page : {"lesson", "code", "result", "occupancy", "journal"}) {
    const auto image = folder / (page + ".png");
    std::filesystem::remove(image);
    const std::string said =
        output_of(std::string(KLAB_WORKBENCH) + " --statistics --page " + page + " --replay " +
                  recording_path("passed").string() + " --screenshot " + image.string());
    INFO(said);
    CHECK(said.find("first frame after") == 0);
    CHECK(std::filesystem::file_size(image) > 10000);
    std::printf("%s: %s", page.c_str(), said.c_str());
  }
}

}  // namespace klab::ui
