// LeastWork: names of resources, and sums.
#include "core/measure/least_work.hpp"

#include <algorithm>

namespace klab {

std::string_view to_string(Resource resource) {
  switch (resource) {
    case Resource::device_memory:
      return "device_memory";
    case Resource::to_device:
      return "to_device";
    case Resource::to_host:
      return "to_host";
    case Resource::peer:
      return "peer";
    case Resource::fp32:
      return "fp32";
    case Resource::fp16:
      return "fp16";
    case Resource::fp64:
      return "fp64";
    case Resource::tensor_half:
      return "tensor_half";
    case Resource::tensor_fp8:
      return "tensor_fp8";
    case Resource::atomics:
      return "atomics";
  }
  return "?";
}

std::optional<Resource> resource_from(std::string_view name) {
  const auto found = std::find_if(all_resources.begin(), all_resources.end(),
                                  [&](Resource one) { return to_string(one) == name; });
  return found == all_resources.end() ? std::nullopt : std::optional(*found);
}

bool is_arithmetic(Resource resource) {
  return resource >= Resource::fp32 && resource <= Resource::tensor_fp8;
}

double LeastWork::of(Resource resource) const {
  const auto found = amounts.find(resource);
  return found == amounts.end() ? 0 : found->second;
}

double LeastWork::flops() const {
  double sum = 0;
  for (const auto& [resource, amount] : amounts)
    if (is_arithmetic(resource)) sum += amount;
  return sum;
}

}  // namespace klab
