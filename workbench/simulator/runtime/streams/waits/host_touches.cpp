#include "simulator/runtime/streams/waits/host_touches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

constexpr std::size_t most_touches = 10'000;

/// The memory around an address, if the host reaches it, too.
std::optional<ByteRange> shared_around(std::uint64_t address) {
  const Allocation* allocation = Runtime::instance().device().memory().find(address);
  if (allocation == nullptr || allocation->freed) return std::nullopt;
  if (allocation->kind != MemoryKind::managed && allocation->kind != MemoryKind::pinned)
    return std::nullopt;
  return ByteRange{allocation->base, allocation->end()};
}

std::vector<ByteRange> reached_by(const KernelWork& kernel) {
  std::vector<ByteRange> ranges;
  const auto add = [&](std::uint64_t address) {
    const auto range = shared_around(address);
    if (range && std::none_of(ranges.begin(), ranges.end(),
                              [&](const ByteRange& one) { return one.begin == range->begin; }))
      ranges.push_back(*range);
  };
  std::uint64_t word = 0;
  for (std::size_t at = 0; at + sizeof word <= kernel.parameters.size(); at += sizeof word) {
    std::memcpy(&word, kernel.parameters.data() + at, sizeof word);
    add(word);
  }
  for (const auto& variable : kernel.kernel->module->variables)
    if (variable->host_pointer != nullptr)
      add(reinterpret_cast<std::uint64_t>(*variable->host_pointer));
  return ranges;
}

bool holds(ByteRanges& ranges, std::uint64_t address) {
  const std::vector<ByteRange>& all = ranges.in_order();
  const auto behind = std::upper_bound(
      all.begin(), all.end(), address,
      [](std::uint64_t wanted, const ByteRange& range) { return wanted < range.begin; });
  return behind != all.begin() && address < std::prev(behind)->end;
}

}  // namespace

bool HostTouches::may_speak(const KernelWork& kernel) {
  return Runtime::instance().has_device() && kernel.kernel->kernel->info().may_order_blocks &&
         !reached_by(kernel).empty();
}

std::vector<ByteRange> HostTouches::close_for(const KernelWork& kernel) {
  std::vector<ByteRange> ranges;
  // A kernel with fences may speak with the host while it runs.
  if (!Runtime::instance().has_device() || kernel.kernel->kernel->info().may_order_blocks)
    return ranges;
  ranges = reached_by(kernel);
  // The pages of what was registered may hold more than that, our own data as well.
  std::erase_if(ranges, [](const ByteRange& range) {
    return !Runtime::instance().device().memory().in_arena(range.begin);
  });
  for (const ByteRange& range : ranges) {
    const auto* at = reinterpret_cast<const void*>(range.begin);
    if (closed_[range.begin]++ > 0) open_to_host(at, range.end - range.begin);
    close_to_host(at, range.end - range.begin, HostGuard::kernel_pending);
  }
  return ranges;
}

void HostTouches::open(const std::vector<ByteRange>& ranges) {
  for (const ByteRange& range : ranges) {
    const auto kernels = closed_.find(range.begin);
    if (kernels == closed_.end() || --kernels->second > 0) continue;
    closed_.erase(kernels);
    const auto now = shared_around(range.begin);
    if (now && now->begin == range.begin && now->end == range.end)
      open_to_host(reinterpret_cast<const void*>(range.begin), range.end - range.begin);
  }
}

void HostTouches::collect(std::uint64_t next_sequence) {
  for (HostTouch& touch : take_host_touches())
    if (touches_.size() < most_touches) touches_.push_back({std::move(touch), next_sequence});
}

void HostTouches::drop() { take_host_touches(); }

std::optional<Finding> HostTouches::too_early(const KernelWork& kernel, std::uint64_t sequence,
                                              TouchedMemory& touched) const {
  for (const auto& [host, next] : touches_) {
    if (next <= sequence) continue;
    const bool written = holds(touched.written, host.address);
    if (!written && !(host.write && holds(touched.read, host.address))) continue;
    const DeviceMemory& memory = Runtime::instance().device().memory();
    const auto range = shared_around(host.address);
    const bool managed = range && memory.find(host.address)->kind == MemoryKind::managed;
    Finding finding;
    finding.kind = FindingKind::unsynchronized_read;
    finding.address = host.address;
    finding.allocation = memory.describe(host.address);
    finding.message = fmt::format(
        "Host code {} {} memory at {:#x}, {}, while kernel {}, which {} it, may still be running: "
        "no call has waited for it. Call cudaDeviceSynchronize or cudaStreamSynchronize before, or "
        "cudaEventSynchronize with an event that was recorded behind it.",
        host.write ? "writes" : "reads", managed ? "managed" : "pinned", host.address, host.where,
        brief_name(kernel.kernel->name), written ? "writes" : "reads");
    return finding;
  }
  return std::nullopt;
}

}  // namespace klab::sim
