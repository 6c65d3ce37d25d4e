// Spawning with pipes that no other child inherits.
#include "core/process/child.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "core/process/process_control.hpp"

extern char** environ;

namespace klab {
namespace {

struct Pipe {
  Descriptor read, write;
};

/// Where it is not in the way of what a child finds at 0..4.
bool move_beyond(Descriptor& end) {
  if (end.get() < 0 || end.get() > handed_over_descriptor) return true;
  const int moved = ::fcntl(end.get(), F_DUPFD_CLOEXEC, handed_over_descriptor + 1);
  if (moved < 0) return false;
  end = Descriptor(moved);
  return true;
}

/// Both ends close on exec.
Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    return make_error(ErrorCode::io,
                      std::string("No pipe could be made: ") + std::strerror(errno) + ".");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  if (!move_beyond(pipe.read) || !move_beyond(pipe.write))
    return make_error(ErrorCode::io, "No file descriptor is left.");
  return pipe;
}

std::vector<std::string> merged_environment(const std::map<std::string, std::string>& added) {
  std::vector<std::string> merged;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!added.contains(std::string(text.substr(0, text.find('='))))) merged.emplace_back(text);
  }
  for (const auto& [name, value] : added) merged.push_back(name + "=" + value);
  return merged;
}

}  // namespace

std::vector<char*> exec_pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

Result<Child> spawn(const ProcessRequest& request) {
  std::array<Pipe, 4> pipes;
  const std::size_t used = request.with_records ? 4 : 3;
  for (std::size_t i = 0; i < used; ++i) {
    auto pipe = make_pipe();
    if (!pipe) return pipe.error();
    pipes[i] = std::move(*pipe);
  }
  Descriptor handed_over = request.control ? request.control->take_handed_over() : Descriptor();
  if (!move_beyond(handed_over)) return make_error(ErrorCode::io, "No file descriptor is left.");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipes[0].read.get(), 0);
  posix_spawn_file_actions_adddup2(&actions, pipes[1].write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions, pipes[2].write.get(), 2);
  if (request.with_records) posix_spawn_file_actions_adddup2(&actions, pipes[3].write.get(), 3);
  if (handed_over.get() >= 0)
    posix_spawn_file_actions_adddup2(&actions, handed_over.get(), handed_over_descriptor);
  if (!request.folder.empty())
    posix_spawn_file_actions_addchdir_np(&actions, request.folder.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  std::vector<std::string> command = request.command;
  std::vector<std::string> environment = merged_environment(request.environment);
  Child child;
  const int failure =
      ::posix_spawnp(&child.pid, command[0].c_str(), &actions, &attributes,
                     exec_pointers(command).data(), exec_pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0)
    return make_error(ErrorCode::io,
                      "`" + command[0] + "` could not be started: " + std::strerror(failure) + ".",
                      "Check that it is installed and can be executed.");
  child.in = std::move(pipes[0].write);
  child.out = std::move(pipes[1].read);
  child.err = std::move(pipes[2].read);
  if (request.with_records) child.records = std::move(pipes[3].read);
  for (const Descriptor* end : {&child.in, &child.out, &child.err, &child.records})
    if (end->get() >= 0) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  return child;
}

}  // namespace klab
