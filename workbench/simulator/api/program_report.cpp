// A program that loads this runtime by itself (`klab sim`): settings from the environment, findings
// as they come, and the report when it ends.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#pragma GCC visibility push(default)
#include "simulator/api/simulator_api.h"
#pragma GCC visibility pop

namespace klab::sim {
namespace {

// The file has one JSON object a line: {"finding": ...}, {"refusal": ...} and {"message": ...} as
// they come, {"report": ...} as the last. A program that is killed leaves what was found until
// then.
struct ReportFile {
  int descriptor = -1;
  pid_t owner = 0;  // a forked child has nothing to report

  void write_line(const char* key, const char* json, std::size_t bytes) const {
    if (descriptor < 0 || getpid() != owner) return;
    const std::string line = std::string("{\"") + key + "\": " + std::string(json, bytes) + "}\n";
    std::size_t done = 0;
    while (done < line.size()) {
      const ssize_t wrote = ::write(descriptor, line.data() + done, line.size() - done);
      if (wrote <= 0) return;
      done += static_cast<std::size_t>(wrote);
    }
  }
};
ReportFile file;

void write_report() {
  std::string text(klab_sim_report(nullptr, 0), '\0');
  klab_sim_report(text.data(), text.size());
  file.write_line("report", text.data(), text.size() - 1);
}

// Runs when the program is loaded, before its own constructors.
__attribute__((constructor)) void begin_program() {
  const char* path = std::getenv("KLAB_SIM_REPORT");
  if (path == nullptr) return;
  // Whatever ends klab ends the program, too.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  file = {::open(path, O_WRONLY | O_APPEND | O_CLOEXEC), getpid()};
  if (const char* settings = std::getenv("KLAB_SIM_SETTINGS")) klab_sim_configure(settings);
  // Programs that this one starts are none of ours.
  for (const char* name : {"KLAB_SIM_REPORT", "KLAB_SIM_SETTINGS", "LD_PRELOAD"}) ::unsetenv(name);
  klab_sim_on_finding(
      [](const char* json, std::size_t bytes, void*) { file.write_line("finding", json, bytes); },
      nullptr);
  klab_sim_on_refusal(
      [](const char* json, std::size_t bytes, void*) { file.write_line("refusal", json, bytes); },
      nullptr);
  // Whoever reads the file says it: on standard error it would stand twice.
  klab_sim_on_message(
      [](const char* json, std::size_t bytes, void*) { file.write_line("message", json, bytes); },
      nullptr);
  std::atexit(write_report);
}

}  // namespace
}  // namespace klab::sim
