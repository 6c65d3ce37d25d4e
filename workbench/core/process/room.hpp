// Room: a process shuts itself in before it runs code that it does not know.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace klab {

/// What keeps a process in its room. None of it takes rights or a program of its own: the kernel
/// offers it to every process.
struct RoomGuards {
  std::optional<int> landlock;  ///< version of Landlock, which closes the file system
  bool system_calls = false;    ///< whether system calls can be refused (seccomp)
};

/// What the kernel of this machine offers.
RoomGuards offered_guards();

/// How far a room is closed. Not every machine's driver starts in one that is closed wholly.
enum class Closure {
  whole,    ///< before the driver starts
  started,  ///< once it has started: threads that it has by then may still reach files
  shared,   ///< the same, and /dev/shm can be written to
  calls,    ///< system calls alone are refused: files stay open
  open,     ///< nothing is
};
/// From the closest to the most open, with the names that KLAB_ROOM has for them.
const std::vector<std::pair<Closure, std::string_view>>& closures();
std::string_view to_string(Closure closure);
std::optional<Closure> closure_from(std::string_view name);

/// What the process may still see of the files: each a file, or a folder with all below it.
struct Room {
  std::vector<std::filesystem::path> readable, writable;
};

/// What every program needs to read: system folders, and what /proc tells of the machine and of
/// the process itself, but not of other processes.
std::vector<std::filesystem::path> system_files();

/// Shuts the calling process in, for good: files can be read and written where the room says so and
/// on the devices of a GPU alone; no program can be started, no process
/// forked, left behind, looked into or signalled, no network reached. Call it before there is a
/// second thread. What the kernel does not offer is left out; returns what holds now.
RoomGuards shut_in(const Room& room);

}  // namespace klab
