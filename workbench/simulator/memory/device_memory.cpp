// Allocation, lookup and protection of simulated device memory.
#include "simulator/memory/device_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <utility>

#include "simulator/base/finding.hpp"
#include "simulator/base/round_up.hpp"

namespace klab::sim {

namespace {

constexpr std::uint64_t page_bytes = 4096;
// Address space kept free behind an allocation, so that a stray index lands in nothing.
constexpr std::uint64_t least_gap_bytes = 64 * 1024;
// Behind large ones as much as a 32-bit index that turned negative reaches, so that it does not
// land in a neighbour.
constexpr std::uint64_t large_bytes = 1ull << 30, large_gap_bytes = 1ull << 34;
// From the first on an allocation is worth pages of its own, and up to the second huge ones: a part
// of it that nobody touches is no loss. A process has 65,530 mappings (vm.max_map_count), and each
// of them takes two more.
constexpr std::uint64_t least_own_bytes = 1ull << 20, most_huge_bytes = 1ull << 30;
constexpr std::size_t most_own = 4096;
// Easy to recognize in messages, and clear of where Linux and sanitizers place things.
constexpr std::uint64_t preferred_arena = 0x2000'0000'0000;
// Further away than this, the neighbourhood says nothing.
constexpr std::uint64_t near_bytes = least_gap_bytes;

std::string name_of(const Allocation& one) {
  if (one.label.empty()) return fmt::format("allocation {}", one.id);
  const bool variable = one.kind == MemoryKind::module_variable || one.kind == MemoryKind::managed;
  return variable ? fmt::format("variable '{}'", one.label) : one.label;
}

bool is_open_to_host(const Allocation& one) {
  return one.kind == MemoryKind::pinned || one.kind == MemoryKind::managed;
}

std::string name_and_place(const Allocation& one) {
  return fmt::format("{} ({} at {:#x}{})", name_of(one), counted(one.bytes, "byte"), one.base,
                     one.freed ? ", already freed" : "");
}

}  // namespace

std::uint64_t DeviceMemory::default_limit_bytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  // In a container the kernel ends a process that takes more than this (control groups 2 and 1).
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t allowed = 0;
    if (std::ifstream(path) >> allowed) bytes = std::min(bytes, allowed);
  }
  return bytes / 2;
}

DeviceMemory::DeviceMemory(std::uint64_t limit_bytes) : limit_bytes_(limit_bytes) {
  file_ = memfd_create("klab-device-memory", MFD_CLOEXEC);
  // A machine with little address space gets a smaller arena; none at all leaves every allocation
  // to fail with "out of memory".
  for (std::uint64_t bytes = 1ull << 42; file_ >= 0 && bytes >= 1ull << 32; bytes >>= 2) {
    if (ftruncate(file_, static_cast<off_t>(bytes)) != 0) continue;
    void* device = mmap(reinterpret_cast<void*>(preferred_arena), bytes, PROT_NONE,
                        MAP_SHARED | MAP_NORESERVE, file_, 0);
    void* alias =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file_, 0);
    if (device != MAP_FAILED && alias != MAP_FAILED) {
      arena_ = reinterpret_cast<std::uint64_t>(device);
      alias_ = static_cast<std::byte*>(alias);
      arena_bytes_ = bytes;
      return;
    }
    if (device != MAP_FAILED) munmap(device, bytes);
    if (alias != MAP_FAILED) munmap(alias, bytes);
  }
}

DeviceMemory::~DeviceMemory() {
  if (arena_bytes_ != 0) {
    munmap(reinterpret_cast<void*>(arena_), arena_bytes_);
    munmap(alias_, arena_bytes_);
  }
  if (file_ >= 0) close(file_);
}

void DeviceMemory::set_reuse(bool on) {
  const std::unique_lock lock(mutex_);
  reused_from_ = on ? std::optional(quarantine_.size()) : std::nullopt;
}

// The oldest freed range that is large enough, or the lowest one of those that come back at once.
std::optional<DeviceMemory::Range> DeviceMemory::take_freed(std::uint64_t capacity) {
  auto best = quarantine_.end();
  for (std::size_t i = reused_from_.value_or(0); i < quarantine_.size(); ++i) {
    const auto it = quarantine_.begin() + static_cast<std::ptrdiff_t>(i);
    if (allocations_.at(*it).capacity < capacity) continue;
    if (best == quarantine_.end() || *it < *best) best = it;
    if (!reused_from_) break;
  }
  if (best == quarantine_.end()) return std::nullopt;
  const auto freed = allocations_.find(*best);
  const Range range{freed->first - arena_, freed->second.capacity};
  allocations_.erase(freed);
  quarantine_.erase(best);
  return range;
}

// `capacity` bytes of address space or more: fresh ones while there are any.
std::optional<DeviceMemory::Range> DeviceMemory::take_range(std::uint64_t capacity) {
  if (reused_from_)
    if (const auto freed = take_freed(capacity)) return freed;
  std::uint64_t gap = std::max(least_gap_bytes, round_up(capacity / 8, page_bytes));
  if (capacity >= large_bytes && next_ + capacity + large_gap_bytes <= arena_bytes_ / 2)
    gap = large_gap_bytes;
  if (capacity <= arena_bytes_ && next_ + capacity + gap <= arena_bytes_) {
    const Range range{next_, capacity};
    next_ += capacity + gap;
    return range;
  }
  return take_freed(capacity);
}

void DeviceMemory::protect(const Allocation& allocation, bool host_access) {
  mprotect(reinterpret_cast<void*>(allocation.base), allocation.capacity,
           host_access ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void DeviceMemory::watch_pages(bool on) {
  const std::unique_lock lock(mutex_);
  huge_pages_ = !on;
  if (on && pages_ == nullptr && arena_bytes_ != 0)
    pages_ = std::make_unique<WatchedPages>(arena_bytes_);
}

bool DeviceMemory::is_worth_huge_pages(const Allocation& allocation) const {
  return huge_pages_ && allocation.capacity <= most_huge_bytes;
}

bool DeviceMemory::is_worth_watching(const Allocation& allocation) const {
  return !huge_pages_ && allocation.kind == MemoryKind::device && pages_ != nullptr &&
         !pages_->failed();
}

// At the alias, in place of the file's; the device address is closed to the host anyway.
void DeviceMemory::give_own_pages(Allocation& allocation) {
  const std::uint64_t bytes = allocation.capacity;
  const bool huge = is_worth_huge_pages(allocation);
  if (is_open_to_host(allocation) || bytes < least_own_bytes || own_.size() >= most_own ||
      !(huge || is_worth_watching(allocation)))
    return;
  std::byte* const pages = alias_ + (allocation.base - arena_);
  if (mmap(pages, bytes, PROT_READ | PROT_WRITE,
           MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
    return;
  if (huge) {
    madvise(pages, bytes, MADV_HUGEPAGE);
    huge_bytes_ += bytes;
  }
  allocation.watched = !huge;
  own_[allocation.base] = {bytes, !huge};
}

// The file's pages again, and none of them there.
void DeviceMemory::give_back_pages(const Allocation& allocation) {
  const std::uint64_t offset = allocation.base - arena_;
  const auto own = own_.find(allocation.base);
  if (own == own_.end()) {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(allocation.capacity));
    return;
  }
  if (own->second.watched)
    pages_->forget(offset, allocation.capacity);
  else
    huge_bytes_ -= own->second.capacity;
  own_.erase(own);
  if (mmap(alias_ + offset, allocation.capacity, PROT_READ | PROT_WRITE,
           MAP_FIXED | MAP_SHARED | MAP_NORESERVE, file_, static_cast<off_t>(offset)) == MAP_FAILED)
    madvise(alias_ + offset, allocation.capacity, MADV_DONTNEED);
}

std::optional<std::uint64_t> DeviceMemory::allocate(std::uint64_t bytes, MemoryKind kind,
                                                    std::string label) {
  const std::unique_lock lock(mutex_);
  if (bytes == 0 || bytes > limit_bytes_ || used_bytes_ + bytes > limit_bytes_) return std::nullopt;
  const bool on_heap = kind == MemoryKind::heap;
  if (on_heap && heap_used_bytes_ + bytes > heap_limit_bytes_) return std::nullopt;
  const auto range = take_range(round_up(bytes, page_bytes));
  if (!range) return std::nullopt;
  Allocation allocation{
      .base = arena_ + range->offset,
      .bytes = bytes,
      .id = next_id_++,
      .kind = kind,
      .freed = false,
      .label = std::move(label),
      .to_host = reinterpret_cast<std::int64_t>(alias_) - static_cast<std::int64_t>(arena_),
      .capacity = range->capacity};
  if (is_open_to_host(allocation)) protect(allocation, true);
  give_own_pages(allocation);
  used_bytes_ += bytes;
  if (on_heap) heap_used_bytes_ += bytes, ++heap_pieces_;
  const std::uint64_t base = allocation.base;
  allocations_.insert_or_assign(base, std::move(allocation));
  return base;
}

void DeviceMemory::name(std::uint64_t address, std::string label) {
  const std::unique_lock lock(mutex_);
  if (const auto found = allocations_.find(address); found != allocations_.end())
    found->second.label = std::move(label);
}

void DeviceMemory::mark_scratch(std::uint64_t address) {
  const std::unique_lock lock(mutex_);
  if (const auto found = allocations_.find(address); found != allocations_.end())
    found->second.scratch = true;
}

bool DeviceMemory::is_scratch(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  const auto found = allocations_.find(address);
  return found != allocations_.end() && found->second.scratch;
}

bool DeviceMemory::release(std::uint64_t address) {
  const std::unique_lock lock(mutex_);
  const auto it = allocations_.find(address);
  if (it == allocations_.end() || it->second.freed) return false;
  generation_.fetch_add(1, std::memory_order_relaxed);
  Allocation& allocation = it->second;
  if (allocation.capacity == 0) {  // registered host memory belongs to its owner
    allocations_.erase(it);
    return true;
  }
  allocation.freed = true;
  used_bytes_ -= allocation.bytes;
  if (allocation.kind == MemoryKind::heap) heap_used_bytes_ -= allocation.bytes, --heap_pieces_;
  if (is_open_to_host(allocation)) protect(allocation, false);
  give_back_pages(allocation);
  if (initialized_ != nullptr) initialized_->clear(allocation.base - arena_, allocation.capacity);
  quarantine_.push_back(address);
  return true;
}

// The file has holes where nothing was touched.
std::uint64_t DeviceMemory::touched_bytes() const {
  struct stat status {};
  constexpr std::uint64_t bytes_of_unit = 512;  // stat(2)
  std::uint64_t bytes = 0;
  if (fstat(file_, &status) == 0)
    bytes = static_cast<std::uint64_t>(status.st_blocks) * bytes_of_unit;
  const std::shared_lock lock(mutex_);
  return bytes + huge_bytes_ + (pages_ != nullptr ? pages_->touched_bytes() : 0);
}

DeviceMemory::Range DeviceMemory::next_of_file(std::uint64_t at, std::uint64_t end) const {
  const off_t data = lseek(file_, static_cast<off_t>(at), SEEK_DATA);
  if (data < 0 || static_cast<std::uint64_t>(data) >= end) return {end, 0};
  const auto first = static_cast<std::uint64_t>(data);
  const off_t hole = lseek(file_, data, SEEK_HOLE);
  return {first, std::min(end, hole < 0 ? end : static_cast<std::uint64_t>(hole)) - first};
}

// Huge pages count as a whole.
DeviceMemory::Range DeviceMemory::next_of_own(std::uint64_t at, std::uint64_t end) const {
  auto own = own_.upper_bound(arena_ + at);
  if (own != own_.begin() && std::prev(own)->first + std::prev(own)->second.capacity > arena_ + at)
    --own;
  for (; own != own_.end() && own->first - arena_ < end; ++own) {
    const std::uint64_t from = std::max(at, own->first - arena_),
                        to = std::min(end, own->first - arena_ + own->second.capacity);
    if (!own->second.watched) return {from, to - from};
    const std::uint64_t last = (to + page_bytes - 1) / page_bytes;
    if (const auto page = pages_->next_touched(from / page_bytes, last))
      return {std::max(from, *page * page_bytes), page_bytes};
  }
  return {end, 0};
}

// The next range with a page that is there, at `at` or behind it, as offsets; empty where none is.
DeviceMemory::Range DeviceMemory::next_touched(std::uint64_t at, std::uint64_t end) const {
  const Range file = next_of_file(at, end), own = next_of_own(at, end);
  if (own.capacity == 0 || (file.capacity > 0 && file.offset < own.offset))
    return {file.offset, std::min(file.capacity, own.offset - file.offset)};
  return own;
}

std::vector<std::uint64_t> DeviceMemory::touched_pages(std::uint64_t address, std::uint64_t bytes,
                                                       std::size_t most) const {
  std::vector<std::uint64_t> pages;
  if (!in_arena(address) || bytes > arena_ + arena_bytes_ - address) return pages;
  const std::shared_lock lock(mutex_);
  const std::uint64_t begin = address - arena_, end = begin + bytes;
  for (std::uint64_t at = begin; at < end && pages.size() < most;) {
    const Range touched = next_touched(at, end);
    if (touched.capacity == 0) break;
    at = touched.offset + touched.capacity;
    const std::uint64_t last = (at - begin + page_bytes - 1) / page_bytes;
    for (std::uint64_t page = (touched.offset - begin) / page_bytes;
         page < last && pages.size() < most; ++page)
      pages.push_back(page);
  }
  return pages;
}

bool DeviceMemory::register_host(void* pointer, std::uint64_t bytes) {
  const std::unique_lock lock(mutex_);
  const auto base = reinterpret_cast<std::uint64_t>(pointer);
  if (bytes == 0 || base + bytes < base || in_arena(base)) return false;
  const auto next = allocations_.lower_bound(base);
  if (next != allocations_.end() && next->first < base + bytes) return false;
  if (find_locked(base) != nullptr) return false;
  allocations_.insert_or_assign(
      base, Allocation{.base = base, .bytes = bytes, .id = next_id_++, .kind = MemoryKind::pinned});
  return true;
}

const Allocation* DeviceMemory::find_locked(std::uint64_t address) const {
  auto it = allocations_.upper_bound(address);
  if (it == allocations_.begin()) return nullptr;
  --it;
  return address - it->second.base < it->second.bytes ? &it->second : nullptr;
}

const Allocation* DeviceMemory::find(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  return find_locked(address);
}

// No allocation lies in another. What is freed was seldom meant while something else is near.
const Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  const std::shared_lock lock(mutex_);
  std::pair least(true, near_bytes + 1);
  const Allocation* found = nullptr;
  const auto look_at = [&](const Allocation& one) {
    const std::uint64_t away = address < one.base ? one.base - address : address - one.end();
    if (away > near_bytes) return false;
    if (std::pair(one.freed, away) < least) found = &one, least = {one.freed, away};
    return true;
  };
  const auto behind = allocations_.upper_bound(address);
  for (auto it = behind; it != allocations_.end() && look_at(it->second);) ++it;
  for (auto it = behind; it != allocations_.begin() && look_at(std::prev(it)->second);) --it;
  return found;
}

std::vector<Allocation> DeviceMemory::living(MemoryKind kind) const {
  const std::shared_lock lock(mutex_);
  std::vector<Allocation> found;
  // As after most launches, of which there are thousands.
  if (kind == MemoryKind::heap && heap_used_bytes_ == 0) return found;
  for (const auto& [base, allocation] : allocations_)
    if (allocation.kind == kind && !allocation.freed) found.push_back(allocation);
  return found;
}

// An array of the host whose pointer was handed to a kernel is mapped here.
std::string DeviceMemory::of_no_allocation(std::uint64_t address) const {
  if (const std::string name = name_ ? name_(address) : std::string(); !name.empty()) return name;
  unsigned char resident = 0;
  auto* const page = reinterpret_cast<void*>(address / page_bytes * page_bytes);
  if (!in_arena(address) && mincore(page, 1, &resident) == 0)
    return "memory of the host, which a kernel cannot reach: copy it to the device first";
  return "memory with no array near it";
}

std::string DeviceMemory::describe(std::uint64_t address) const {
  if (const Allocation* inside = find(address))
    return fmt::format("byte {} of {}", address - inside->base, name_and_place(*inside));
  const Allocation* near = nearest(address);
  if (near == nullptr) return of_no_allocation(address);
  if (address < near->base)
    return fmt::format("{} in front of {}", counted(near->base - address, "byte"),
                       name_and_place(*near));
  const std::uint64_t past = address - near->end();
  return (past == 0 ? std::string("just") : counted(past, "byte")) + " past the end of " +
         name_and_place(*near);
}

std::string DeviceMemory::describe(std::uint64_t address, std::uint64_t bytes) const {
  const Allocation* inside = find(address);
  const std::uint64_t left = inside == nullptr ? 0 : inside->end() - address;
  if (inside == nullptr || inside->freed || bytes <= left) return describe(address);
  return fmt::format("from byte {} of {} on, which has {}: the last {} behind its end",
                     address - inside->base, name_of(*inside), inside->bytes,
                     bytes - left == 1 ? "one lies" : fmt::format("{} lie", bytes - left));
}

std::byte* DeviceMemory::host_view(std::uint64_t address, std::uint64_t bytes) const {
  const Allocation* found = find(address);
  if (found == nullptr || found->freed || bytes > found->end() - address) return nullptr;
  if (found->watched) use_watched(address, bytes);
  return reinterpret_cast<std::byte*>(address + static_cast<std::uint64_t>(found->to_host));
}

void DeviceMemory::set_tracking(bool on) {
  const std::unique_lock lock(mutex_);
  if (on && initialized_ == nullptr && arena_bytes_ != 0) {
    auto map = std::make_unique<ByteMap>(arena_bytes_);
    if (map->failed()) return;
    initialized_ = std::move(map);
  }
  if (on && !tracking_ && initialized_ != nullptr)
    for (const auto& [base, allocation] : allocations_)
      if (!allocation.freed && in_arena(base))
        initialized_->mark(base - arena_, allocation.capacity);
  tracking_ = on && initialized_ != nullptr;
}

void DeviceMemory::mark_initialized(std::uint64_t address, std::uint64_t bytes) {
  if (!tracking_ || bytes == 0 || !in_arena(address)) return;
  initialized_->mark(address - arena_, bytes);
}

void DeviceMemory::mark_discarded(std::uint64_t address, std::uint64_t bytes) {
  if (tracking_ && in_arena(address)) initialized_->unmark(address - arena_, bytes);
}

std::optional<std::uint64_t> DeviceMemory::first_uninitialized(std::uint64_t address,
                                                               std::uint64_t bytes) const {
  if (!tracking_ || !in_arena(address)) return std::nullopt;
  const auto first = initialized_->first_unmarked(address - arena_, bytes);
  return first ? std::optional(arena_ + *first) : std::nullopt;
}

bool DeviceMemory::is_written_in_part(std::uint64_t address, std::uint32_t bytes) const {
  for (std::uint32_t at = 0; at < bytes; ++at)
    if (!first_uninitialized(address + at, 1)) return true;
  return false;
}

}  // namespace klab::sim
