// How a warp-wide load or store is described, and the paths it can take.
#pragma once
#include <cstdint>
#include <cstring>

#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

// The shape of an access, packed into Inst::op[5]. op[0] is the address base (of base_bytes), imm
// the offset, op[1] to op[4] the registers.
struct AccessShape {
  u8 element_bytes = 4;
  bool sign_extend : 1 = false;
  bool read_only : 1 = false;  // a load of global memory past the coherent caches
  bool ordered : 1 = false;    // volatile, relaxed, acquire or release
  u8 register_bytes = 4;
  u8 count = 1;  // elements of a vector

  u32 bytes() const { return u32{element_bytes} * count; }
};
static_assert(sizeof(AccessShape) == 4);

inline AccessShape shape_of(const Inst& inst) { return std::bit_cast<AccessShape>(inst.op[5]); }

// Lane addresses of an instruction whose base register has 4 or 8 bytes.
template <class A>
void lane_addresses(Warp& warp, const Inst& inst, u64* out) {
  const A* base = slot<A>(warp, inst.op[0]);
  const auto offset = static_cast<A>(inst.imm);
#pragma GCC ivdep
  for (int lane = 0; lane < lane_count; ++lane) out[lane] = static_cast<A>(base[lane] + offset);
}

// Calls act with an unsigned value of so many bytes: a copy of a width that the compiler knows is
// one instruction.
template <class Act>
void with_width(u32 bytes, Act&& act) {
  switch (bytes) {
    case 1:
      return act(u8{});
    case 2:
      return act(u16{});
    case 4:
      return act(u32{});
    default:
      return act(u64{});
  }
}

// One element between memory and a register, sign- or zero-extended.
inline void load_element(Warp& warp, const AccessShape& shape, u32 reg, u32 lane,
                         const std::byte* from) {
  u64 value = 0;
  with_width(shape.element_bytes, [&](auto element) {
    std::memcpy(&element, from, sizeof element);
    value = element;
  });
  const u32 shift = 64 - 8 * shape.element_bytes;
  if (shape.sign_extend) value = static_cast<u64>(static_cast<i64>(value << shift) >> shift);
  with_width(shape.register_bytes,
             [&](auto word) { slot<decltype(word)>(warp, reg)[lane] = decltype(word)(value); });
}
inline void store_element(Warp& warp, const AccessShape& shape, u32 reg, u32 lane, std::byte* to) {
  u64 value = 0;
  with_width(shape.register_bytes,
             [&](auto word) { value = slot<decltype(word)>(warp, reg)[lane]; });
  with_width(shape.element_bytes, [&](auto element) {
    element = static_cast<decltype(element)>(value);
    std::memcpy(to, &element, sizeof element);
  });
}

// A lane's vector, in one piece: other threads of the simulator may write it at the same time, and
// whoever hands over a value beside its flag relies on it, as on a GPU.
void load_vector(Warp& warp, const AccessShape& shape, const Inst& inst, u32 lane,
                 const std::byte* from);
void store_vector(Warp& warp, const AccessShape& shape, const Inst& inst, u32 lane, std::byte* to);

// Where the simulator finds the bytes that a lane addresses; null after raising a fault.
std::byte* locate_global(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                         AccessKind kind);
std::byte* locate_shared(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                         AccessKind kind);

// Where a warp's load from shared memory of the cluster begins, if all of it lies in one block's:
// `first` is the lowest lane's address, and all are from `low` to before `high`. Null otherwise.
std::byte* loaded_from_cluster(Warp& warp, const Inst& inst, u32 lane, u64 first, u64 low,
                               u64 high);

// For the checker of the block that these loads reach, if it is another one.
void note_loads_from_cluster(Warp& warp, const Inst& inst, u32 mask, const u64* addresses,
                             u32 bytes);

// Has the pattern try this allocation first, unless the kernel itself made it: that may be freed at
// any moment by a thread on another worker, so it is looked up at every access.
void remember(Pattern& pattern, const Allocation& allocation);
// As locate_global(), where the allocation that the instruction used last is tried first.
std::byte* locate_again(Warp& warp, const Inst& inst, u32 lane, u64 address, u32 bytes,
                        AccessKind kind);

// Local memory: the word w of lane l lies at w * 128 + l * 4. Returns where a byte of a lane lies.
inline std::byte* local_byte(std::byte* local, u32 lane, u64 offset) {
  return local + (offset / 4) * (4 * lane_count) + lane * 4 + offset % 4;
}
void access_local(Warp& warp, const Inst& inst, u32 mask, const u64* offsets, u32 site, bool load);

// The space of a generic address.
enum class Window : u8 { global, shared, local, parameter };
inline Window window_of(u64 address) {
  if (address - shared_window < shared_window_bytes) return Window::shared;
  if (address - local_window < local_window_bytes) return Window::local;
  if (address - parameter_window < parameter_window_bytes) return Window::parameter;
  return Window::global;
}

}  // namespace klab::sim
