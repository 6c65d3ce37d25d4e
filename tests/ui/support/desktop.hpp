// Desktop: an X server of a test's own, the real window program in it, and keys and clicks for it.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "ui/support/fixture.hpp"

namespace klab::ui {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// A variable of the environment for as long as the object lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

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

  pid_t pid() const { return pid_; }
  bool alive() { return !wait(Clock::duration::zero()) && pid_ > 0; }
  /// The exit code if it ended within `limit`.
  std::optional<int> wait(Clock::duration limit) {
    const auto until = Clock::now() + limit;
    int status = 0;
    do {
      if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      }
      if (limit > Clock::duration::zero()) std::this_thread::sleep_for(5ms);
    } while (Clock::now() < until);
    return std::nullopt;
  }

 private:
  pid_t pid_ = -1;
};

inline std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (!pipe) return text;
  std::array<char, 4096> buffer{};
  while (const std::size_t read = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), read);
  pclose(pipe);
  return text;
}

/// How long a key is given to take effect before it is pressed again: one that was lost costs
/// little time, and on a busy machine one that is under way is not pressed twice for ever.
constexpr std::array patiences = {3s, 3s, 3s, 6s, 12s, 24s, 48s};

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

  /// Ends the X server, whoever still uses it.
  void end() const { server_.reset(); }
  bool usable() const { return !display_.empty(); }
  void key(const std::string& name) const { output_of("xdotool key --delay 30 " + name); }
  /// Gives a character that no keyboard has a key, for as long as the server lives. On its own
  /// xdotool gives it one for the moment of a press, and a window that is late finds none any more.
  void add_key(const std::string& keysym) const {
    output_of(R"(setxkbmap -print | sed 's/xkb_symbols.*include "[^"]*"/& key <I249> { [ )" +
              keysym + " ] };/' | xkbcomp -w0 - $DISPLAY");
  }
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
    for (const auto patience : patiences) {
      key(name);
      if (title_holds(words, patience)) return true;
    }
    return false;
  }
  bool title_holds(const std::string& words, Clock::duration limit = 60s) const {
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
  mutable std::optional<Child> server_;
};

/// True as soon as `condition` is, within `limit`.
template <class Condition>
bool comes_true(const Condition& condition, Clock::duration limit) {
  const auto until = Clock::now() + limit;
  while (Clock::now() < until) {
    if (condition()) return true;
    std::this_thread::sleep_for(50ms);
  }
  return condition();
}

/// Presses a key until `condition` is true, for the same reason as Desktop::press_until().
template <class Condition>
bool press_until_true(const Desktop& desktop, const std::string& name, const Condition& condition) {
  for (const auto patience : patiences) {
    if (condition()) break;
    desktop.key(name);
    comes_true(condition, patience);
  }
  return condition();
}

/// The program with these options.
inline std::vector<std::string> workbench(std::vector<std::string> more) {
  std::vector<std::string> all{KLAB_WORKBENCH};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The program in a desktop of its own, at scale 1 unless told otherwise.
struct OpenWorkbench {
  const Desktop desktop;
  std::optional<Child> window;

  explicit OpenWorkbench(const std::vector<std::string>& options, const std::string& title) {
    REQUIRE(desktop.usable());
    start(options, title);
  }
  void start(std::vector<std::string> options, const std::string& title) {
    options.insert(options.begin(), {"--scale", "1"});
    window.emplace(workbench(std::move(options)));
    REQUIRE(desktop.title_holds(title));
  }
  /// Milliseconds that the window computed or waited for a processor that others had.
  double busy_ms() const {
    double sum = 0;
    std::error_code gone;
    for (const auto& task : std::filesystem::directory_iterator(
             "/proc/" + std::to_string(window->pid()) + "/task", gone)) {
      std::ifstream file(task.path() / "schedstat");
      double computed_ns = 0, waited_ns = 0;
      file >> computed_ns >> waited_ns;
      sum += (computed_ns + waited_ns) / 1e6;
    }
    return sum;
  }
  /// Waits until the window has drawn what it was told and sleeps: what is clicked before then may
  /// still move. However busy the machine is, waiting for it counts as being at work.
  void settle() const {
    constexpr double asleep_ms = 5;
    CHECK(comes_true(
        [&] {
          const double before = busy_ms();
          std::this_thread::sleep_for(200ms);
          return busy_ms() - before < asleep_ms;
        },
        60s));
  }
  void quit() {
    desktop.key("ctrl+q");
    CHECK(window->wait(60s) == 0);
  }
};

}  // namespace klab::ui
