// Bytes and operations of a whole problem, against what there is.
#include "runner/problem/size_with_room.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/course/sizes/smaller_size.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/problem/where_to_check.hpp"

namespace klab::runner {
namespace {

/// Operations of a task that is tried whole: its reference, in double precision, then takes some
/// tenths of a second on a large GPU.
constexpr double most_huge_operations = 1e12;

/// Of these for an element of the results: one long chain, which no GPU ends within a second.
constexpr double most_huge_operations_each = 1e8;

/// Page-locked memory takes the system some tenths of a second a gigabyte.
constexpr double most_huge_pinned_bytes = 0x1p30;

/// For each element of the results, of a reference that takes passes of its own: two in double.
constexpr double reference_bytes = 16;

/// Of a buffer: to fill and compare more takes longer than a check may, and the simulator tries
/// such sizes in part.
constexpr std::size_t most_huge_elements = std::size_t{1} << 33;

/// Inputs and results are kept once more each, and the reference takes some.
bool has_room_for(const Workload& workload, const Size& size) {
  std::size_t free_bytes = 0, all_bytes = 0;
  check_cuda(cudaMemGetInfo(&free_bytes, &all_bytes));
  double device = 0, pinned = 0, results = 0;
  for (const BufferSpec& spec : workload.buffers(size)) {
    if (spec.count > most_huge_elements) return false;
    const double count = static_cast<double>(spec.count);
    (spec.memory == Memory::device ? device : pinned) +=
        count * static_cast<double>(spec.element_bytes);
    if (spec.role == Role::output || spec.role == Role::inout) results += count;
  }
  return operations_of(workload, size) <= most_huge_operations &&
         !is_one_long_chain(workload, size) && pinned <= most_huge_pinned_bytes &&
         2.1 * device + (workload.checks_parts() ? 0 : reference_bytes * results) <
             static_cast<double>(free_bytes);
}

}  // namespace

bool is_one_long_chain(const Workload& workload, const Size& size) {
  double results = 0;
  for (const BufferSpec& spec : workload.buffers(size))
    if (spec.role == Role::output || spec.role == Role::inout)
      results += static_cast<double>(spec.count);
  return operations_of(workload, size) > most_huge_operations_each * std::max(results, 1.0);
}

std::optional<Size> size_with_room(const Workload& workload, const Size& size) {
  const std::vector<BufferSpec> specs = workload.buffers(size);
  const bool too_large = std::any_of(specs.begin(), specs.end(), [](const BufferSpec& spec) {
    return spec.count > most_huge_elements;
  });
  const Size tried = too_large ? just_beyond_unsigned(size) : size;
  return has_room_for(workload, tried) ? std::optional(tried) : std::nullopt;
}

}  // namespace klab::runner
