// Runs one function of a plugin on the simulator in a process of its own, and brings back the
// report.
#pragma once

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulator/api/simulator_api.h"

namespace klab::sim::test {

struct PluginRun {
  bool exited = false;
  int status = -1;  ///< what the function returned
  int signal = 0;   ///< what killed the process, if anything did
  nlohmann::json report;
  std::vector<nlohmann::json> findings;  ///< as handed over while it ran
  double seconds = 0;
};

inline bool has_plugin(const std::string& name) {
  return std::filesystem::exists(std::string(KLAB_SIM_PLUGINS) + "/" + name + ".so");
}

namespace detail {

inline int report_fd = -1;

inline void send(const char* tag, const char* text, std::size_t bytes) {
  std::string line = std::string(tag) + std::string(text, bytes) + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t sent = ::write(report_fd, line.data() + at, line.size() - at);
    if (sent <= 0) return;
    at += static_cast<std::size_t>(sent);
  }
}

/// The child's whole life. The simulator is opened first, so that the plugin's calls go to it.
[[noreturn]] inline void run_child(const std::string& plugin, const std::string& function,
                                   const std::string& settings, int repeats) {
  const auto fail = [](const char* what) {
    send("E", what, std::strlen(what));
    _exit(99);
  };
  ::signal(SIGSEGV, SIG_DFL);  // not the test framework's: a crash here is one of the plugin
  void* runtime = dlopen(KLAB_SIM_LIBRARY, RTLD_NOW | RTLD_GLOBAL);
  if (runtime == nullptr) fail(dlerror());
  const auto configure =
      reinterpret_cast<decltype(&klab_sim_configure)>(dlsym(runtime, "klab_sim_configure"));
  const auto report =
      reinterpret_cast<decltype(&klab_sim_report)>(dlsym(runtime, "klab_sim_report"));
  const auto on_finding =
      reinterpret_cast<decltype(&klab_sim_on_finding)>(dlsym(runtime, "klab_sim_on_finding"));
  if (configure(settings.c_str()) != 0) fail("settings refused");
  on_finding([](const char* json, std::size_t bytes, void*) { send("F", json, bytes); }, nullptr);
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) fail(dlerror());
  const auto run = reinterpret_cast<int (*)()>(dlsym(library, function.c_str()));
  if (run == nullptr) fail(dlerror());
  int status = 0;
  for (int i = 0; i < repeats; ++i) status = run();
  std::string text(report(nullptr, 0), '\0');
  report(text.data(), text.size());
  send("R", text.data(), text.size() - 1);
  const std::string code = std::to_string(status);
  send("S", code.data(), code.size());
  _exit(0);
}

inline std::string read_all(int fd, std::chrono::seconds limit, pid_t child) {
  std::string text;
  const auto deadline = std::chrono::steady_clock::now() + limit;
  char buffer[65536];
  while (true) {
    pollfd waiting{fd, POLLIN, 0};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) <= 0) {
      kill(child, SIGKILL);  // a hang is a failure of the test, not of the test program
      return text;
    }
    const ssize_t got = ::read(fd, buffer, sizeof buffer);
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace detail

inline PluginRun run_plugin(const std::string& name, const std::string& function,
                            const std::string& settings = "{}", int repeats = 1) {
  const std::string plugin = std::string(KLAB_SIM_PLUGINS) + "/" + name + ".so";
  int ends[2] = {-1, -1};
  PluginRun result;
  if (pipe(ends) != 0) return result;
  const auto start = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    detail::report_fd = ends[1];
    detail::run_child(plugin, function, settings, repeats);
  }
  close(ends[1]);
  const std::string text = detail::read_all(ends[0], std::chrono::seconds(60), child);
  close(ends[0]);
  int state = 0;
  waitpid(child, &state, 0);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.exited = WIFEXITED(state) && WEXITSTATUS(state) == 0;
  if (WIFSIGNALED(state)) result.signal = WTERMSIG(state);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string body = text.substr(at + 1, end - at - 1);
    if (text[at] == 'R') result.report = nlohmann::json::parse(body);
    if (text[at] == 'F') result.findings.push_back(nlohmann::json::parse(body));
    if (text[at] == 'S') result.status = std::stoi(body);
    if (text[at] == 'E') result.report = {{"problem", body}};
    at = end + 1;
  }
  return result;
}

}  // namespace klab::sim::test
