// Walks the entries of a fat binary: 16-byte header, then entries of kind PTX or machine code.
#include "simulator/ptx/fatbin.hpp"

#include <cstring>
#include <optional>

namespace klab::sim {
namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::size_t container_header_bytes = 16;
constexpr std::size_t entry_header_min_bytes = 0x40;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_machine_code = 2;
constexpr std::uint64_t compressed_flags = 0xA000;  // 0x2000: LZ4, 0x8000: zstd

template <class T>
std::optional<T> read_at(std::span<const std::byte> bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

struct Entry {
  std::uint16_t kind = 0;
  std::uint32_t sm = 0;
  std::uint64_t flags = 0;
  std::span<const std::byte> payload;
  std::size_t total_bytes = 0;
};

std::optional<Entry> read_entry(std::span<const std::byte> bytes) {
  if (bytes.size() < entry_header_min_bytes) return std::nullopt;
  const std::size_t header = *read_at<std::uint32_t>(bytes, 4);
  const std::uint64_t payload = *read_at<std::uint64_t>(bytes, 8);
  if (header < entry_header_min_bytes || header > bytes.size()) return std::nullopt;
  if (payload > bytes.size() - header) return std::nullopt;
  return Entry{*read_at<std::uint16_t>(bytes, 0), *read_at<std::uint32_t>(bytes, 0x1c),
               *read_at<std::uint64_t>(bytes, 0x28), bytes.subspan(header, payload),
               header + static_cast<std::size_t>(payload)};
}

std::string text_of(std::span<const std::byte> payload) {
  const char* start = reinterpret_cast<const char*>(payload.data());
  return {start, strnlen(start, payload.size())};  // padded with NUL
}

/// Whether code for `candidate` fits the simulated sm_90 better than what was found so far. PTX
/// runs on its own architecture and later ones.
bool is_better(int candidate, int found) {
  constexpr int simulated = 90;
  if (found == 0) return true;
  const bool fits = candidate <= simulated;
  if (fits != (found <= simulated)) return fits;
  return fits ? candidate > found : candidate < found;
}

void take(const Entry& entry, Fatbin& out) {
  const bool compressed = (entry.flags & compressed_flags) != 0;
  if (entry.kind == kind_ptx && compressed) {
    out.problem =
        "The PTX in this plugin is compressed, and the simulator reads plain PTX only. "
        "Build it with nvcc --compress-mode=none.";
  } else if (entry.kind == kind_ptx) {
    if (!is_better(static_cast<int>(entry.sm), out.ptx_architecture)) return;
    out.ptx = text_of(entry.payload);
    out.ptx_architecture = static_cast<int>(entry.sm);
  } else if (entry.kind == kind_machine_code && entry.sm == 90 && !compressed) {
    out.compiled.merge(read_cubin(entry.payload));
  }
}

}  // namespace

Fatbin read_fatbin(std::span<const std::byte> bytes) {
  Fatbin out;
  if (read_at<std::uint32_t>(bytes, 0).value_or(0) != container_magic) {
    out.problem =
        "The plugin's device code is not a fat binary that the simulator knows. Build it with nvcc "
        "13, without -rdc.";
    return out;
  }
  const std::size_t header = read_at<std::uint16_t>(bytes, 6).value_or(0);
  const std::uint64_t size = read_at<std::uint64_t>(bytes, 8).value_or(0);
  if (header < container_header_bytes || header > bytes.size()) {
    out.problem =
        "The plugin's fat binary is damaged: its header has an impossible size. Rebuild it.";
    return out;
  }
  auto rest = bytes.subspan(header);
  if (size < rest.size()) rest = rest.first(static_cast<std::size_t>(size));
  while (const auto entry = read_entry(rest)) {
    take(*entry, out);
    rest = rest.subspan(entry->total_bytes);
  }
  if (!out.ptx.empty()) {
    out.problem.clear();
  } else if (out.problem.empty()) {
    out.problem =
        "The plugin holds no PTX, only machine code, and the simulator runs PTX. Build it with "
        "nvcc "
        "-gencode arch=compute_90,code=[compute_90,sm_90] and without -rdc.";
  }
  return out;
}

Fatbin read_fatbin(const void* data) {
  if (data == nullptr) return read_fatbin(std::span<const std::byte>{});
  const auto* start = static_cast<const std::byte*>(data);
  const std::span<const std::byte> header(start, container_header_bytes);
  if (*read_at<std::uint32_t>(header, 0) != container_magic) return read_fatbin(header);
  const std::size_t total = *read_at<std::uint16_t>(header, 6) +
                            static_cast<std::size_t>(*read_at<std::uint64_t>(header, 8));
  return read_fatbin(std::span<const std::byte>(start, total));
}

}  // namespace klab::sim
