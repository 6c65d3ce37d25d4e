// One lock file for all users of this machine, for each GPU that somebody named, and for each
// remote runner.
#include "core/timing/gpu_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "core/base/sha256.hpp"

namespace klab {
namespace {

constexpr auto lock_poll = std::chrono::milliseconds(50);

/// A file to lock, and how: LOCK_EX for what is taken whole.
struct Line {
  std::string name;
  int how = LOCK_EX;
};

/// The whole machine first, and then by name: all who wait for several do so in one order.
std::vector<Line> lines_of(const Tree& tree) {
  const auto named = [](const std::string& what) { return "-" + sha256(what).substr(0, 16); };
  if (!tree.remote.empty()) return {{named(tree.remote)}};
  std::set<std::string> gpus;
  std::istringstream chosen(tree.visible_devices);
  for (std::string gpu; std::getline(chosen, gpu, ',');) gpus.insert(named("GPU " + gpu));
  std::vector<Line> lines{{"", gpus.empty() ? LOCK_EX : LOCK_SH}};
  for (const std::string& gpu : gpus) lines.push_back({gpu});
  return lines;
}

/// None if the file cannot be used.
Descriptor open_line(const Line& line) {
  std::error_code ignored;
  auto folder = std::filesystem::temp_directory_path(ignored);
  if (ignored) folder = "/tmp";
  const auto file = folder / ("klab-gpu" + line.name + ".lock");
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
  return Descriptor(fd >= 0 ? fd : ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
}

/// Whether somebody else holds it.
bool is_taken(const Descriptor& line, int how) {
  return ::flock(line.get(), how | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

GpuLock::GpuLock(const Tree& tree, const std::function<void()>& on_wait,
                 const std::atomic<bool>& canceled) {
  bool told = false;
  for (const Line& line : lines_of(tree)) {
    Descriptor file = open_line(line);
    if (file.get() < 0) continue;
    while (is_taken(file, line.how) && !canceled.load()) {
      if (!told && on_wait) on_wait();
      told = true;
      std::this_thread::sleep_for(lock_poll);
    }
    held_.push_back(std::move(file));
  }
}

bool gpu_is_held(const Tree& tree) {
  const auto lines = lines_of(tree);
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    // Two who only look hold it for a moment: each looks again.
    for (int look = 0; look < 3; ++look) {
      const Descriptor file = open_line(line);
      if (file.get() < 0 || !is_taken(file, line.how)) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  });
}

}  // namespace klab
