// ld, st and their relatives: operands, sites and the choice of handler; local and parameter
// memory.
#include <algorithm>
#include <array>
#include <bit>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/access/select.hpp"

namespace klab::sim {

// Sectors of an access to interleaved words: eight neighbouring lanes of one word share a sector.
static u32 count_local_sectors(u32 mask, const u64* offsets, u32 bytes) {
  u32 total = 0;
  u64 addresses[lane_count];
  for (u32 word = 0; word < std::max(1u, bytes / 4); ++word) {
    for (u32 lane = 0; lane < lane_count; ++lane)
      addresses[lane] = (offsets[lane] / 4 + word) * (4 * lane_count) + lane * 4;
    total += count_sectors(addresses, mask, 4);
  }
  return total;
}

// Of eight neighbouring lanes each, that have a lane in the mask.
static u32 groups_of_eight(u32 mask) {
  u32 groups = 0;
  for (; mask != 0; mask >>= 8) groups += (mask & 0xff) != 0;
  return groups;
}

// Of the active lanes' offsets.
struct LocalSpread {
  u64 bits = 0, highest = 0;
  bool same = true;
  LocalSpread(u32 mask, const u64* offsets) {
    const u64 first = offsets[std::countr_zero(mask)];
    u64 differ = 0;
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u64 active = u64{0} - (mask >> lane & 1);
      differ |= (offsets[lane] ^ first) & active;
      bits |= offsets[lane] & active;
      highest = std::max(highest, offsets[lane] & active);
    }
    same = differ == 0;
  }
};

// Words of 4 bytes, all within their memory; those of a whole warp at one offset lie in a row.
static void move_local_words(Warp& warp, const Inst& inst, u32 mask, const u64* offsets, bool row,
                             bool load) {
  const u32 count = shape_of(inst).count;
  for (u32 q = 0; q < count; ++q) {
    u32* const registers = slot<u32>(warp, inst.op[1 + q]);
    const auto move = [&](u32 lane, std::size_t bytes) {
      std::byte* const memory = local_byte(warp.local, lane, offsets[lane] + 4 * q);
      if (load)
        std::memcpy(&registers[lane], memory, bytes);
      else
        std::memcpy(memory, &registers[lane], bytes);
    };
    if (row)
      move(0, 4 * lane_count);
    else
      for_each_lane(mask, [&](u32 lane) { move(lane, 4); });
  }
}

void access_local(Warp& warp, const Inst& inst, u32 mask, const u64* offsets, u32 site, bool load) {
  const AccessShape shape = shape_of(inst);
  const u32 bytes = shape.bytes();  // a power of two
  const u64 limit = warp.local_bytes;
  const LocalSpread spread(mask, offsets);
  SiteCount& count = warp.sites[site];
  ++count.requests;
  count.units += spread.same ? std::max(1u, bytes / 4) * groups_of_eight(mask)
                             : count_local_sectors(mask, offsets, bytes);
  count.bytes += static_cast<u64>(std::popcount(mask)) * bytes;  // each lane has its own
  const bool fits =
      (spread.bits & (bytes - 1)) == 0 && spread.highest < limit && bytes <= limit - spread.highest;
  if (fits && shape.element_bytes == 4 && shape.register_bytes == 4)
    return move_local_words(warp, inst, mask, offsets, spread.same && mask == all_lanes, load);
  for_each_lane(mask, [&](u32 lane) {
    const u64 offset = offsets[lane];
    const bool misaligned = offset % bytes != 0;
    if (misaligned || offset >= limit || bytes > limit - offset)
      return raise_memory_fault(warp, inst, lane, offset, bytes,
                                load ? AccessKind::load : AccessKind::store, ptx::Space::local,
                                misaligned);
    for (u32 q = 0; q < shape.count; ++q) {
      // An element of 8 bytes lies in two rows.
      std::byte element[8] = {};
      const u64 at = offset + q * shape.element_bytes;
      const u32 piece = std::min<u32>(shape.element_bytes, 4);
      if (!load) store_element(warp, shape, inst.op[1 + q], lane, element);
      for (u32 done = 0; done < shape.element_bytes; done += piece) {
        std::byte* byte = local_byte(warp.local, lane, at + done);
        if (load)
          std::memcpy(element + done, byte, piece);
        else
          std::memcpy(byte, element + done, piece);
      }
      if (load) load_element(warp, shape, inst.op[1 + q], lane, element);
    }
  });
}

namespace {

// A `.param` variable of a function body: interleaved words in the frame. imm: offset, op[0]: slot.
template <bool Load>
void run_param_area(Warp& warp, const Inst& inst) {
  const AccessShape shape = shape_of(inst);
  std::byte* area = warp.frame + inst.op[0];
  for_each_lane(warp.mask, [&](u32 lane) {
    for (u32 q = 0; q < shape.count; ++q) {
      std::byte element[8] = {};
      const u64 at = static_cast<u64>(inst.imm) + q * shape.element_bytes;
      const u32 piece = std::min<u32>(shape.element_bytes, 4);
      if (!Load) store_element(warp, shape, inst.op[1 + q], lane, element);
      for (u32 done = 0; done < shape.element_bytes; done += piece) {
        std::byte* byte = local_byte(area, lane, at + done);
        if (Load)
          std::memcpy(element + done, byte, piece);
        else
          std::memcpy(byte, element + done, piece);
      }
      if (Load) load_element(warp, shape, inst.op[1 + q], lane, element);
    }
  });
}

// A kernel parameter at a fixed offset (imm).
void run_kernel_parameter(Warp& warp, const Inst& inst) {
  const AccessShape shape = shape_of(inst);
  const std::byte* from = warp.launch->config.parameters.data() + inst.imm;
  for (u32 q = 0; q < shape.count; ++q)
    for_each_lane(warp.mask, [&](u32 lane) {
      load_element(warp, shape, inst.op[1 + q], lane, from + q * shape.element_bytes);
    });
}

// A kernel parameter through a register: offset, or address in the window of parameters.
void run_parameter_address(Warp& warp, const Inst& inst) {
  const AccessShape shape = shape_of(inst);
  const auto parameters = warp.launch->config.parameters;
  u64 addresses[lane_count];
  lane_addresses<u64>(warp, inst, addresses);
  for_each_lane(warp.mask, [&](u32 lane) {
    const u64 offset = addresses[lane] & (parameter_window_bytes - 1);
    if (offset + shape.bytes() > parameters.size())
      return raise_memory_fault(warp, inst, lane, addresses[lane], shape.bytes(), AccessKind::load,
                                ptx::Space::param, false);
    for (u32 q = 0; q < shape.count; ++q)
      load_element(warp, shape, inst.op[1 + q], lane,
                   parameters.data() + offset + q * shape.element_bytes);
  });
}

ptx::Space space_of(const Encoder& e) {
  using ptx::Space;
  for (const std::string_view part : e.in.parts) {
    if (part == "global") return Space::global;
    if (part == "const") return Space::constant;
    if (part.starts_with("shared")) return Space::shared;
    if (part == "local") return Space::local;
    if (part.starts_with("param")) return Space::param;
  }
  return Space::generic;
}

// The registers of a load or store, and the element they hold.
bool bind_values(Encoder& e, const ptx::Operand& values, bool load) {
  const ptx::Type type = e.type();
  AccessShape shape;
  shape.element_bytes = static_cast<u8>(ptx::bytes_of(type));
  shape.sign_extend = type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32;
  const bool vector = values.kind == ptx::Operand::Kind::vector;
  const std::size_t count = vector ? values.elements.size() : 1;
  if (shape.element_bytes == 0 || shape.element_bytes > 8 || count == 0 || count > 4 || count == 3)
    return false;
  shape.count = static_cast<u8>(count);
  if (shape.bytes() > 32) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const ptx::Operand& value = vector ? values.elements[i] : values;
    u32 bytes = e.register_bytes(value);
    if (bytes == 0) bytes = std::max<u32>(2, shape.element_bytes);  // a literal, or `_`
    if (bytes < shape.element_bytes || (i > 0 && bytes != shape.register_bytes))
      return e.fail("A register is too narrow for the value it holds.");
    shape.register_bytes = static_cast<u8>(bytes);
    e.out.op[1 + i] = load ? e.write(value, bytes) : e.read(value, bytes);
  }
  e.out.op[5] = std::bit_cast<u32>(shape);
  return true;
}

// A load or store of 16 bytes through one register (PTX ISA 9.0, ld: .b128): as two halves in slots
// of their own. op[3]: space, base and what it is; op[4]: the register.
struct WideAccess {
  ptx::Space space = ptx::Space::generic;
  u8 base_bytes = 8;
  bool load = false, polling = false;
};
static_assert(sizeof(WideAccess) == sizeof(u32));

void run_wide(Warp& warp, const Inst& inst) {
  const auto wide = std::bit_cast<WideAccess>(inst.op[3]);
  auto* halves = slot<std::array<u64, 2>>(warp, inst.op[4]);
  u64 *low = slot<u64>(warp, inst.op[1]), *high = slot<u64>(warp, inst.op[2]);
  if (!wide.load)
    for_each_lane(warp.mask,
                  [&](u32 lane) { low[lane] = halves[lane][0], high[lane] = halves[lane][1]; });
  memory_handler(wide.space, wide.load, wide.base_bytes, wide.polling)(warp, inst);
  if (wide.load)
    for_each_lane(warp.mask, [&](u32 lane) { halves[lane] = {low[lane], high[lane]}; });
}

// In the place of bind_values.
bool bind_wide_value(Encoder& e, const ptx::Operand& value, bool load) {
  if (value.kind != ptx::Operand::Kind::name) return false;
  const ptx::Operand unnamed{.kind = ptx::Operand::Kind::name, .name = "_"};
  for (std::size_t half = 1; half <= 2; ++half) e.out.op[half] = e.write(unnamed, 8);
  e.out.op[4] = load ? e.write(value, 16) : e.read(value, 16);
  e.out.op[5] =
      std::bit_cast<u32>(AccessShape{.element_bytes = 8, .register_bytes = 8, .count = 2});
  return true;
}

bool bind_param(Encoder& e, const ptx::Operand& address, bool load) {
  const AccessShape shape = std::bit_cast<AccessShape>(e.out.op[5]);
  e.out.imm = address.offset;
  const auto outside = [&](u64 size) {
    return address.offset < 0 || static_cast<u64>(address.offset) + shape.bytes() > size;
  };
  if (const ParamArea* area = e.param_area(address)) {
    if (outside(area->bytes)) return e.fail("A parameter access lies outside the parameter.");
    e.out.op[0] = area->slot;
    e.handlers(load ? run_param_area<true> : run_param_area<false>);
    return true;
  }
  if (!load) return false;
  if (const auto offset = e.kernel_parameter(address.name)) {
    e.out.imm += *offset;
    if (e.out.imm < 0 || static_cast<u64>(e.out.imm) + shape.bytes() > e.kernel_parameter_bytes())
      return e.fail("A parameter access lies outside the parameters.");
    e.handlers(run_kernel_parameter);
    return true;
  }
  if (e.register_bytes(address) != 8) return false;
  e.out.op[0] = e.address(1).base;
  e.handlers(run_parameter_address);
  return true;
}

// The block's own, then that of the others in its cluster; the first one is left in use.
void use_shared_sites(Encoder& e, bool load) {
  e.use_site(load ? Site::Kind::shared_load : Site::Kind::shared_store);
  const u32 own = e.out.site;
  e.use_site(Site::Kind::cluster);
  e.out.site = own;
}

bool select_access(Encoder& e, bool load) {
  using ptx::Space;
  if (e.operands() != 2) return false;
  const bool wide = e.has("b128");
  const ptx::Space space = space_of(e);
  const ptx::Operand& address = e.in.operands[load ? 1 : 0];
  const ptx::Operand& values = e.in.operands[load ? 0 : 1];
  if (wide ? space == Space::param || !bind_wide_value(e, values, load)
           : !bind_values(e, values, load))
    return false;
  if (!e.error.empty()) return true;
  if (space == Space::param) return bind_param(e, address, load);
  const auto bound = e.address(load ? 1 : 0, space == Space::shared ? 4 : 8);
  e.out.op[0] = bound.base;
  e.out.imm = bound.offset;
  if (bound.base_bytes != 8 && space != Space::shared)
    return e.fail("An address outside shared memory needs a 64-bit register.");
  if (space == Space::constant) {
    if (!load) return false;
    e.use_site(Site::Kind::other);
  } else if (space == Space::shared) {
    use_shared_sites(e, load);
  } else if (space == Space::local) {
    e.use_site(load ? Site::Kind::local_load : Site::Kind::local_store);
  } else {
    e.use_site(load ? Site::Kind::global_load : Site::Kind::global_store);
    const u32 first = e.out.site;
    if (space == Space::generic) {
      use_shared_sites(e, load);
      e.use_site(load ? Site::Kind::local_load : Site::Kind::local_store);
    }
    e.out.site = first;
  }
  if (space == Space::shared || space == Space::generic)
    e.note_shared_access(std::bit_cast<AccessShape>(e.out.op[5]).element_bytes);
  if (space == Space::global && load && e.has("nc")) {
    AccessShape shape = std::bit_cast<AccessShape>(e.out.op[5]);
    shape.read_only = true;
    e.out.op[5] = std::bit_cast<u32>(shape);
    e.note_read_only_load();
  }
  if (!load && (space == Space::global || space == Space::generic))
    e.note_global_store(std::bit_cast<AccessShape>(e.out.op[5]).element_bytes);
  const bool polling = e.has("volatile") || e.has("acquire") || e.has("relaxed");
  AccessShape shape = std::bit_cast<AccessShape>(e.out.op[5]);
  shape.ordered = polling || e.has("release");
  e.out.op[5] = std::bit_cast<u32>(shape);
  if (wide)
    e.out.op[3] =
        std::bit_cast<u32>(WideAccess{space, static_cast<u8>(bound.base_bytes), load, polling});
  e.handlers(wide ? run_wide : memory_handler(space, load, bound.base_bytes, polling));
  return true;
}

void run_nothing(Warp&, const Inst&) {}

// A policy is nobody's to read, and what takes one does as without.
void run_policy(Warp& warp, const Inst& inst) {
  u64* out = slot<u64>(warp, inst.op[0]);
  for_each_lane(warp.mask, [&](u32 lane) { out[lane] = 0; });
}
bool select_policy(Encoder& e) {
  e.out.op[0] = e.write(0, 8);
  e.handlers(run_policy);
  return true;
}

bool select_load(Encoder& e) { return select_access(e, true); }
bool select_store(Encoder& e) {
  return !e.has("async") && !e.has("bulk") && select_access(e, false);
}
bool select_hint(Encoder& e) {
  if (e.has("tensor") || e.has("tensormap")) return false;
  e.handlers(run_nothing);
  return true;
}

// What is read there before it is written again is undefined (PTX ISA 9.0, discard): here, NaN.
void run_discard(Warp& warp, const Inst& inst) {
  constexpr u32 line_bytes = 128;
  u64 addresses[lane_count];
  lane_addresses<u64>(warp, inst, addresses);
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    std::byte* at = locate_global(warp, inst, lane, addresses[lane], line_bytes, AccessKind::store);
    if (at == nullptr) return;
    if (warp.checker != nullptr) [[unlikely]]
      warp.checker->global_access(warp, inst, 1u << lane, addresses, line_bytes, AccessKind::store);
    std::memset(at, 0xff, line_bytes);
    warp.launch->memory->mark_discarded(addresses[lane], line_bytes);
  });
}
bool select_discard(Encoder& e) {
  if (e.operands() != 2) return false;
  const auto bound = e.address(0);
  if (bound.base_bytes != 8)
    return e.fail("An address outside shared memory needs a 64-bit register.");
  e.out.op[0] = bound.base;
  e.out.imm = bound.offset;
  e.note_global_store(4);
  e.handlers(run_discard);
  return true;
}

constexpr std::array<Opcode, 8> table{{
    {"ld", select_load,
     "all spaces and generic, .b8-.b64, .v2 .v4, .b128, .volatile .relaxed .acquire .nc, cache "
     "hints"},
    {"ldu", select_load, ".global"},
    {"st", select_store,
     "all spaces and generic, .b8-.b64, .v2 .v4, .b128, .volatile .relaxed .release"},
    {"prefetch", select_hint, "no effect"},
    {"prefetchu", select_hint, "no effect"},
    {"discard", select_discard, ".L2, 128 bytes: they are undefined from then on"},
    {"applypriority", select_hint, "no effect"},
    {"createpolicy", select_policy, "no effect: the simulator has no caches"},
}};

}  // namespace

std::span<const Opcode> memory_opcodes() { return table; }

}  // namespace klab::sim
