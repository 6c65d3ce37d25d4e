// malloc and free inside kernels.
#include "simulator/opcodes/system/device_heap.hpp"

#include <fmt/format.h>

#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

namespace {

// Kernels allocate small pieces; more than this is a loop that went wrong.
constexpr u64 most_bytes = 1ull << 40;

}  // namespace

// void* malloc(size_t bytes): op[0] result, op[1] bytes. Null when the heap is full.
void run_malloc(Warp& warp, const Inst& inst) {
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 bytes = call_argument(warp, inst.op[1], lane, 8);
    u64 address = 0;
    if (bytes > 0 && bytes < most_bytes)
      address = warp.launch->memory->allocate(bytes, MemoryKind::heap).value_or(0);
    if (address == 0 && bytes > 0)
      warp.launch->note_full_heap(place_of(warp, location_of(warp, inst)), bytes);
    if (inst.op[0] == none) return;
    for (u32 half = 0; half < 8; half += 4)
      std::memcpy(local_byte(warp.frame + inst.op[0], lane, half),
                  reinterpret_cast<const std::byte*>(&address) + half, 4);
  });
}

// void free(void* pointer): op[1] pointer. Null does nothing.
void run_free(Warp& warp, const Inst& inst) {
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 address = call_argument(warp, inst.op[1], lane, 8);
    if (address == 0 || warp.stop) return;
    DeviceMemory& memory = *warp.launch->memory;
    const Allocation* found = memory.find(address);
    const bool ours = found != nullptr && found->base == address && found->kind == MemoryKind::heap;
    if (ours && memory.release(address)) return;
    const std::string what =
        ours && found->freed
            ? fmt::format("free() of {:#x}, which has been freed already", address)
            : fmt::format("free() of {:#x}, which no malloc() of a kernel returned ({})", address,
                          memory.describe(address));
    note_finding(warp, inst, FindingKind::use_after_free, lane, what);
    raise_fault(warp, inst, FaultCode::illegal_address, what + ".");
  });
}

}  // namespace klab::sim
