// Surface loads and stores: bytes of an array at coordinates (PTX ISA, "Surface Instructions").
#include <array>

#include <fmt/format.h>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/memory/textures.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/memory/texel_shape.hpp"

namespace klab::sim {

namespace {

enum class Beyond : u8 { trap, clamp, zero };

// Packed into Inst::imm. op[0]: operand list of the handle, the layer (if there is one) and the
// coordinates; op[1] to op[5] as of other loads and stores.
struct SurfaceShape {
  u8 dimensions = 1;
  bool layered = false;
  Beyond beyond = Beyond::trap;
};

i64 packed(const SurfaceShape& shape) {
  return shape.dimensions | i64{shape.layered} << 8 | static_cast<i64>(shape.beyond) << 16;
}
SurfaceShape shape_in(i64 bits) {
  return {static_cast<u8>(bits), (bits >> 8 & 1) != 0, static_cast<Beyond>(bits >> 16)};
}

// Where a lane's bytes lie; 0 where none do, or after a fault. The first coordinate counts bytes.
u64 address_in(Warp& warp, const Inst& inst, u32 lane, const TexelGrid& grid, bool load) {
  const auto shape = shape_in(inst.imm);
  const u32 bytes = shape_of(inst).bytes();
  const auto& list = warp.launch->program->operand_lists[inst.op[0]];
  const auto value = [&](u32 i) { return i64{slot<i32>(warp, list[i])[lane]}; };
  const u32 first = shape.layered ? 2 : 1;
  i64 place[3] = {value(first), shape.dimensions > 1 ? value(first + 1) : 0,
                  shape.layered          ? value(1)
                  : shape.dimensions > 2 ? value(first + 2)
                                         : 0};
  const i64 last[3] = {static_cast<i64>(grid.width * grid.format.bytes()) - bytes,
                       static_cast<i64>(grid.rows()) - 1, static_cast<i64>(grid.slices()) - 1};
  for (u32 axis = 0; axis < 3; ++axis) {
    if (place[axis] >= 0 && place[axis] <= last[axis]) continue;
    if (shape.beyond == Beyond::zero) return 0;
    if (shape.beyond == Beyond::clamp) {
      place[axis] = std::clamp<i64>(place[axis], 0, std::max<i64>(last[axis], 0));
      continue;
    }
    raise_fault(warp, inst, FaultCode::illegal_address,
                fmt::format("A surface is {} outside of its array, at byte {} of row {} of slice "
                            "{}: the first coordinate counts bytes.",
                            load ? "read" : "written", place[0], place[1], place[2]));
    return 0;
  }
  return grid.at(0, static_cast<u64>(place[1]), static_cast<u64>(place[2])) +
         static_cast<u64>(place[0]);
}

template <bool Load>
void run_surface(Warp& warp, const Inst& inst) {
  const AccessShape shape = shape_of(inst);
  const u64* handles = slot<u64>(warp, warp.launch->program->operand_lists[inst.op[0]][0]);
  constexpr AccessKind kind = Load ? AccessKind::load : AccessKind::store;
  u64 addresses[lane_count] = {};
  u32 within = 0;  // lanes whose bytes lie in the array
  for_each_lane(warp.mask, [&](u32 lane) {
    if (warp.stop) return;
    const Texture* surface = warp.launch->memory->textures().find(handles[lane]);
    if (surface == nullptr || !surface->is_surface)
      return raise_fault(warp, inst, FaultCode::illegal_address,
                         surface == nullptr
                             ? "A surface is used whose object does not exist, or not any more."
                             : "A texture object is used as a surface.");
    const SurfaceShape used = shape_in(inst.imm);
    if (!has_shape(surface->grid, used.dimensions, used.layered))
      return raise_fault(warp, inst, FaultCode::illegal_address,
                         "A surface is used by fewer dimensions than its array has, or by a layer "
                         "where there is none, or without.");
    addresses[lane] = address_in(warp, inst, lane, surface->grid, Load);
    if (addresses[lane] == 0) {
      constexpr std::byte zeros[8] = {};
      for (u32 q = 0; Load && q < shape.count; ++q)
        load_element(warp, shape, inst.op[1 + q], lane, zeros);
      return;
    }
    std::byte* at = locate_global(warp, inst, lane, addresses[lane], shape.bytes(), kind);
    if (at == nullptr) return;
    within |= 1u << lane;
    if (warp.checker != nullptr) [[unlikely]]
      warp.checker->global_access(warp, inst, 1u << lane, addresses, shape.bytes(),
                                  Load ? AccessKind::read_only_load : kind);
    for (u32 q = 0; q < shape.count; ++q) {
      if constexpr (Load)
        load_element(warp, shape, inst.op[1 + q], lane, at + q * shape.element_bytes);
      else
        store_element(warp, shape, inst.op[1 + q], lane, at + q * shape.element_bytes);
    }
  });
  SiteCount& count = warp.sites[inst.site];
  ++count.requests;
  if (within != 0) count.units += count_sectors(addresses, within, shape.bytes());
}

bool bind_values(Encoder& e, const ptx::Operand& values, bool load) {
  AccessShape shape;
  shape.element_bytes = static_cast<u8>(ptx::bytes_of(e.type()));
  shape.count = static_cast<u8>(values.elements.size());
  if (shape.element_bytes == 0 || shape.element_bytes > 8 || shape.count == 0 || shape.count > 4)
    return false;
  shape.register_bytes = std::max<u8>(2, shape.element_bytes);
  for (u32 i = 0; i < shape.count; ++i)
    e.out.op[1 + i] = load ? e.write(values.elements[i], shape.register_bytes)
                           : e.read(values.elements[i], shape.register_bytes);
  e.out.op[5] = std::bit_cast<u32>(shape);
  return true;
}

bool select_surface(Encoder& e, bool load) {
  if (e.operands() != 2 || !e.has("b")) return false;
  SurfaceShape shape;
  shape.layered = e.has("a1d") || e.has("a2d");
  shape.dimensions = e.has("3d") ? 3 : e.has("2d") || e.has("a2d") ? 2 : 1;
  if (shape.dimensions == 1 && !e.has("1d") && !e.has("a1d")) return false;
  shape.beyond = e.has("zero") ? Beyond::zero : e.has("clamp") ? Beyond::clamp : Beyond::trap;
  const ptx::Operand& at = e.in.operands[load ? 1 : 0];
  if (at.elements.size() != 1 || !bind_values(e, e.in.operands[load ? 0 : 1], load)) return false;
  const auto& place = at.elements[0].elements;
  const std::size_t used = shape.dimensions + (shape.layered ? 1u : 0u);
  if (place.size() < used) return false;
  ptx::Operand handle = at;
  handle.kind = ptx::Operand::Kind::name;
  handle.elements.clear();
  std::vector<u32> list{e.read(handle, 8)};
  for (std::size_t i = 0; i < used; ++i) list.push_back(e.read(place[i], 4));
  e.out.op[0] = e.operand_list(std::move(list));
  e.out.imm = packed(shape);
  e.use_site(Site::Kind::texture);
  if (load)
    e.note_read_only_load();
  else
    e.note_global_store(shape_of(e.out).element_bytes);
  e.handlers(load ? run_surface<true> : run_surface<false>);
  return true;
}

constexpr const char* forms = ".b of .1d .2d .3d .a1d .a2d, .b8-.b64, .v2 .v4, .trap .clamp .zero";
constexpr std::array<Opcode, 2> table{{
    {"suld", [](Encoder& e) { return select_surface(e, true); }, forms},
    {"sust", [](Encoder& e) { return select_surface(e, false); }, forms},
}};

}  // namespace

std::span<const Opcode> surface_opcodes() { return table; }

}  // namespace klab::sim
