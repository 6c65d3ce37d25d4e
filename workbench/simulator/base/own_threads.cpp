// proc(5): a folder for each thread.
#include "simulator/base/own_threads.hpp"

#include <atomic>
#include <filesystem>
#include <iterator>
#include <system_error>

namespace klab::sim {

namespace {

std::atomic<unsigned> watchers = 0;
thread_local bool watches = false;

}  // namespace

void begin_watching() {
  watches = true;
  ++watchers;
}

unsigned own_threads(unsigned pool) { return watches ? 0 : pool + watchers; }

bool are_all_threads(unsigned own) {
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == static_cast<std::ptrdiff_t>(own);
}

}  // namespace klab::sim
