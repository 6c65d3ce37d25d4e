// wmma: matrices between memory and fragments, and their product. The layout of a wmma fragment is
// left open by PTX; here lane l holds the elements l p to (l + 1) p - 1 of the matrix in row order.
#include <array>

#include "simulator/execute/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/matrix/elements.hpp"

namespace klab::sim {

namespace {

using ptx::Type;

u32 per_register(Type type) { return type == Type::f64 ? 1 : 32 / element_bits(type); }

// What a fragment holds: its matrix is rows x columns.
struct Fragment {
  u32 rows = 0, columns = 0;
  Type type = Type::f32;
  u32 per_lane() const { return rows * columns / lane_count; }
};
Fragment fragment(const MatrixShape& shape, char which, Type type) {
  if (which == 'a') return {shape.m, shape.k, type};
  if (which == 'b') return {shape.k, shape.n, type};
  return {shape.m, shape.n, type};
}

// The operand list of loads and stores: rows, columns, type, whether columns are contiguous, stride
// slot, space (0 generic, 1 global, 2 shared), bytes of the base register, then the registers.
// op[0]: the address base; imm: its offset; op[1]: the list. Two sites: global, shared.
enum Field { rows, columns, type, by_column, stride, space, base_bytes, first_register };

// How hardware moves a fragment: blocks of 8 rows by 8 columns along the contiguous dimension, two
// neighbouring elements a lane. PTX leaves this open; these counts are those of an H200.
struct Transfer {
  u64 base = 0, step = 0;
  u32 bytes = 0, rows = 0, columns = 0;  // rows lie `step` elements apart
};
constexpr u32 block_extent = 8, elements_a_lane = 2;

bool is_blocked(const Transfer& t) {
  return t.rows % block_extent == 0 && t.columns % block_extent == 0;
}

void count_blocks(const Transfer& t, u32 mask, bool shared, SiteCount& site) {
  constexpr u32 lanes_a_row = block_extent / elements_a_lane;
  for (u32 row = 0; row < t.rows; row += block_extent)
    for (u32 column = 0; column < t.columns; column += block_extent) {
      u64 at[lane_count];
      for (u32 lane = 0; lane < lane_count; ++lane)
        at[lane] = t.base + t.bytes * ((row + lane / lanes_a_row) * t.step + column +
                                       lane % lanes_a_row * elements_a_lane);
      const u32 width = t.bytes * elements_a_lane;
      ++site.requests;
      site.units +=
          shared ? count_wavefronts(at, mask, width).total : count_sectors(at, mask, width);
    }
}

template <bool Load>
void run_transfer(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[inst.op[1]];
  const auto element = static_cast<Type>(list[type]);
  const u32 bytes = element_bits(element) / 8, per_lane = list[rows] * list[columns] / lane_count;
  const u32* registers = list.data() + first_register;
  const u32 slots = static_cast<u32>(list.size() - first_register) * per_register(element);
  u64 addresses[lane_count];
  if (list[base_bytes] == 4)
    lane_addresses<u32>(warp, inst, addresses);
  else
    lane_addresses<u64>(warp, inst, addresses);
  const auto leader = static_cast<u32>(std::countr_zero(warp.mask));
  u64 base = addresses[leader];
  const bool shared = list[space] == 2 || (list[space] == 0 && window_of(base) == Window::shared);
  if (list[space] == 0 && shared) base -= shared_window;
  const u64 step = slot<u32>(warp, list[stride])[leader];
  constexpr AccessKind kind = Load ? AccessKind::load : AccessKind::store;
  SiteCount& site = warp.sites[inst.site + (shared ? 1 : 0)];
  const bool by_columns = list[by_column] != 0;
  const Transfer transfer{base, step, bytes, by_columns ? list[columns] : list[rows],
                          by_columns ? list[rows] : list[columns]};
  const bool blocked = is_blocked(transfer);
  if (blocked)
    count_blocks(transfer, warp.mask, shared, site);
  else
    ++site.requests;
  for (u32 j = 0; j < slots; ++j) {
    u64 at[lane_count];
    for (u32 lane = 0; lane < lane_count; ++lane) {
      const u32 index = lane * per_lane + j % per_lane, row = index / list[columns],
                column = index % list[columns];
      at[lane] = base + bytes * (by_columns ? column * step + row : row * step + column);
    }
    if (j < per_lane && !blocked)
      site.units += shared ? count_wavefronts(at, warp.mask, bytes).total
                           : count_sectors(at, warp.mask, bytes);
    for_each_lane(warp.mask, [&](u32 lane) {
      if (warp.stop || (!Load && j >= per_lane)) return;
      std::byte* where = shared ? locate_shared(warp, inst, lane, at[lane], bytes, kind)
                                : locate_global(warp, inst, lane, at[lane], bytes, kind);
      if (where == nullptr) return;
      if (warp.checker != nullptr) [[unlikely]] {
        if (shared)
          warp.checker->shared_access(warp, inst, 1u << lane, at, bytes, kind);
        else
          warp.checker->global_access(warp, inst, 1u << lane, at, bytes, kind);
      }
      u64 raw = 0;
      if (Load) {
        std::memcpy(&raw, where, bytes);
        write_element(warp, registers, element, lane, j, raw);
      } else {
        raw = read_element(warp, registers, element, lane, j);
        std::memcpy(where, &raw, bytes);
      }
    });
  }
}

bool select_transfer(Encoder& e, const MatrixShape& shape) {
  const bool load = e.has("load");
  const char which = e.has("a") ? 'a' : e.has("b") ? 'b' : 'c';
  const Type element = e.type();
  const Fragment matrix = fragment(shape, which, element);
  const auto address = e.address(load ? 1 : 0, 8);
  const auto registers = fragment_registers(e, load ? 0 : 1, element, load);
  if (registers.size() * per_register(element) < matrix.per_lane())
    return e.fail("A matrix fragment has too few registers.");
  const bool columns_first = e.has("col");
  const u32 step =
      e.operands() > 2 ? e.read(2, 4) : e.constant(columns_first ? matrix.rows : matrix.columns, 4);
  const bool shared = e.has("shared") || e.has("shared::cta");
  e.note_shared_access(element_bits(element) / 8);
  std::vector<u32> list{matrix.rows,       matrix.columns, static_cast<u32>(element),
                        columns_first,     step,           shared ? 2u : e.has("global") ? 1u : 0u,
                        address.base_bytes};
  list.insert(list.end(), registers.begin(), registers.end());
  e.out.op[0] = address.base;
  e.out.op[1] = e.operand_list(std::move(list));
  e.out.imm = address.offset;
  e.use_site(load ? Site::Kind::global_load : Site::Kind::global_store);
  const u32 site = e.out.site;
  e.use_site(load ? Site::Kind::shared_load : Site::Kind::shared_store);
  e.out.site = site;
  e.handlers(load ? run_transfer<true> : run_transfer<false>);
  return true;
}

// The operand list of products: m, n, k, the types of D, A, B, C, saturation, then their registers.
void run_product(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[static_cast<std::size_t>(inst.imm)];
  const MatrixShape shape{list[0], list[1], list[2]};
  const auto element = [&](u32 i) { return static_cast<Type>(list[3 + i]); };
  const u32 *rd = list.data() + 8, *ra = rd + inst.op[0], *rb = ra + inst.op[1],
            *rc = rb + inst.op[2];
  std::array<double, 1024> a, b, c;
  const auto read = [&](const Fragment& matrix, const u32* registers,
                        std::array<double, 1024>& out) {
    for (u32 i = 0; i < matrix.rows * matrix.columns; ++i)
      out[i] = element_value(
          matrix.type,
          read_element(warp, registers, matrix.type, i / matrix.per_lane(), i % matrix.per_lane()));
  };
  read(fragment(shape, 'a', element(1)), ra, a);
  read(fragment(shape, 'b', element(2)), rb, b);
  read(fragment(shape, 'c', element(3)), rc, c);
  for (u32 row = 0; row < shape.m; ++row)
    for (u32 i = 0; i < shape.k; ++i)
      for (u32 column = 0; column < shape.n; ++column)
        c[row * shape.n + column] += a[row * shape.k + i] * b[i * shape.n + column];
  const Fragment result = fragment(shape, 'd', element(0));
  for_each_lane(warp.mask, [&](u32 lane) {
    for (u32 j = 0; j < result.per_lane(); ++j)
      write_element(warp, rd, result.type, lane, j,
                    element_raw(result.type, c[lane * result.per_lane() + j], list[7] != 0));
  });
}

bool select_product(Encoder& e, const MatrixShape& shape) {
  // Only .f16 operands leave their type out: .m16n16k16.f32.f32 names D and C.
  std::vector<Type> types;
  for (const std::string_view part : e.in.parts)
    if (const auto found = ptx::type_named(part)) types.push_back(*found);
  if (types.size() == 2) types = {types[0], Type::f16, Type::f16, types[1]};
  if (types.size() != 4 || e.operands() != 4) return false;
  const auto rd = fragment_registers(e, 0, types[0], true),
             ra = fragment_registers(e, 1, types[1], false),
             rb = fragment_registers(e, 2, types[2], false),
             rc = fragment_registers(e, 3, types[3], false);
  const auto fits = [&](const std::vector<u32>& registers, char which, Type type) {
    return registers.size() * per_register(type) >= fragment(shape, which, type).per_lane();
  };
  if (!fits(rd, 'd', types[0]) || !fits(ra, 'a', types[1]) || !fits(rb, 'b', types[2]) ||
      !fits(rc, 'c', types[3]))
    return e.fail("A matrix fragment has too few registers.");
  std::vector<u32> list{shape.m, shape.n, shape.k};
  for (const Type t : types) list.push_back(static_cast<u32>(t));
  list.push_back(e.has("satfinite") ? 1u : 0u);
  for (const auto* registers : {&rd, &ra, &rb, &rc})
    list.insert(list.end(), registers->begin(), registers->end());
  e.out.op[0] = static_cast<u32>(rd.size());
  e.out.op[1] = static_cast<u32>(ra.size());
  e.out.op[2] = static_cast<u32>(rb.size());
  e.out.imm = e.operand_list(std::move(list));
  e.note_flops(Metric::tensor_flop, 2 * shape.m * shape.n * shape.k / lane_count);
  e.handlers(run_product);
  return true;
}

bool select_wmma(Encoder& e) {
  const auto shape = matrix_shape(e);
  if (!shape || e.has("b1") || e.has("s4") || e.has("u4") || shape->m > 32 || shape->n > 32 ||
      shape->k > 16)
    return false;
  if (shape->m * shape->n > 1024 || shape->m * shape->k % lane_count != 0 ||
      shape->n * shape->k % lane_count != 0)
    return false;
  return e.has("mma") ? select_product(e, *shape) : select_transfer(e, *shape);
}

constexpr std::array<Opcode, 1> table{{
    {"wmma", select_wmma,
     ".load .store .mma, .m16n16k16 .m32n8k16 .m8n32k16 .m16n16k8 .m8n8k4, .f16 .bf16 .tf32 .f64 "
     ".s8 .u8"},
}};

}  // namespace

std::span<const Opcode> wmma_opcodes() { return table; }

}  // namespace klab::sim
