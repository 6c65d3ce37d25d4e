// Incomplete words: inputs that are wrong at a few places until the clock is about to start.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace klab::runner {

/// Puts another word of `from` at some places of `memory`, in stream order. The places and the
/// words follow from `seed`; buffers are aligned to a word of 4 bytes. Errors: RunnerError.
void spoil_words(void* memory, const void* from, std::size_t bytes, std::uint64_t seed,
                 cudaStream_t stream);
/// Makes the same places of `memory` what they are in `from`. Few enough that it warms no cache.
void restore_words(void* memory, const void* from, std::size_t bytes, std::uint64_t seed,
                   cudaStream_t stream);

}  // namespace klab::runner
