// Objects of the program that graphs keep alive, counted by references.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>

namespace klab::sim {

/// Destroyed by the program's function when the last reference is gone.
class UserObject {
 public:
  UserObject(void* object, cudaHostFn_t destroy) : object_(object), destroy_(destroy) {}
  ~UserObject();
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;

 private:
  void* object_;
  cudaHostFn_t destroy_;
};
using UserObjectPointer = std::shared_ptr<UserObject>;

/// Which objects there are, and the references that the host has to them.
class UserObjects {
 public:
  cudaUserObject_t create(void* object, cudaHostFn_t destroy, std::uint64_t references);
  /// Null for a handle whose object is gone.
  UserObjectPointer find(cudaUserObject_t handle);
  void retain(const UserObjectPointer& object, std::uint64_t count) { of_host_[object] += count; }
  /// False where the host does not have as many.
  bool release(const UserObjectPointer& object, std::uint64_t count);

 private:
  std::map<const UserObject*, std::weak_ptr<UserObject>> all_;
  std::map<UserObjectPointer, std::uint64_t> of_host_;
};

}  // namespace klab::sim
