// What a learner sees when a kernel never ends, takes too much memory, or is stopped: the real klab
// with the real runner.
#include <signal.h>
#include <sys/wait.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/process/child.hpp"
#include "core/process/process.hpp"
#include "support/checking.hpp"
#include "support/temporary_folder.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;

/// `klab check ARGUMENTS --backend sim`.
std::vector<std::string> check_command(const std::vector<std::string>& arguments) {
  const Tree here = tree();
  std::vector<std::string> command = {here.build / "bin" / "klab", "--root", here.root, "check"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--backend", "sim"});
  return command;
}

void require_program() {
  require_backend(Backend::simulator);
  if (!std::filesystem::exists(tree().build / "bin" / "klab")) SKIP("klab is not built");
}

/// The check's JSON; it must end by itself, with this exit code.
nlohmann::json checked(const std::vector<std::string>& arguments, int exit_code) {
  auto command = check_command(arguments);
  command.push_back("--json");
  const auto run = run_process({.command = command, .time_limit_s = 300});
  REQUIRE(run);
  CAPTURE(run->out, run->err);
  CHECK_FALSE(run->timed_out);
  CHECK(run->signal == 0);
  CHECK(run->exit_code == exit_code);
  const auto json = nlohmann::json::parse(run->out, nullptr, false);
  REQUIRE(json.is_object());
  REQUIRE(json["errors"].size() == 1);
  return json;
}

/// The gate of that name.
nlohmann::json gate(const nlohmann::json& result, const std::string& name) {
  for (const auto& gate : result["gates"])
    if (gate["name"] == name) return gate;
  return {};
}

/// The fields of /proc/PID/stat after the program's name: state, parent, ...; empty without it.
std::vector<std::string> process_state(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text;  // stays empty where it ends between the opening and the reading
  std::getline(in, text);
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  return {std::istream_iterator<std::string>(fields), {}};
}

bool is_running(pid_t pid) {
  const auto state = process_state(pid);
  return !state.empty() && state[0] != "Z";
}

/// The runner that klab started, once it has computed for a while; -1 if none does.
pid_t busy_runner(pid_t klab) {
  constexpr std::size_t parent = 1, user_ticks = 11;
  for (const auto deadline = Clock::now() + 60s; Clock::now() < deadline;
       std::this_thread::sleep_for(20ms))
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t pid = std::atoi(entry.path().filename().c_str());
      const auto state = pid > 0 ? process_state(pid) : std::vector<std::string>();
      if (state.size() <= user_ticks || state[parent] != std::to_string(klab)) continue;
      std::ifstream name("/proc/" + std::to_string(pid) + "/comm");
      std::string program;
      std::getline(name, program);
      if (program == "klab-runner-sim" && std::stol(state[user_ticks]) >= 5) return pid;
    }
  return -1;
}

/// An endless check with a budget beyond reach, which `signal` then ends.
struct Stopped {
  std::string out;
  int status = 0;
  bool left_runner = false;
};

Stopped stop_endless_check(int signal) {
  auto child = spawn({.command = check_command({"5", "--variant", "wrong_endless_wait", "--budget",
                                                "1000000000000000000"})});
  REQUIRE(child);
  const pid_t runner = busy_runner(child->pid);
  const auto sent = Clock::now();
  ::kill(child->pid, signal);
  Stopped stopped;
  while (::waitpid(child->pid, &stopped.status, WNOHANG) == 0 && Clock::now() < sent + 60s)
    std::this_thread::sleep_for(5ms);
  char buffer[4096];
  for (ssize_t got = 0; (got = ::read(child->out.get(), buffer, sizeof buffer)) > 0;)
    stopped.out.append(buffer, static_cast<std::size_t>(got));
  REQUIRE(runner > 0);
  while (is_running(runner) && Clock::now() < sent + 60s) std::this_thread::sleep_for(5ms);
  stopped.left_runner = is_running(runner);
  if (stopped.left_runner) ::kill(runner, SIGKILL);
  return stopped;
}

}  // namespace

TEST_CASE("A kernel that never ends is stopped by its budget, with its name and line",
          "[simulator][bounds]") {
  require_program();
  const auto result = checked({"5", "--variant", "wrong_endless_wait", "--budget", "100000"}, 1);
  CHECK(gate(result, "correct")["verdict"] == "fail");
  const auto& error = result["errors"][0];
  CHECK(error["code"] == "hang");
  const std::string what = error["what"];
  CHECK_THAT(what, ContainsSubstring("'(anonymous namespace)::spread_all(Args)' was stopped"));
  CHECK_THAT(what, ContainsSubstring("wrong_endless_wait.cu line "));
  CHECK_THAT(what, ContainsSubstring("budget of 100000 warp instructions"));
  // It waits for what nobody will do, however long.
  CHECK_THAT(error["remedy"].get<std::string>(), !ContainsSubstring("--budget"));
}

TEST_CASE("Ctrl-C ends a long launch and leaves no process behind", "[simulator][bounds]") {
  require_program();
  const Stopped stopped = stop_endless_check(SIGINT);
  CAPTURE(stopped.out);
  REQUIRE(WIFEXITED(stopped.status));
  CHECK(WEXITSTATUS(stopped.status) == 130);
  CHECK_FALSE(stopped.left_runner);
  CHECK_THAT(stopped.out, ContainsSubstring("Stopped: nothing is proven"));
}

TEST_CASE("A klab that is killed takes its runner with it", "[simulator][bounds]") {
  require_program();
  const Stopped stopped = stop_endless_check(SIGKILL);
  CHECK(WIFSIGNALED(stopped.status));
  CHECK_FALSE(stopped.left_runner);
}

TEST_CASE("A kernel file that allocates more than there is is told so, and nothing is killed",
          "[simulator][bounds]") {
  require_program();
  const TemporaryFolder folder;
  const auto file = folder.path() / "greedy.cu";
  std::ofstream(file) << "#include \"contract.cuh\"\n"
                         "void launch(const Args&, cudaStream_t) {\n"
                         "  void* memory = nullptr;\n"
                         "  while (cudaMalloc(&memory, 1ull << 38) == cudaSuccess) {}\n"
                         "}\n";
  const auto result = checked({"2", "--file", file}, 4);
  CHECK(gate(result, "correct")["verdict"] == "not checkable here");
  const auto& error = result["errors"][0];
  CHECK(error["code"] == "out_of_memory");
  const std::string what = error["what"];
  CHECK_THAT(what, ContainsSubstring("cudaErrorMemoryAllocation"));
  CHECK_THAT(what, ContainsSubstring("bytes of simulated memory are in use"));
}
