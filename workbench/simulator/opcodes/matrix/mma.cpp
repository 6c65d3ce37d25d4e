// mma.sync on registers, and ldmatrix, stmatrix, movmatrix between registers and shared memory.
#include <array>
#include <charconv>

#include "simulator/execute/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern.hpp"
#include "simulator/opcodes/matrix/elements.hpp"

namespace klab::sim {

std::optional<MatrixShape> matrix_shape(const Encoder& encoder) {
  for (const std::string_view part : encoder.in.parts) {
    if (part.size() < 6 || part[0] != 'm') continue;
    const std::size_t n = part.find('n'), k = part.find('k');
    if (n == std::string_view::npos || k == std::string_view::npos || k < n) continue;
    MatrixShape shape;
    const auto parse = [&](std::size_t from, std::size_t to, u32& out) {
      return std::from_chars(part.data() + from, part.data() + to, out).ptr == part.data() + to;
    };
    if (parse(1, n, shape.m) && parse(n + 1, k, shape.n) && parse(k + 1, part.size(), shape.k))
      return shape;
  }
  return std::nullopt;
}

std::vector<u32> fragment_registers(Encoder& encoder, std::size_t operand, ptx::Type type,
                                    bool write) {
  if (operand >= encoder.operands()) {
    encoder.fail("A matrix instruction has too few operands.");
    return {};
  }
  const ptx::Operand& value = encoder.in.operands[operand];
  const u32 bytes = type == ptx::Type::f64 ? 8 : 4;
  std::vector<u32> out;
  const auto add = [&](const ptx::Operand& element) {
    out.push_back(write ? encoder.write(element, bytes) : encoder.read(element, bytes));
  };
  if (value.kind == ptx::Operand::Kind::vector)
    for (const ptx::Operand& element : value.elements) add(element);
  else
    add(value);
  return out;
}

namespace {

// Where the elements of the fragments lie; PTX ISA 9.0, "Matrix fragments for mma". With g = lane /
// 4 and t = lane % 4, and e elements to a register: the i-th element of register r of A is at row
// g + 8 (r mod 2), column t e + 4 e (r / 2) + i; of B at row t e + 4 e r + i, column g; of C and D
// the two elements of row g + 8 (j / 2) are at columns 2 t + j mod 2. The operand list: m, n, k,
// the four types, saturation, then the registers of D, A, B and C; op: how many registers D, A and
// B have.
void run_mma(Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[static_cast<std::size_t>(inst.imm)];
  const u32 m = list[0], n = list[1], k = list[2];
  const auto type = [&](u32 i) { return static_cast<ptx::Type>(list[3] >> (8 * i) & 0xff); };
  const ptx::Type td = type(0), ta = type(1), tb = type(2), tc = type(3);
  const u32 *rd = list.data() + 5, *ra = rd + inst.op[0], *rb = ra + inst.op[1],
            *rc = rb + inst.op[2];
  double a[16][32], b[32][8], c[16][8];
  const u32 ea = ta == ptx::Type::f64 ? 1 : 32 / element_bits(ta),
            eb = tb == ptx::Type::f64 ? 1 : 32 / element_bits(tb);
  for (u32 lane = 0; lane < lane_count; ++lane) {
    const u32 g = lane / 4, t = lane % 4;
    for (u32 i = 0; i < inst.op[1] * ea; ++i) {
      const u32 r = i / ea, row = m == 8 ? g : g + 8 * (r % 2),
                column = t * ea + 4 * ea * (m == 8 ? r : r / 2) + i % ea;
      a[row][column] = element_value(ta, read_element(warp, ra, ta, lane, i));
    }
    for (u32 i = 0; i < inst.op[2] * eb; ++i)
      b[t * eb + 4 * eb * (i / eb) + i % eb][g] =
          element_value(tb, read_element(warp, rb, tb, lane, i));
    for (u32 j = 0; j < m / 4; ++j)
      c[g + 8 * (j / 2)][2 * t + j % 2] = element_value(tc, read_element(warp, rc, tc, lane, j));
  }
  for (u32 row = 0; row < m; ++row)
    for (u32 column = 0; column < n; ++column)
      for (u32 i = 0; i < k; ++i) c[row][column] += a[row][i] * b[i][column];
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 g = lane / 4, t = lane % 4;
    for (u32 j = 0; j < m / 4; ++j)
      write_element(warp, rd, td, lane, j,
                    element_raw(td, c[g + 8 * (j / 2)][2 * t + j % 2], list[4] != 0));
  });
}

bool select_mma(Encoder& e) {
  const auto shape = matrix_shape(e);
  const bool plain = !e.has("sp") && !e.has("sp::ordered_metadata") && !e.has("block_scale") &&
                     !e.has("b1") && !e.has("xor");
  if (!shape || !plain || !e.has("row") || !e.has("col") || e.operands() != 4) return false;
  const ptx::Type c = e.type(0), b = e.type(1), a = e.type(2), d = e.type(3);
  const auto known = [](ptx::Type t) {
    using ptx::Type;
    return t == Type::f16 || t == Type::bf16 || t == Type::tf32 || t == Type::f64 ||
           t == Type::s8 || t == Type::u8;
  };
  if (!known(a) || !known(b) || shape->n != 8 || shape->k > 32 || (shape->m != 16 && shape->m != 8))
    return false;
  const auto rd = fragment_registers(e, 0, d, true), ra = fragment_registers(e, 1, a, false),
             rb = fragment_registers(e, 2, b, false), rc = fragment_registers(e, 3, c, false);
  const auto elements = [](const std::vector<u32>& registers, ptx::Type t) {
    return registers.size() * (t == ptx::Type::f64 ? 1 : 32 / element_bits(t));
  };
  const bool fits = elements(ra, a) * lane_count == shape->m * shape->k &&
                    elements(rb, b) * lane_count == shape->k * shape->n &&
                    elements(rc, c) == shape->m / 4 && elements(rd, d) == shape->m / 4;
  if (!fits)
    return shape->m == 8 && a == ptx::Type::f16
               ? false
               : e.fail("The operands of mma don't have the shape's size.");
  std::vector<u32> list{shape->m, shape->n, shape->k,
                        static_cast<u32>(d) | static_cast<u32>(a) << 8 | static_cast<u32>(b) << 16 |
                            static_cast<u32>(c) << 24,
                        e.has("satfinite") ? 1u : 0u};
  for (const auto* registers : {&rd, &ra, &rb, &rc})
    list.insert(list.end(), registers->begin(), registers->end());
  e.out.op[0] = static_cast<u32>(rd.size());
  e.out.op[1] = static_cast<u32>(ra.size());
  e.out.op[2] = static_cast<u32>(rb.size());
  e.out.imm = e.operand_list(std::move(list));
  e.note_flops(Metric::tensor_flop, 2 * shape->m * shape->n * shape->k / lane_count);
  e.handlers(run_mma);
  return true;
}

// ldmatrix and stmatrix: lane 8 i + r addresses row r of the i-th 8x8 matrix of 16-bit elements;
// lane l holds of each matrix the elements at row l / 4, columns 2 (l mod 4) and the next (or
// transposed). op: base, its bytes, count, transposed; imm: offset; registers follow in a list.
template <bool Load>
void run_matrix_rows(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  if (inst.op[1] == 4)
    lane_addresses<u32>(warp, inst, addresses);
  else
    lane_addresses<u64>(warp, inst, addresses);
  const auto& registers = warp.launch->program->operand_lists[inst.op[4]];
  const auto count = static_cast<u32>(registers.size());
  const bool transposed = inst.op[3] != 0;
  const u32 rows = count == 4 ? all_lanes : (1u << (8 * count)) - 1;
  const Wavefronts wavefronts = count_wavefronts(addresses, rows, 16);
  SiteCount& site = warp.sites[inst.site];
  ++site.requests;
  site.units += wavefronts.total;
  site.excess += wavefronts.total - wavefronts.ideal;
  for (u32 i = 0; i < count; ++i) {
    std::byte* row[8];
    for (u32 r = 0; r < 8; ++r) {
      row[r] = locate_shared(warp, inst, 8 * i + r, addresses[8 * i + r], 16,
                             Load ? AccessKind::load : AccessKind::store);
      if (row[r] == nullptr) return;
    }
    if (warp.checker != nullptr) [[unlikely]]
      warp.checker->shared_access(warp, inst, 0xffu << (8 * i), addresses, 16,
                                  Load ? AccessKind::load : AccessKind::store);
    u32* words = slot<u32>(warp, registers[i]);
    for_each_lane(warp.mask, [&](u32 lane) {
      for (u32 half = 0; half < 2; ++half) {
        const u32 a = lane / 4, b = 2 * (lane % 4) + half;
        std::byte* element = transposed ? row[b] + 2 * a : row[a] + 2 * b;
        if (Load)
          std::memcpy(reinterpret_cast<std::byte*>(words + lane) + 2 * half, element, 2);
        else
          std::memcpy(element, reinterpret_cast<std::byte*>(words + lane) + 2 * half, 2);
      }
    });
  }
}
bool select_rows(Encoder& e, bool load) {
  if (!e.has("m8n8") || !(e.has("shared") || e.has("shared::cta")) || e.type() != ptx::Type::b16)
    return false;
  const auto address = e.address(load ? 1 : 0, 4);
  const auto registers = fragment_registers(e, load ? 0 : 1, ptx::Type::b32, load);
  const std::size_t wanted = e.has("x4") ? 4 : e.has("x2") ? 2 : 1;
  if (registers.size() != wanted) return e.fail("A matrix load has the wrong number of registers.");
  e.out.op[0] = address.base;
  e.out.op[1] = address.base_bytes;
  e.out.op[3] = e.has("trans") ? 1 : 0;
  e.out.op[4] = e.operand_list(registers);
  e.out.imm = address.offset;
  e.use_site(load ? Site::Kind::shared_load : Site::Kind::shared_store);
  e.handlers(load ? run_matrix_rows<true> : run_matrix_rows<false>);
  return true;
}
bool select_ldmatrix(Encoder& e) { return select_rows(e, true); }
bool select_stmatrix(Encoder& e) { return select_rows(e, false); }

void run_movmatrix(Warp& warp, const Inst& inst) {
  u32 in[lane_count];
  std::memcpy(in, slot<u32>(warp, inst.op[1]), sizeof in);
  u32* out = slot<u32>(warp, inst.op[0]);
  const auto element = [&](u32 row, u32 column) {
    return in[row * 4 + column / 2] >> (16 * (column % 2)) & 0xffff;
  };
  for_each_lane(warp.mask, [&](u32 lane) {
    const u32 row = lane / 4, column = 2 * (lane % 4);
    out[lane] = element(column, row) | element(column + 1, row) << 16;
  });
}
bool select_movmatrix(Encoder& e) {
  if (!e.has("m8n8") || !e.has("trans")) return false;
  e.out.op[0] = e.write(0, 4);
  e.out.op[1] = e.read(1, 4);
  e.handlers(run_movmatrix);
  return true;
}

constexpr std::array<Opcode, 4> table{{
    {"mma", select_mma, ".sync .m16n8k4-.k32 .m8n8k4, .f16 .bf16 .tf32 .f64 .s8 .u8, dense"},
    {"ldmatrix", select_ldmatrix, ".m8n8 .x1 .x2 .x4 .trans .shared.b16"},
    {"stmatrix", select_stmatrix, ".m8n8 .x1 .x2 .x4 .trans .shared.b16"},
    {"movmatrix", select_movmatrix, ".m8n8.trans.b16"},
}};

}  // namespace

std::span<const Opcode> matrix_opcodes() { return table; }

}  // namespace klab::sim
