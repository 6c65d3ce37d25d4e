// Device memory: which of its pages are there, by themselves and in huge pages.
#include "simulator/memory/device_memory.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace klab::sim;

namespace {

constexpr std::uint64_t page = 4096, few = 3 * page, large = 512 * page;
constexpr std::size_t all = 100'000;

void touch(const DeviceMemory& memory, std::uint64_t address) {
  *memory.host_view(address, 1) = std::byte{1};
}

std::vector<std::uint64_t> touched(const DeviceMemory& memory, std::size_t most = all) {
  return memory.touched_pages(memory.arena(), memory.arena_bytes(), most);
}

/// In the arena, pages from `address` on.
void add_pages(std::vector<std::uint64_t>& pages, const DeviceMemory& memory, std::uint64_t address,
               std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) pages.push_back((address - memory.arena()) / page + i);
}

}  // namespace

TEST_CASE("large memory in huge pages counts as touched, between what is and what is not",
          "[simulator][memory]") {
  DeviceMemory memory;
  memory.watch_pages(false);
  const std::uint64_t before = *memory.allocate(few, MemoryKind::device),
                      between = *memory.allocate(large, MemoryKind::device),
                      behind = *memory.allocate(few, MemoryKind::device);
  touch(memory, before + page);
  touch(memory, behind + 2 * page);
  std::vector<std::uint64_t> pages;
  add_pages(pages, memory, before + page, 1);
  add_pages(pages, memory, between, large / page);
  add_pages(pages, memory, behind + 2 * page, 1);
  CHECK(touched(memory) == pages);
  CHECK(touched(memory, 2) == std::vector(pages.begin(), pages.begin() + 2));
  CHECK(memory.touched_bytes() == large + 2 * page);
  // A range that begins and ends within.
  CHECK(memory.touched_pages(between + 5 * page, few, all) == std::vector<std::uint64_t>{0, 1, 2});

  CHECK(memory.release(between));
  CHECK(touched(memory).size() == 2);
  CHECK(memory.touched_bytes() == 2 * page);
}

TEST_CASE("large memory without huge pages counts where it was touched", "[simulator][memory]") {
  DeviceMemory memory;
  const std::uint64_t base = *memory.allocate(large, MemoryKind::device);
  CHECK(touched(memory).empty());
  touch(memory, base + 7 * page);
  CHECK(memory.touched_pages(base, large, all) == std::vector<std::uint64_t>{7});
}

TEST_CASE("memory that comes back is zero, in huge pages or not", "[simulator][memory]") {
  DeviceMemory memory;
  memory.set_reuse(true);
  for (const bool huge : {true, false, true}) {
    memory.watch_pages(!huge);
    const std::uint64_t base = *memory.allocate(large, MemoryKind::device);
    CHECK(base == memory.arena());
    std::byte* const view = memory.host_view(base, large);
    CHECK(view[9 * page] == std::byte{0});
    view[9 * page] = std::byte{1};
    CHECK(memory.release(base));
  }
}

TEST_CASE("what the host may use has one memory at both of its addresses", "[simulator][memory]") {
  DeviceMemory memory;
  memory.watch_pages(false);
  const std::uint64_t base = *memory.allocate(large, MemoryKind::pinned);
  *reinterpret_cast<std::byte*>(base + page) = std::byte{5};
  CHECK(memory.host_view(base, large)[page] == std::byte{5});
}
