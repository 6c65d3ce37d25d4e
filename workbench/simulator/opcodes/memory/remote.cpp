// st.async and red.async: stores into the shared memory of a block of the cluster that tell an
// mbarrier how many bytes came. Carried out at once, which PTX allows.
#include <array>

#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/memory/mbarrier.hpp"

namespace klab::sim {

namespace {

enum class Operation : u32 { store, add, min, max, inc, dec, bit_and, bit_or, bit_xor };

// An operand list: two addresses as base, its bytes, offset; then what is done with the values.
struct Remote {
  std::array<u32, 3> target, barrier;
  u32 operation, element_bytes, is_signed, count;
  std::array<u32, 4> values;
};
constexpr std::size_t remote_words = sizeof(Remote) / sizeof(u32);

u64 address_of(Warp& warp, const std::array<u32, 3>& at, u32 lane) {
  const u64 base = at[1] == 4 ? slot<u32>(warp, at[0])[lane] : slot<u64>(warp, at[0])[lane];
  const u64 address = base + static_cast<u64>(static_cast<i64>(static_cast<i32>(at[2])));
  return at[1] == 4 ? static_cast<u32>(address) : address;
}

template <class T>
T combine(Operation operation, T old, T value, bool is_signed) {
  using S = std::make_signed_t<T>;
  const auto less = [&](T a, T b) {
    return is_signed ? static_cast<S>(a) < static_cast<S>(b) : a < b;
  };
  switch (operation) {
    case Operation::add:
      return old + value;
    case Operation::min:
      return less(value, old) ? value : old;
    case Operation::max:
      return less(old, value) ? value : old;
    case Operation::inc:
      return old >= value ? T{0} : old + 1;
    case Operation::dec:
      return old == 0 || old > value ? value : old - 1;
    case Operation::bit_and:
      return old & value;
    case Operation::bit_or:
      return old | value;
    case Operation::bit_xor:
      return old ^ value;
    default:
      return value;
  }
}

template <class T>
void apply(Warp& warp, const Remote& remote, u32 lane, std::byte* at) {
  for (u32 i = 0; i < remote.count; ++i) {
    T old;
    std::memcpy(&old, at + i * sizeof(T), sizeof(T));
    const T value = slot<T>(warp, remote.values[i])[lane];
    const T next =
        combine(static_cast<Operation>(remote.operation), old, value, remote.is_signed != 0);
    std::memcpy(at + i * sizeof(T), &next, sizeof(T));
  }
}

void run_remote(Warp& warp, const Inst& inst) {
  Remote remote;
  std::memcpy(&remote, warp.launch->program->operand_lists[inst.op[0]].data(), sizeof remote);
  const u32 bytes = remote.element_bytes * remote.count;
  u64 addresses[lane_count] = {};
  for_each_lane(warp.mask,
                [&](u32 lane) { addresses[lane] = address_of(warp, remote.target, lane); });
  SiteCount& count = warp.sites[inst.site];
  ++count.requests;
  count.units += count_sectors(addresses, warp.mask, bytes);
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    std::byte* at = locate_any_shared(warp, inst, lane, addresses[lane], bytes, AccessKind::store);
    if (at == nullptr) return;
    if (remote.element_bytes == 4)
      apply<u32>(warp, remote, lane, at);
    else
      apply<u64>(warp, remote, lane, at);
    complete_bytes(warp, inst, lane, address_of(warp, remote.barrier, lane), bytes);
  });
}

std::array<u32, 3> bind_address(Encoder& e, std::size_t index) {
  const auto address = e.address(index, 4);
  return {address.base, address.base_bytes, static_cast<u32>(address.offset)};
}

bool bind(Encoder& e, Operation operation) {
  const ptx::Type type = e.type();
  Remote remote{};
  remote.operation = static_cast<u32>(operation);
  remote.element_bytes = ptx::bytes_of(type);
  remote.is_signed = type == ptx::Type::s32 || type == ptx::Type::s64;
  if (e.operands() != 3 || !e.has("mbarrier::complete_tx::bytes") || remote.element_bytes < 4)
    return false;
  const ptx::Operand& values = e.in.operands[1];
  const bool vector = values.kind == ptx::Operand::Kind::vector;
  remote.count = static_cast<u32>(vector ? values.elements.size() : 1);
  if (remote.count == 0 || remote.count > 4 || remote.count == 3) return false;
  for (u32 i = 0; i < remote.count; ++i)
    remote.values[i] = e.read(vector ? values.elements[i] : values, remote.element_bytes);
  remote.target = bind_address(e, 0);
  remote.barrier = bind_address(e, 2);
  std::vector<u32> list(remote_words);
  std::memcpy(list.data(), &remote, sizeof remote);
  e.out.op[0] = e.operand_list(std::move(list));
  e.note_shared_access(remote.element_bytes);
  e.use_site(Site::Kind::cluster);
  e.handlers(run_remote);
  return true;
}

bool select_store(Encoder& e) { return e.has("async") && bind(e, Operation::store); }
bool select_reduce(Encoder& e) {
  static constexpr std::array<std::pair<std::string_view, Operation>, 8> operations{{
      {"add", Operation::add},
      {"min", Operation::min},
      {"max", Operation::max},
      {"inc", Operation::inc},
      {"dec", Operation::dec},
      {"and", Operation::bit_and},
      {"or", Operation::bit_or},
      {"xor", Operation::bit_xor},
  }};
  if (!e.has("async")) return false;
  for (const auto& [name, operation] : operations)
    if (e.has(name)) return bind(e, operation);
  return false;
}

constexpr std::array<Opcode, 2> table{{
    {"st", select_store, ".async, .b32-.f64, .v2 .v4, with an mbarrier"},
    {"red", select_reduce, ".async, integers, with an mbarrier"},
}};

}  // namespace

std::span<const Opcode> remote_opcodes() { return table; }

}  // namespace klab::sim
