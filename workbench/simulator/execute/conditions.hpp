// What kernels set and a graph's conditional nodes go by: a number for each handle.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

namespace klab::sim {

class Conditions {
 public:
  std::uint64_t create();
  /// False where nobody made the handle.
  bool set(std::uint64_t handle, std::uint32_t value);
  std::uint32_t get(std::uint64_t handle) const;

 private:
  mutable std::mutex mutex_;  // blocks run side by side
  std::map<std::uint64_t, std::uint32_t> values_;
};

}  // namespace klab::sim
