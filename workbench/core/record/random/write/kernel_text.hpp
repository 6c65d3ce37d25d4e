// What stands around the body of a random kernel of any kind.
#pragma once

#include <cstdint>
#include <string>

namespace klab::random_kernel {

/// The classes that are a body's "side", and the words of shared memory.
struct Sides {
  const char* device = "DeviceSide";
  const char* host = "body_{0}(side);";  ///< how the body of number {0} is run on the host
  const char* room = "room_words";
};

std::string kernel_text(std::uint64_t number, const std::string& functions, const std::string& body,
                        const Sides& sides = {});

}  // namespace klab::random_kernel
