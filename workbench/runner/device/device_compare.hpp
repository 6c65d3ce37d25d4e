// first_device_difference: where two ranges of device memory differ.
#pragma once

#include <cstddef>
#include <optional>

namespace klab::runner {

/// The byte offset of the first difference. `answer` is 8 bytes of device memory. Both ranges are
/// aligned to 8 bytes. Waits for the device. Errors: RunnerError.
std::optional<std::size_t> first_device_difference(const void* a, const void* b, std::size_t bytes,
                                                   void* answer);

}  // namespace klab::runner
