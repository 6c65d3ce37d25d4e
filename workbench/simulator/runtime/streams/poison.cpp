// Poison and page guards for memory that pending copies will write or still read.
#include "simulator/runtime/streams/poison.hpp"

#include "simulator/runtime/state/host_access.hpp"
#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {
namespace {

bool is_own_pinned(const void* pointer) {
  Runtime& runtime = Runtime::instance();
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (!runtime.has_device() || !runtime.device().memory().in_arena(address)) return false;
  const Allocation* allocation = runtime.device().memory().find(address);
  return allocation != nullptr && allocation->kind == MemoryKind::pinned && !allocation->freed;
}

/// The pattern depends on the address only, so that rows of any alignment hold whole words.
void fill_with_poison(std::byte* begin, std::size_t bytes, std::uint64_t address) {
  for (std::size_t i = 0; i < bytes; ++i) {
    begin[i] = static_cast<std::byte>(poison_word >> (8 * ((address + i) % 4)));
  }
}

void poison(const CopyWork& copy) {
  const auto address = reinterpret_cast<std::uint64_t>(copy.destination);
  std::byte* view =
      Runtime::instance().device().memory().host_view(address, copy.destination_span());
  if (view == nullptr) return;
  for (std::size_t z = 0; z < copy.depth; ++z) {
    for (std::size_t y = 0; y < copy.height; ++y) {
      const std::size_t row = (z * copy.destination_slice_rows + y) * copy.destination_pitch;
      fill_with_poison(view + row, copy.width_bytes, address + row);
    }
  }
}

/// The copy, or those of a graph.
template <class Act>
void for_each_copy(const Work& work, const Act& act) {
  if (const auto* copy = std::get_if<CopyWork>(&work); copy != nullptr && copy->bytes() > 0)
    act(*copy);
  if (const auto* graph = std::get_if<GraphWork>(&work))
    for (const Work& step : graph->program->steps) for_each_copy(step, act);
}

}  // namespace

void guard_pending(const Work& work) {
  // Where kernels run in part, memory may be larger than this machine's.
  if (Runtime::instance().settings.blocks_in_part > 0) return;
  const bool alone = std::holds_alternative<CopyWork>(work);
  for_each_copy(work, [&](const CopyWork& copy) {
    if (is_own_pinned(copy.destination)) {
      if (alone) poison(copy);
      close_to_host(copy.destination, copy.destination_span(), HostGuard::write_pending);
    }
    if (is_own_pinned(copy.source))
      close_to_host(copy.source, copy.source_span(), HostGuard::read_pending);
  });
}

void unguard_pending(const Work& work) {
  for_each_copy(work, [](const CopyWork& copy) {
    if (is_own_pinned(copy.destination)) open_to_host(copy.destination, copy.destination_span());
    if (is_own_pinned(copy.source)) open_to_host(copy.source, copy.source_span());
  });
}

}  // namespace klab::sim
