// By elements, operations and passes.
#include "runner/problem/where_to_check.hpp"

namespace klab::runner {

std::size_t elements_of(const Workload& workload, const Size& size) {
  std::size_t elements = 0;
  for (const BufferSpec& spec : workload.buffers(size)) elements += spec.count;
  return elements;
}

double operations_of(const Workload& workload, const Size& size) {
  const Work work = workload.least_work(size);
  return work.fp32 + work.fp64 + work.fp16 + work.tensor_half + work.tensor_fp8;
}

bool is_quick(const Workload& workload, const Size& size) {
  return operations_of(workload, size) <= 1e6;
}

Where where_to_check(const Workload& workload, const Size& size) {
  const std::size_t elements = elements_of(workload, size);
  const bool quick = is_quick(workload, size);
  // A reference that takes passes waits for the device at each.
  const bool in_passes = !workload.checks_parts();
  constexpr double operations_in_passes = 1e7;
  const bool short_enough =
      quick || (in_passes && operations_of(workload, size) <= operations_in_passes);
  const bool on_host = in_passes && quick ? elements <= 4 * most_small_elements
                                          : elements <= most_small_elements && short_enough;
  return on_host ? Where::host : Where::device;
}

}  // namespace klab::runner
