// Least work: one amount for each resource.
#include "runner/problem/least_work.hpp"

#include <utility>

namespace klab::runner {

LeastWork least_work(const Workload& workload, const Size& size) {
  const Work work = workload.least_work(size);
  const std::pair<Resource, double> amounts[] = {{Resource::device_memory, work.device_memory},
                                                 {Resource::to_device, work.to_device},
                                                 {Resource::to_host, work.to_host},
                                                 {Resource::peer, work.peer},
                                                 {Resource::fp32, work.fp32},
                                                 {Resource::fp16, work.fp16},
                                                 {Resource::fp64, work.fp64},
                                                 {Resource::tensor_half, work.tensor_half},
                                                 {Resource::tensor_fp8, work.tensor_fp8},
                                                 {Resource::atomics, work.atomics}};
  LeastWork least;
  for (const auto& [resource, amount] : amounts)
    if (amount > 0) least.amounts[resource] = amount;
  return least;
}

}  // namespace klab::runner
