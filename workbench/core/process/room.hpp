// Room: a process shuts itself in before it runs code that it does not know.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/process/system_calls.hpp"

namespace klab {

/// What keeps a process in its room. None of it takes rights or a program of its own: the kernel
/// offers it to every process.
struct RoomGuards {
  std::optional<int> landlock;  ///< version of Landlock, which closes the file system
  bool system_calls = false;    ///< whether system calls can be refused (seccomp)
};

/// What the kernel of this machine offers.
RoomGuards offered_guards();

/// What the process may still see of the files.
struct Room {
  std::vector<std::filesystem::path> readable;  ///< files, and folders with all below them
  std::filesystem::path scratch;                ///< the only folder to write to; none if empty
  Code code = Code::stays;
};

/// What every program needs to read: system folders, and what /proc tells of the machine and of
/// the process itself, but not of other processes.
std::vector<std::filesystem::path> system_files();

/// Shuts the calling process in, for good: files can be read where the room says so and written in
/// its scratch folder and on the devices of a GPU alone; no program can be started, no process
/// forked, left behind, looked into or signalled, no network reached. Call it before there is a
/// second thread. What the kernel does not offer is left out; returns what holds now.
RoomGuards shut_in(const Room& room);

}  // namespace klab
