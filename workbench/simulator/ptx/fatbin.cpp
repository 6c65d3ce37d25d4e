// Walks the entries of a fat binary: 16-byte header, then entries of kind PTX or machine code.
#include "simulator/ptx/fatbin.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "simulator/ptx/decompress.hpp"

namespace klab::sim {
namespace {

constexpr std::uint32_t container_magic = 0xBA55ED50;
constexpr std::uint32_t elf_magic = 0x464C457F;
constexpr std::size_t container_header_bytes = 16;
constexpr std::size_t entry_header_min_bytes = 0x40;
constexpr std::uint16_t kind_ptx = 1;
constexpr std::uint16_t kind_machine_code = 2;
constexpr std::uint64_t lz4_flag = 0x2000;   // nvcc 12, and --compress-mode=speed of nvcc 13
constexpr std::uint64_t zstd_flag = 0x8000;  // nvcc 13

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
  std::uint64_t plain_bytes = 0;  // of a compressed payload
  std::size_t total_bytes = 0;
};

std::optional<Entry> read_entry(std::span<const std::byte> bytes) {
  if (bytes.size() < entry_header_min_bytes) return std::nullopt;
  const std::size_t header = *read_at<std::uint32_t>(bytes, 4);
  const std::uint64_t payload = *read_at<std::uint64_t>(bytes, 8);
  if (header < entry_header_min_bytes || header > bytes.size()) return std::nullopt;
  if (payload > bytes.size() - header) return std::nullopt;
  Entry entry{.kind = *read_at<std::uint16_t>(bytes, 0),
              .sm = *read_at<std::uint32_t>(bytes, 0x1c),
              .flags = *read_at<std::uint64_t>(bytes, 0x28),
              .payload = bytes.subspan(header, payload),
              .plain_bytes = *read_at<std::uint64_t>(bytes, 0x38),
              .total_bytes = header + static_cast<std::size_t>(payload)};
  // A compressed payload is padded behind its end.
  if ((entry.flags & (lz4_flag | zstd_flag)) != 0)
    entry.payload = entry.payload.first(
        std::min<std::size_t>(*read_at<std::uint32_t>(bytes, 16), entry.payload.size()));
  return entry;
}

/// The image of an entry, in `storage` if it was compressed; nothing when that can't be undone.
std::optional<std::span<const std::byte>> image_of(const Entry& entry,
                                                   std::vector<std::byte>& storage) {
  if ((entry.flags & (lz4_flag | zstd_flag)) == 0) return entry.payload;
  const auto kind = (entry.flags & zstd_flag) != 0 ? Compression::zstd : Compression::lz4;
  auto plain = decompress(kind, entry.payload, entry.plain_bytes);
  if (!plain) return std::nullopt;
  storage = std::move(*plain);
  return storage;
}

std::string text_of(std::span<const std::byte> payload) {
  const char* start = reinterpret_cast<const char*>(payload.data());
  return {start, strnlen(start, payload.size())};  // padded with NUL
}

/// Whether code for `candidate` fits the simulated sm_90 better than what was found so far. PTX
/// runs on its own architecture and later ones.
constexpr int simulated = 90;
bool is_better(int candidate, int found) {
  if (found == 0) return true;
  const bool fits = candidate <= simulated;
  if (fits != (found <= simulated)) return fits;
  return fits ? candidate > found : candidate < found;
}

/// Code for sm_90a runs on this one architecture, and uses all that it has. nvcc -arch=sm_90a puts
/// it behind PTX for any sm_90, under the same number.
bool is_for_this_one(std::string_view ptx) {
  const std::size_t target = ptx.find(".target");
  return target != ptx.npos &&
         ptx.substr(target, ptx.find('\n', target) - target).find("sm_90a") != ptx.npos;
}

void take(const Entry& entry, Fatbin& out) {
  std::vector<std::byte> storage;
  const auto architecture = static_cast<int>(entry.sm);
  const bool same = architecture == simulated && out.ptx_architecture == simulated;
  if (entry.kind == kind_ptx && (same || is_better(architecture, out.ptx_architecture))) {
    const auto image = image_of(entry, storage);
    if (image && same && !is_for_this_one(text_of(*image))) return;
    if (image) {
      out.ptx = text_of(*image);
      out.ptx_architecture = architecture;
    } else {
      out.problem =
          "The compressed PTX of this build can't be read: it is damaged, or klab was built "
          "without liblz4-dev and libzstd-dev. Build with nvcc --compress-mode=none.";
    }
  } else if (entry.kind == kind_machine_code && entry.sm == 90) {
    if (const auto image = image_of(entry, storage)) out.compiled.merge(read_cubin(*image));
  }
}

}  // namespace

bool is_container(std::uint32_t magic) { return magic == container_magic; }
bool is_machine_code(std::uint32_t magic) { return magic == elf_magic; }

Fatbin read_fatbin(std::span<const std::byte> bytes) {
  Fatbin out;
  if (read_at<std::uint32_t>(bytes, 0).value_or(0) != container_magic) {
    out.problem =
        "This build's device code is not a fat binary that the simulator knows. Build it with nvcc "
        "13.";
    return out;
  }
  const std::size_t header = read_at<std::uint16_t>(bytes, 6).value_or(0);
  const std::uint64_t size = read_at<std::uint64_t>(bytes, 8).value_or(0);
  if (header < container_header_bytes || header > bytes.size()) {
    out.problem =
        "This build's fat binary is damaged: its header has an impossible size. Rebuild it.";
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
        "This build holds no PTX, only machine code, and the simulator runs PTX. Build it with "
        "nvcc -gencode arch=compute_90,code=[compute_90,sm_90] and without -dlto.";
  }
  return out;
}

Fatbin read_code(std::span<const std::byte> bytes) {
  const auto magic = read_at<std::uint32_t>(bytes, 0).value_or(0);
  if (is_container(magic)) return read_fatbin(bytes);
  Fatbin out;
  if (is_machine_code(magic)) {
    out.problem =
        "A library holds machine code (a cubin), and the simulator runs PTX. Make it with nvcc "
        "-ptx or -fatbin -gencode arch=compute_90,code=compute_90.";
    return out;
  }
  out.ptx = text_of(bytes);
  const auto target = out.ptx.find(".target sm_");
  if (target != std::string::npos) out.ptx_architecture = std::atoi(&out.ptx[target + 11]);
  if (out.ptx_architecture == 0)
    out.problem =
        "The code of a library is neither a fat binary nor PTX: PTX names its .target. Make it "
        "with nvcc -ptx or -fatbin.";
  return out;
}

Fatbin read_fatbin(const void* data) {
  if (data == nullptr) return read_fatbin(std::span<const std::byte>{});
  return read_fatbin(container_at(data));
}

std::span<const std::byte> container_at(const void* data) {
  const auto* start = static_cast<const std::byte*>(data);
  const std::span<const std::byte> header(start, container_header_bytes);
  if (*read_at<std::uint32_t>(header, 0) != container_magic) return header;
  const std::size_t total = *read_at<std::uint16_t>(header, 6) +
                            static_cast<std::size_t>(*read_at<std::uint64_t>(header, 8));
  return {start, total};
}

}  // namespace klab::sim
