// The guardian reads from a pipe that only we hold open: its end is ours, however it came.
#include "core/process/guardian.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace klab {
namespace {

/// PR_SET_PDEATHSIG would reach the child alone, not the compilers that nvcc started.
constexpr const char* script =
    "exec >/dev/null 2>&1\n"
    "read -r group\n"
    "read -r until_the_end\n"
    "[ -z \"$group\" ] || kill -s KILL -- \"-$group\"\n"
    "[ -z \"$1\" ] || rm -rf -- \"$1\" || { sleep 1; rm -rf -- \"$1\"; }\n";

}  // namespace

Guardian::Guardian(const std::string& folder) {
  if (auto shell = spawn({.command = {"/bin/sh", "-c", script, "klab-guardian", folder}}))
    shell_ = std::move(*shell);
  shell_.out.close();
  shell_.err.close();
}

Guardian::~Guardian() {
  if (shell_.pid < 0) return;
  ::kill(shell_.pid, SIGKILL);
  ::waitpid(shell_.pid, nullptr, 0);
}

void Guardian::watch(pid_t group) {
  const std::string line = std::to_string(group) + "\n";
  if (shell_.pid >= 0) (void)!::write(shell_.in.get(), line.data(), line.size());
}

}  // namespace klab
