// Values by handle.
#include "simulator/execute/conditions.hpp"

namespace klab::sim {

std::uint64_t Conditions::create() {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t handle = values_.size() + 1;
  values_[handle] = 0;
  return handle;
}

bool Conditions::set(std::uint64_t handle, std::uint32_t value) {
  const std::scoped_lock lock(mutex_);
  const auto found = values_.find(handle);
  if (found == values_.end()) return false;
  found->second = value;
  return true;
}

std::uint32_t Conditions::get(std::uint64_t handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = values_.find(handle);
  return found == values_.end() ? 0 : found->second;
}

}  // namespace klab::sim
