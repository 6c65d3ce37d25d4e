// References to objects of the program.
#include "simulator/runtime/streams/graphs/user_objects.hpp"

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

UserObject::~UserObject() {
  Runtime& runtime = Runtime::instance();
  const bool before = std::exchange(runtime.in_host_function, true);
  destroy_(object_);
  runtime.in_host_function = before;
}

cudaUserObject_t UserObjects::create(void* object, cudaHostFn_t destroy, std::uint64_t references) {
  auto made = std::make_shared<UserObject>(object, destroy);
  UserObject* handle = made.get();
  all_[handle] = made;
  of_host_[std::move(made)] = references;
  return reinterpret_cast<cudaUserObject_t>(handle);
}

UserObjectPointer UserObjects::find(cudaUserObject_t handle) {
  const auto found = all_.find(reinterpret_cast<const UserObject*>(handle));
  if (found == all_.end()) return nullptr;
  UserObjectPointer object = found->second.lock();
  if (!object) all_.erase(found);
  return object;
}

bool UserObjects::release(const UserObjectPointer& object, std::uint64_t count) {
  const auto found = of_host_.find(object);
  if (found == of_host_.end() || found->second < count) return false;
  if ((found->second -= count) == 0) of_host_.erase(found);
  return true;
}

}  // namespace klab::sim
