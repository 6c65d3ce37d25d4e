// Reads the scheduler's account of a process.
#include "core/process/run_delay.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace klab {

std::chrono::nanoseconds run_delay(pid_t process) {
  long long longest = 0;
  std::error_code failure;
  const std::filesystem::path tasks = "/proc/" + std::to_string(process) + "/task";
  for (std::filesystem::directory_iterator it(tasks, failure), end; !failure && it != end;
       it.increment(failure)) {
    long long ran = 0, waited = 0;
    std::ifstream account(it->path() / "schedstat");
    if (account >> ran >> waited) longest = std::max(longest, waited);
  }
  return std::chrono::nanoseconds(longest);
}

}  // namespace klab
