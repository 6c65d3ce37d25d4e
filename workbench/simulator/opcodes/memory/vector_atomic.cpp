// Atomic additions of several elements side by side: each element is atomic on its own.
#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/float_functions.hpp"

namespace klab::sim {

namespace {

struct AddFloat {
  u32 operator()(u32 a, u32 b) const {
    return std::bit_cast<u32>(canonical(std::bit_cast<float>(a) + std::bit_cast<float>(b)));
  }
};
template <class S>
struct AddSmall {
  u16 operator()(u16 a, u16 b) const { return S::round(S{a}.value() + S{b}.value()).bits; }
};
template <class S>
struct AddPair {
  u32 operator()(u32 a, u32 b) const {
    const AddSmall<S> add;
    return u32{add(static_cast<u16>(a >> 16), static_cast<u16>(b >> 16))} << 16 |
           add(static_cast<u16>(a), static_cast<u16>(b));
  }
};

// op[0]: base, op[1]: the operand list of destinations and sources, op[2]: elements, op[3]: whether
// there are destinations.
template <class F, class T>
void run_vector(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[inst.op[1]];
  const u32 count = inst.op[2], bytes = count * sizeof(T);
  const bool returns = inst.op[3] != 0;
  u64 addresses[lane_count];
  lane_addresses<u64>(warp, inst, addresses);
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    std::byte* at = locate_global(warp, inst, lane, addresses[lane], bytes, AccessKind::atomic);
    if (at == nullptr) return;
    if (warp.checker != nullptr) [[unlikely]]
      warp.checker->global_access(warp, inst, 1u << lane, addresses, bytes, AccessKind::atomic);
    for (u32 i = 0; i < count; ++i) {
      T* target = reinterpret_cast<T*>(at) + i;
      const T by = slot<T>(warp, list[count + i])[lane];
      T old = __atomic_load_n(target, __ATOMIC_SEQ_CST);
      while (!__atomic_compare_exchange_n(target, &old, F()(old, by), true, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST)) {
      }
      if (returns) slot<T>(warp, list[i])[lane] = old;
    }
  });
  ++warp.sites[inst.site].requests;
  warp.sites[inst.site].bytes += count_bytes(addresses, warp.mask, bytes);
}

template <class F, class T>
bool bind(Encoder& e, bool returns) {
  const std::size_t first = returns ? 1 : 0;
  const ptx::Operand& values = e.in.operands[first + 1];
  const auto count = static_cast<u32>(values.elements.size());
  if (values.kind != ptx::Operand::Kind::vector || count < 2 || count * sizeof(T) > 16)
    return false;
  if (returns && e.in.operands[0].elements.size() != count) return false;
  const auto address = e.address(first);
  if (address.base_bytes != 8)
    return e.fail("An address outside shared memory needs a 64-bit register.");
  std::vector<u32> list;
  for (u32 i = 0; i < count; ++i)
    list.push_back(returns ? e.write(e.in.operands[0].elements[i], sizeof(T)) : none);
  for (const ptx::Operand& value : values.elements) list.push_back(e.read(value, sizeof(T)));
  e.out.op[0] = address.base;
  e.out.imm = address.offset;
  e.out.op[1] = e.operand_list(std::move(list));
  e.out.op[2] = count;
  e.out.op[3] = returns ? 1 : 0;
  e.use_site(Site::Kind::global_atomic);
  e.handlers(run_vector<F, T>);
  return true;
}

bool select(Encoder& e, bool returns) {
  if (!e.has("v2") && !e.has("v4") && !e.has("v8")) return false;
  if (e.has("async") || !e.has("add") || e.operands() != (returns ? 3u : 2u)) return false;
  switch (e.type()) {
    case ptx::Type::f32:
      return bind<AddFloat, u32>(e, returns);
    case ptx::Type::f16:
      return bind<AddSmall<Half>, u16>(e, returns);
    case ptx::Type::bf16:
      return bind<AddSmall<Bfloat>, u16>(e, returns);
    case ptx::Type::f16x2:
      return bind<AddPair<Half>, u32>(e, returns);
    case ptx::Type::bf16x2:
      return bind<AddPair<Bfloat>, u32>(e, returns);
    default:
      return false;
  }
}

constexpr std::array<Opcode, 2> table{{
    {"atom", [](Encoder& e) { return select(e, true); }, ".add.v2-.v8 of .f16-.f32; global"},
    {"red", [](Encoder& e) { return select(e, false); }, ".add.v2-.v8 of .f16-.f32; global"},
}};

}  // namespace

std::span<const Opcode> vector_atomic_opcodes() { return table; }

}  // namespace klab::sim
