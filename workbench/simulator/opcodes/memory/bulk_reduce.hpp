// What cp.reduce.async.bulk does with the bytes that it brings.
#pragma once
#include <cstddef>

#include "simulator/program/encoder.hpp"

namespace klab::sim {

// Reduces so many bytes into others, an element after the other, each of them atomically.
using Reduction = void (*)(std::byte* into, const std::byte* from, std::uint32_t bytes);

// The one that the opcode names; null where there is none of that operation and type.
Reduction reduction_of(const Encoder& e);

}  // namespace klab::sim
