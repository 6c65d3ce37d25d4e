// A child process can end in many ways; none of them may hang, flood or lose what was said before.
#include "core/process/process.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <thread>

#include "core/process/process_control.hpp"
#include "core/process/run_delay.hpp"

using namespace klab;
using Catch::Matchers::ContainsSubstring;

namespace {
ProcessRequest shell(const std::string& script) {
  return {.command = {"/bin/sh", "-c", script}, .time_limit_s = 120};
}
/// So long a child sleeps that must be ended: no busy machine delays its end as much.
constexpr double child_s = 1000;
/// How long a child may say nothing: a busy machine delays its words, and is then given more time.
constexpr double silences_s[] = {0.5, 2, 8, 32};
}  // namespace

TEST_CASE("a child's output, errors and exit code come back", "[core][process]") {
  const auto run = run_process(shell("echo out; echo err >&2; exit 7"));
  REQUIRE(run);
  CHECK(run->out == "out\n");
  CHECK(run->err == "err\n");
  CHECK(run->exit_code == 7);
  CHECK(run->signal == 0);
}

TEST_CASE("input reaches the child, and a child that never reads it does not block us",
          "[core][process]") {
  auto request = shell("cat");
  request.input = std::string(300'000, 'x');
  request.capture_limit_bytes = 1 << 20;
  CHECK(run_process(request)->out.size() == 300'000);
  request = shell("exit 3");
  request.input = std::string(10'000'000, 'x');
  CHECK(run_process(request)->exit_code == 3);
}

TEST_CASE("a descriptor that is handed over is the child's, and no longer ours",
          "[core][process]") {
  std::array<int, 2> ends{};
  REQUIRE(::pipe2(ends.data(), O_CLOEXEC) == 0);
  const Descriptor reading(ends[0]);
  ProcessControl control;
  control.hand_over(Descriptor(ends[1]));
  auto request = shell("echo handed >&4");
  request.control = &control;
  control.close_input();
  REQUIRE(run_process(request)->exit_code == 0);
  std::array<char, 16> read{};
  CHECK(::read(reading.get(), read.data(), read.size()) == 7);
  CHECK(std::string_view(read.data(), 7) == "handed\n");
  CHECK(::read(reading.get(), read.data(), read.size()) == 0);  // nobody holds the other end

  request = shell("echo handed 2>/dev/null >&4");
  CHECK(run_process(request)->exit_code != 0);
}

TEST_CASE("records arrive line by line on descriptor 3, apart from what is printed",
          "[core][process]") {
  auto request = shell("echo noise; printf 'one\\ntwo\\nhalf' >&3");
  request.with_records = true;
  std::vector<std::string> lines;
  const auto run = run_process(request, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  REQUIRE(run);
  CHECK(lines == std::vector<std::string>{"one", "two"});  // an unfinished line is not a record
  CHECK(run->out == "noise\n");
}

TEST_CASE("records may arrive on standard output, and silence ends a child that should speak",
          "[core][process]") {
  auto request = shell("echo one; echo two; sleep 1000");
  request.records_on_output = true;
  std::vector<std::string> lines;
  for (const double limit_s : silences_s) {
    request.silence_limit_s = limit_s;
    lines.clear();
    const auto run = run_process(request, [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    });
    REQUIRE(run);
    CHECK(run->out.empty());
    CHECK(run->fell_silent);
    CHECK_FALSE(run->timed_out);
    if (lines.size() == 2) break;
  }
  CHECK(lines == std::vector<std::string>{"one", "two"});
}

TEST_CASE("a child that speaks often enough may take longer than it may be silent",
          "[core][process]") {
  bool fell_silent = true;
  for (const double limit_s : silences_s) {
    auto request = shell("for i in 1 2 3 4 5 6 7 8 9 10; do echo; sleep " +
                         std::to_string(limit_s / 8) + "; done");
    request.records_on_output = true;
    request.silence_limit_s = limit_s;
    const auto run = run_process(request);
    REQUIRE(run);
    fell_silent = run->fell_silent;
    if (!fell_silent) break;
  }
  CHECK_FALSE(fell_silent);
}

TEST_CASE("a child over its time limit is killed with everything it started", "[core][process]") {
  auto request = shell("sleep 1000 & sleep 1000");
  request.time_limit_s = 0.2;
  const auto run = run_process(request);
  REQUIRE(run);
  CHECK(run->timed_out);
  CHECK(run->seconds < child_s);
}

namespace {
/// Everything that is started meanwhile shares one processor.
class OneProcessor {
 public:
  OneProcessor() {
    ::sched_getaffinity(0, sizeof before_, &before_);
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    CPU_SET(first, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { ::sched_setaffinity(0, sizeof before_, &before_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t before_{};
};
}  // namespace

TEST_CASE("what a child waits for a processor that others have is no part of its time limit",
          "[core][process]") {
  if (run_delay(::getpid()).count() == 0) SKIP("this kernel does not tell how long one waits");
  const OneProcessor shared;
  const std::string work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done";
  const auto alone = run_process(shell(work));
  REQUIRE(alone);
  REQUIRE(alone->out == "done\n");
  auto among_others = shell("for k in 1 2 3 4 5 6 7; do (while :; do :; done) & done; " + work);
  among_others.time_limit_s = 2 * alone->seconds;
  const auto run = run_process(among_others);
  REQUIRE(run);
  CHECK_FALSE(run->timed_out);
  CHECK(run->out == "done\n");
}

TEST_CASE("a grandchild that keeps the pipes open does not keep us waiting", "[core][process]") {
  const auto run = run_process(shell("setsid sleep 1000 & echo done"));
  REQUIRE(run);
  CHECK(run->out == "done\n");
  CHECK(run->exit_code == 0);
  CHECK_FALSE(run->timed_out);
}

TEST_CASE("a flood of output is cut in the middle and says so", "[core][process]") {
  auto request = shell("echo first; head -c 5000000 /dev/zero | tr '\\0' y; echo last");
  request.capture_limit_bytes = 10'000;
  const auto run = run_process(request);
  REQUIRE(run);
  CHECK(run->out.size() < 11'000);
  CHECK(run->out.starts_with("first\n"));
  CHECK(run->out.ends_with("last\n"));
  CHECK_THAT(run->out, ContainsSubstring("bytes of output left out"));
  CHECK(run->left_out_bytes == 5'000'011 - 10'000);
}

TEST_CASE("a record line without end comes as its beginning, later ones still arrive",
          "[core][process]") {
  auto request = shell("head -c 6000000 /dev/zero | tr '\\0' y >&3; printf '\\nnext\\n' >&3");
  request.with_records = true;
  std::vector<std::string> lines;
  const auto run = run_process(request, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  REQUIRE(run);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0] == std::string(longest_line_bytes + 1, 'y'));
  CHECK(lines[1] == "next");
}

TEST_CASE("a child whose lines are refused is ended at once", "[core][process]") {
  auto request = shell("while :; do echo garbage >&3; done");
  request.with_records = true;
  int lines = 0;
  const auto run = run_process(request, [&](std::string_view) { return ++lines < 3; });
  REQUIRE(run);
  CHECK(lines == 3);
  CHECK(run->was_refused);
  CHECK_FALSE(run->timed_out);
}

TEST_CASE("a signal is told from an exit code and named", "[core][process]") {
  const auto run = run_process(shell("kill -SEGV $$"));
  REQUIRE(run);
  CHECK(run->signal == SIGSEGV);
  CHECK(describe_signal(run->signal) == "signal 11 (Segmentation fault)");
}

TEST_CASE("another thread can cancel a child", "[core][process]") {
  std::atomic<bool> canceled = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    canceled = true;
  });
  const auto run = run_process(shell("sleep 1000"), {}, &canceled);
  other.join();
  REQUIRE(run);
  CHECK(run->was_canceled);
  CHECK(run->seconds < child_s);
}

TEST_CASE("a program that does not exist is an error with a remedy", "[core][process]") {
  const auto run = run_process({.command = {"/no/such/program"}});
  REQUIRE_FALSE(run);
  CHECK(run.error().code == ErrorCode::io);
  CHECK_THAT(run.error().what, ContainsSubstring("/no/such/program"));
  CHECK_FALSE(run.error().remedy.empty());
}
