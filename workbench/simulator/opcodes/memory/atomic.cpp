// Atomic operations on global, shared and generic memory.
#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/memory/atomic_functions.hpp"

namespace klab::sim {

namespace {

using namespace atomics;

// What an operation is in global memory.
template <class F>
struct InGlobal {
  using Function = F;
};
template <>
struct InGlobal<AddFloat> {
  using Function = AddFloatFlushed;
};

void count_shared(SiteCount& count, const u64* addresses, u32 mask, u32 bytes) {
  const Wavefronts wavefronts = count_wavefronts(addresses, mask, bytes);
  ++count.requests;
  count.units += wavefronts.total;
  count.bytes += wavefronts.bytes;
}

void count_global(SiteCount& count, const u64* addresses, u32 mask, u32 bytes) {
  const u32 sectors = count_sectors(addresses, mask, bytes);
  ++count.requests;
  count.units += sectors;
  count.bytes += count_bytes(addresses, mask, bytes, sectors);
}

// An exchange that nobody asks for what it found is a write: what it finds may be anything.
template <class F>
bool only_writes(const Inst& inst) {
  return std::is_same_v<F, Exchange> && inst.op[1] == none;
}

// The block's own shared memory, when all lanes are in it. Its blocks, and those of its cluster,
// run on one thread of the host, so nothing else can come between reading and writing.
template <class F, class T>
bool apply_in_block(Warp& warp, const Inst& inst, const u64* offsets, const T* b, const T* c,
                    T* out) {
  if (warp.shared_bytes < sizeof(T)) return false;
  const u64 last = warp.shared_bytes - sizeof(T);
  u64 low_bits = 0;
  bool beyond = false;
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const u64 active = 0 - static_cast<u64>(warp.mask >> lane & 1);
    low_bits |= offsets[lane] & active;
    beyond |= (offsets[lane] & active) > last;
  }
  if (beyond || (low_bits & (sizeof(T) - 1)) != 0) return false;
  if (warp.checker != nullptr) [[unlikely]] {
    if (only_writes<F>(inst))
      for_each_lane(warp.mask,
                    [&](u32 lane) { warp.checker->overwrite(offsets[lane], sizeof(T)); });
    warp.checker->shared_access(warp, inst, warp.mask, offsets, sizeof(T), AccessKind::atomic);
  }
  bool changed = false;
  for_each_lane(warp.mask, [&](u32 lane) {
    T old;
    std::memcpy(&old, warp.shared + offsets[lane], sizeof(T));
    const T next = F()(old, b[lane], c[lane]);
    std::memcpy(warp.shared + offsets[lane], &next, sizeof(T));
    changed = changed || next != old;
    if (out != nullptr) out[lane] = old;
  });
  if (!changed) note_poll(warp);
  SiteCount& count = warp.sites[inst.site];
  count_shared(count, offsets, warp.mask, sizeof(T));
  return true;
}

constexpr u32 block_scope = 1;  // .cta

bool is_of_another_block(const Warp& warp, const std::byte* at) {
  return at < warp.shared || at >= warp.shared + warp.shared_bytes;
}

template <ptx::Space S>
bool is_shared(u64 address) {
  return S == ptx::Space::shared ||
         (S == ptx::Space::generic && window_of(address) == Window::shared);
}

// The lanes in global memory are looked at together, before any of them changes it; what another
// allocation holds, or none, stops the warp.
template <class F, class T, ptx::Space S>
void check_global(Warp& warp, const Inst& inst, const u64* addresses) {
  u32 lanes = 0;
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop || is_shared<S>(addresses[lane])) return;
    if (locate_again(warp, inst, lane, addresses[lane], sizeof(T), AccessKind::atomic) == nullptr)
      return;
    lanes |= 1u << lane;
    if (only_writes<F>(inst)) warp.launch->memory->mark_initialized(addresses[lane], sizeof(T));
  });
  if (lanes != 0)
    warp.checker->global_access(
        warp, inst, lanes, addresses, sizeof(T),
        inst.op[5] == block_scope ? AccessKind::block_atomic : AccessKind::atomic);
}

// One in shared memory, here or elsewhere in the cluster.
template <class F, class T>
void check_shared(Warp& warp, const Inst& inst, u32 lane, u64* addresses, const std::byte* at) {
  const bool elsewhere = is_of_another_block(warp, at);
  if (inst.op[5] == block_scope && elsewhere) note_block_scope_abroad(warp, inst, lane);
  if (only_writes<F>(inst) && !elsewhere) warp.checker->overwrite(addresses[lane], sizeof(T));
  warp.checker->shared_access(warp, inst, 1u << lane, addresses, sizeof(T), AccessKind::atomic);
}

// Lane after lane, in ascending order. op: destination (or none), address, b, c, bytes of the
// address, `block_scope`. Two sites in a row, global and shared, where the space is generic.
template <class F, class T, ptx::Space S>
void run_atomic(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  if (inst.op[4] == 4)
    lane_addresses<u32>(warp, inst, addresses);
  else
    lane_addresses<u64>(warp, inst, addresses);
  const T *b = slot<T>(warp, inst.op[2]), *c = slot<T>(warp, inst.op[3]);
  T* out = inst.op[1] == none ? nullptr : slot<T>(warp, inst.op[1]);
  warp.fetched = out != nullptr;
  if constexpr (S == ptx::Space::shared)
    if (apply_in_block<F, T>(warp, inst, addresses, b, c, out)) [[likely]]
      return;
  bool changed = false;
  u32 in_shared = 0;
  if (warp.checker != nullptr && S != ptx::Space::shared) [[unlikely]]
    check_global<F, T, S>(warp, inst, addresses);
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    const bool shared = is_shared<S>(addresses[lane]);
    const u64 address =
        S == ptx::Space::generic && shared ? addresses[lane] - shared_window : addresses[lane];
    std::byte* at = shared ? locate_shared(warp, inst, lane, address, sizeof(T), AccessKind::atomic)
                           : locate_again(warp, inst, lane, address, sizeof(T), AccessKind::atomic);
    if (at == nullptr) return;
    if (warp.checker != nullptr && shared) [[unlikely]] {
      addresses[lane] = address;
      check_shared<F, T>(warp, inst, lane, addresses, at);
    }
    in_shared |= u32{shared} << lane;
    const T old = shared ? apply<F>(at, b[lane], c[lane])
                         : apply<typename InGlobal<F>::Function>(at, b[lane], c[lane]);
    changed = changed || F()(old, b[lane], c[lane]) != old;
    if (out != nullptr) out[lane] = old;
  });
  if (!changed) note_poll(warp);
  if (S != ptx::Space::generic || (warp.mask & ~in_shared) != 0) {
    SiteCount& count = warp.sites[inst.site];
    if (S == ptx::Space::shared)
      count_shared(count, addresses, warp.mask, sizeof(T));
    else
      count_global(count, addresses, warp.mask & ~in_shared, sizeof(T));
  }
  if (S == ptx::Space::generic && in_shared != 0) {
    SiteCount& count = warp.sites[inst.site + 1];
    count_shared(count, addresses, in_shared, sizeof(T));
  }
}

template <class F, class T>
bool bind(Encoder& e, bool returns) {
  using ptx::Space;
  const std::size_t first = returns ? 1 : 0;
  const bool shared = e.has("shared") || e.has("shared::cta") || e.has("shared::cluster");
  const bool global = e.has("global");
  const auto address = e.address(first, shared ? 4 : 8);
  if (address.base_bytes == 4 && !shared)
    return e.fail("An address outside shared memory needs a 64-bit register.");
  e.out.op[0] = address.base;
  e.out.imm = address.offset;
  e.out.op[4] = address.base_bytes;
  e.out.op[1] = none;
  if (e.has("cta")) e.out.op[5] = block_scope;
  if (!global) e.note_shared_access(sizeof(T));
  if (returns && (!std::is_same_v<F, Exchange> || e.is_read(0)))
    e.out.op[1] = e.write(0, sizeof(T));
  e.out.op[2] = e.read(first + 1, sizeof(T));
  e.out.op[3] = e.has("cas") ? e.read(first + 2, sizeof(T)) : e.out.op[2];
  e.use_site(shared ? Site::Kind::shared_atomic : Site::Kind::global_atomic);
  if (!shared && !global) {
    const u32 site = e.out.site;
    e.use_site(Site::Kind::shared_atomic);
    e.out.site = site;
  }
  e.handlers(shared   ? run_atomic<F, T, Space::shared>
             : global ? run_atomic<F, T, Space::global>
                      : run_atomic<F, T, Space::generic>);
  return true;
}

template <class U, class I>
bool integer(Encoder& e, bool returns, bool sign) {
  if (e.has("add")) return bind<Add, U>(e, returns);
  if (e.has("min")) return sign ? bind<Least, I>(e, returns) : bind<Least, U>(e, returns);
  if (e.has("max")) return sign ? bind<Most, I>(e, returns) : bind<Most, U>(e, returns);
  if (e.has("and")) return bind<And, U>(e, returns);
  if (e.has("or")) return bind<Or, U>(e, returns);
  if (e.has("xor")) return bind<Xor, U>(e, returns);
  if (e.has("exch")) return bind<Exchange, U>(e, returns);
  return e.has("cas") && bind<CompareAndSwap, U>(e, returns);
}

bool select(Encoder& e, bool returns) {
  using ptx::Type;
  if (e.has("async") || e.has("v2") || e.has("v4") || e.has("v8")) return false;
  switch (e.type()) {
    case Type::f32:
      return e.has("add") && bind<AddFloat, u32>(e, returns);
    case Type::f64:
      return e.has("add") && bind<AddDouble, u64>(e, returns);
    case Type::f16:
      return e.has("add") && bind<AddSmall<Half>, u16>(e, returns);
    case Type::bf16:
      return e.has("add") && bind<AddSmall<Bfloat>, u16>(e, returns);
    case Type::f16x2:
      return e.has("add") && bind<AddPair<Half>, u32>(e, returns);
    case Type::bf16x2:
      return e.has("add") && bind<AddPair<Bfloat>, u32>(e, returns);
    case Type::b16:
      return e.has("cas") && bind<CompareAndSwap, u16>(e, returns);
    case Type::b128:
      if (!returns) return false;
      if (e.has("exch")) return bind<Exchange, u128>(e, true);
      return e.has("cas") && bind<CompareAndSwap, u128>(e, true);
    case Type::s32:
      return integer<u32, i32>(e, returns, true);
    case Type::s64:
      return integer<u64, i64>(e, returns, true);
    case Type::u64:
    case Type::b64:
      return integer<u64, i64>(e, returns, false);
    case Type::u32:
    case Type::b32:
      if (e.has("inc")) return bind<Increment, u32>(e, returns);
      if (e.has("dec")) return bind<Decrement, u32>(e, returns);
      return integer<u32, i32>(e, returns, false);
    default:
      return false;
  }
}
bool select_atom(Encoder& e) { return select(e, true); }
bool select_red(Encoder& e) { return select(e, false); }

constexpr std::array<Opcode, 2> table{{
    {"atom", select_atom,
     ".add .min .max .and .or .xor .exch .cas .inc .dec, integers, .f16-.f64, packed; .exch .cas "
     "of .b128; global, shared, generic"},
    {"red", select_red, "as atom"},
}};

}  // namespace

std::span<const Opcode> atomic_opcodes() { return table; }

}  // namespace klab::sim
