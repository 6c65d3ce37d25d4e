// Text that kernels print.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace klab::sim {

// Reads one byte of the device's memory; nothing when the address is not readable.
using ReadByte = std::function<std::optional<char>(std::uint64_t address)>;

// A zero-terminated string, cut after 64 KiB.
std::string read_text(const ReadByte& read, std::uint64_t address);

struct Printed {
  std::string text;
  std::int32_t arguments = 0;  // that the format took
};

// C's printf with the arguments as CUDA packs them: 4 or 8 bytes each, aligned to their size. Only
// the conversions of the CUDA C++ programming guide are followed; %n and unknown ones print as they
// stand.
Printed format_text(std::string_view format, const ReadByte& read, std::uint64_t at);

}  // namespace klab::sim
