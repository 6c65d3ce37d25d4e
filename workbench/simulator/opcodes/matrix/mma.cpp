// mma.sync on registers, and ldmatrix, stmatrix, movmatrix between registers and shared memory.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/access/memory_access.hpp"
#include "simulator/opcodes/access/pattern_cache.hpp"
#include "simulator/opcodes/matrix/doubles.hpp"
#include "simulator/opcodes/matrix/fragments.hpp"

namespace klab::sim {

namespace {

// Where the elements of the fragments lie; PTX ISA 9.0, "Matrix fragments for mma". A register is
// a word of several elements, or one. With g = lane / 4 and t = lane % 4, register r of A holds
// word 4 (r / 2) + t of row g + 8 (r mod 2), or of 8 rows word 4 r + t of row g; register r of B
// word 4 r + t of column g; register j of C and D the element 2 t + j mod 2 of row g + 8 (j / 2),
// or of halves both elements of row g + 8 j.
#if defined(__AVX2__)
// Four by four words in each half.
void turn_halves(__m256 (&x)[4]) {
  const __m256 a = _mm256_unpacklo_ps(x[0], x[1]), b = _mm256_unpackhi_ps(x[0], x[1]),
               c = _mm256_unpacklo_ps(x[2], x[3]), d = _mm256_unpackhi_ps(x[2], x[3]);
  x[0] = _mm256_shuffle_ps(a, c, 0x44);
  x[1] = _mm256_shuffle_ps(a, c, 0xee);
  x[2] = _mm256_shuffle_ps(b, d, 0x44);
  x[3] = _mm256_shuffle_ps(b, d, 0xee);
}
#endif

// A register, eight rows of four words, to four columns `step` words apart.
void turn(const u32* words, u32* out, u32 step) {
#if defined(__AVX2__)
  const auto row = [&](u32 i) {
    return _mm_load_ps(reinterpret_cast<const float*>(words) + 4 * i);
  };
  __m256 x[4];
  for (u32 i = 0; i < 4; ++i) x[i] = _mm256_set_m128(row(i + 4), row(i));
  turn_halves(x);
  for (u32 i = 0; i < 4; ++i) _mm256_storeu_ps(reinterpret_cast<float*>(out + i * step), x[i]);
#else
  for (u32 lane = 0; lane < lane_count; ++lane) out[lane % 4 * step + lane / 4] = words[lane];
#endif
}
// And back.
void turn_back(const u32* in, u32 step, u32* words) {
#if defined(__AVX2__)
  __m256 x[4];
  for (u32 i = 0; i < 4; ++i) x[i] = _mm256_loadu_ps(reinterpret_cast<const float*>(in + i * step));
  turn_halves(x);
  float* out = reinterpret_cast<float*>(words);
  _mm256_store_ps(out, _mm256_permute2f128_ps(x[0], x[1], 0x20));
  _mm256_store_ps(out + 8, _mm256_permute2f128_ps(x[2], x[3], 0x20));
  _mm256_store_ps(out + 16, _mm256_permute2f128_ps(x[0], x[1], 0x31));
  _mm256_store_ps(out + 24, _mm256_permute2f128_ps(x[2], x[3], 0x31));
#else
  for (u32 lane = 0; lane < lane_count; ++lane) words[lane] = in[lane % 4 * step + lane / 4];
#endif
}

// A, by columns of words.
void gather_a(Warp& warp, const Product& product, u32* out) {
  const u32 m = product.shape.m, high = m > 8 ? 1 : 0;  // registers of the rows from 8 on are odd
  for (u32 r = 0; r < product.a.count; ++r)
    turn(slot<u32>(warp, product.a.slots[r]), out + 4 * m * (r >> high) + 8 * (r & high), m);
}
// B, by columns.
void gather_b(Warp& warp, const Product& product, u32* out) {
  const u32 *first = slot<u32>(warp, product.b.slots[0]),
            *last = slot<u32>(warp, product.b.slots[product.b.count - 1]);
  if (product.b.count == 1)
    for (u32 i = 0; i < lane_count; i += 8) copy_32_bytes(out + i, first + i);
  else
    for (u32 i = 0; i < lane_count; i += 4) {
      std::memcpy(out + 2 * i, first + i, 4 * sizeof(u32));
      std::memcpy(out + 2 * i + 4, last + i, 4 * sizeof(u32));
    }
}

// C of words, by columns: register j holds every second one, from j mod 2 on.
void gather_sums(Warp& warp, const Registers& registers, u32 rows, u32* out) {
  for (u32 j = 0; j < registers.count; ++j)
    turn(slot<u32>(warp, registers.slots[j]), out + j % 2 * rows + j / 2 * 8, 2 * rows);
}
void scatter_sums(Warp& warp, const Registers& registers, u32 rows, const u32* in) {
  for (u32 j = 0; j < registers.count; ++j) {
    alignas(32) u32 words[lane_count];
    turn_back(in + j % 2 * rows + j / 2 * 8, 2 * rows, words);
    write_register(warp, registers.slots[j], words);
  }
}

void run_mma(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr) warp.checker->gave_to_product(warp.index);
  const Product product = product_of(warp, inst);
  if (multiply_in_registers(warp, product, true)) return;
  PackedMatrices matrices(product);
  matrices.turned = true;
  gather_a(warp, product, matrices.a);
  gather_b(warp, product, matrices.b);
  const bool halves = product.types.d == ptx::Type::f16;
  if (!halves)
    gather_sums(warp, product.c, product.shape.m, matrices.c);
  else
    for (u32 j = 0; j < product.c.count; ++j)
      std::memcpy(matrices.c + j * lane_count, slot<u32>(warp, product.c.slots[j]),
                  lane_count * sizeof(u32));
  multiply(product, matrices);
  if (!halves)
    scatter_sums(warp, product.d, product.shape.m, matrices.c);
  else
    for (u32 j = 0; j < product.d.count; ++j)
      write_register(warp, product.d.slots[j], matrices.c + j * lane_count);
}

// The rows of B, [k][n], from a register that holds it by columns: those with even numbers lie to
// the left, as in the first register of C.
FourByEight rows_of(const double* columns) {
  FourByEight out;
#if defined(__AVX2__)
  for (u32 odd = 0; odd < 2; ++odd) {
    const auto load = [&](u32 i) { return _mm256_loadu_pd(columns + 4 * (2 * i + odd)); };
    const __m256d x[4] = {load(0), load(1), load(2), load(3)};
    const __m256d low[2] = {_mm256_unpacklo_pd(x[0], x[1]), _mm256_unpacklo_pd(x[2], x[3])},
                  high[2] = {_mm256_unpackhi_pd(x[0], x[1]), _mm256_unpackhi_pd(x[2], x[3])};
    _mm256_store_pd(out.rows[0] + 4 * odd, _mm256_permute2f128_pd(low[0], low[1], 0x20));
    _mm256_store_pd(out.rows[1] + 4 * odd, _mm256_permute2f128_pd(high[0], high[1], 0x20));
    _mm256_store_pd(out.rows[2] + 4 * odd, _mm256_permute2f128_pd(low[0], low[1], 0x31));
    _mm256_store_pd(out.rows[3] + 4 * odd, _mm256_permute2f128_pd(high[0], high[1], 0x31));
  }
#else
  for (u32 k = 0; k < 4; ++k)
    for (u32 column = 0; column < 8; ++column)
      out.rows[k][4 * (column % 2) + column / 2] = columns[4 * column + k];
#endif
  return out;
}

// Register r of A is [8][4], register r of B [8][4] by columns; two of C and D are eight rows.
void run_mma_doubles(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr) warp.checker->gave_to_product(warp.index);
  const Product product = product_of(warp, inst);
  const u32 blocks = product.shape.m / 8;
  if (blocks * product.b.count == 1 && multiply_doubles_in_registers(warp, product, true)) return;
  const auto pointer = [&](const Registers& from, u32 r) {
    return slot<double>(warp, from.slots[r]);
  };
  constexpr u32 half = lane_count / 2;  // four rows
  const auto eight_rows = [](const double* a, const FourByEight& b, const double* left,
                             const double* right, double* to_left, double* to_right) {
    for (u32 at = 0; at < lane_count; at += half)
      multiply_doubles(a + at, b, {left + at, right + at, 4}, {to_left + at, to_right + at, 4});
  };
  if (blocks * product.b.count == 1 && warp.mask == all_lanes)
    return eight_rows(pointer(product.a, 0), rows_of(pointer(product.b, 0)), pointer(product.c, 0),
                      pointer(product.c, 1), pointer(product.d, 0), pointer(product.d, 1));
  alignas(64) double sums[4][lane_count];
  for (u32 r = 0; r < product.c.count; ++r)
    std::memcpy(sums[r], pointer(product.c, r), sizeof sums[r]);
  for (u32 step = 0; step < product.b.count; ++step) {
    const FourByEight b = rows_of(pointer(product.b, step));
    for (u32 block = 0; block < blocks; ++block) {
      double *left = sums[2 * block], *right = sums[2 * block + 1];
      eight_rows(pointer(product.a, step * blocks + block), b, left, right, left, right);
    }
  }
  for (u32 r = 0; r < product.d.count; ++r) write_register(warp, product.d.slots[r], sums[r]);
}

// Whether there is a product of this type with k elements in a row of A.
bool is_depth(ptx::Type type, const MatrixShape& shape) {
  const u32 row_bits = shape.k * element_bits(type);
  if (element_bits(type) < 8) return row_bits == 128 || (row_bits == 256 && shape.m == 16);
  return shape.k == 4 || shape.k == 8 || shape.k == 16 ||
         (shape.k == 32 && element_bits(type) == 8);
}

bool select_mma(Encoder& e) {
  using ptx::Type;
  const auto shape = matrix_shape(e);
  const bool plain = !e.has("sp") && !e.has("sp::ordered_metadata") && !e.has("block_scale");
  if (!shape || !plain || !e.has("row") || !e.has("col") || e.operands() != 4) return false;
  const ProductTypes types{e.type(3), e.type(2), e.type(1), e.type(0)};
  if (!types.implemented() || !is_depth(types.a, *shape) || shape->n != 8 ||
      (shape->m != 16 && shape->m != 8))
    return false;
  const std::vector<u32> registers[4] = {
      fragment_registers(e, 0, types.d, true), fragment_registers(e, 1, types.a, false),
      fragment_registers(e, 2, types.b, false), fragment_registers(e, 3, types.c, false)};
  const auto fits = [&](u32 i, Type type, u32 elements) {
    return registers[i].size() * elements_a_register(type) * lane_count == elements;
  };
  if (!fits(0, types.d, shape->m * shape->n) || !fits(1, types.a, shape->m * shape->k) ||
      !fits(2, types.b, shape->k * shape->n) || !fits(3, types.c, shape->m * shape->n))
    return shape->m == 8 && types.a == Type::f16
               ? false
               : e.fail("The operands of mma don't have the shape's size.");
  e.handlers(types.a == Type::f64 ? run_mma_doubles : run_mma);
  return encode_product(e, *shape, types, registers);
}

constexpr u32 row_bytes = 16;

// One 8x8 matrix of 16-bit elements between its rows in shared memory and a register: lane l holds
// the elements at row l / 4, columns 2 (l mod 4) and the next.
template <bool Load>
void move_rows(u32* words, std::byte* const* rows) {
  for (u32 r = 0; r < 8; ++r)
    std::memcpy(Load ? reinterpret_cast<std::byte*>(words + 4 * r) : rows[r],
                Load ? rows[r] : reinterpret_cast<std::byte*>(words + 4 * r), 16);
}
void transpose_elements(const u32* in, u32* out) {
  const u16* from = reinterpret_cast<const u16*>(in);
  u16* to = reinterpret_cast<u16*>(out);
  for (u32 row = 0; row < 8; ++row)
    for (u32 column = 0; column < 8; ++column) to[8 * column + row] = from[8 * row + column];
}

template <bool Load>
void move_matrix(Warp& warp, u32 reg, std::byte* const* rows, bool transposed) {
  u32 packed[lane_count], turned[lane_count];
  u32* words = slot<u32>(warp, reg);
  if constexpr (Load) {
    move_rows<true>(packed, rows);
    if (transposed) transpose_elements(packed, turned);
    const u32* loaded = transposed ? turned : packed;
    if (warp.mask == all_lanes)
      std::memcpy(words, loaded, sizeof packed);
    else
      for_each_lane(warp.mask, [&](u32 lane) { words[lane] = loaded[lane]; });
  } else {
    // Inactive lanes store nothing: what lies there is stored again.
    move_rows<true>(packed, rows);
    if (transposed) transpose_elements(packed, turned);
    u32* stored = transposed ? turned : packed;
    for_each_lane(warp.mask, [&](u32 lane) { stored[lane] = words[lane]; });
    if (transposed) transpose_elements(turned, packed);
    move_rows<false>(packed, rows);
  }
}

// Whether all rows of a pattern are aligned and the block's own.
bool are_inside(const Warp& warp, const Pattern& pattern, u64 first) {
  const i64 low = static_cast<i64>(first) + pattern.least,
            high = static_cast<i64>(first) + pattern.most + row_bytes;
  return ((pattern.low_bits | first) % row_bytes) == 0 && low >= 0 && high <= warp.shared_bytes;
}
void load_rows(const Warp& warp, const u64* addresses, u32* words) {
#if defined(__AVX2__)
  // Two rows at once, as wide as a product loads them.
  const auto row = [&](u32 r) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(warp.shared + addresses[r]));
  };
  for (u32 r = 0; r < 8; r += 2)
    _mm256_store_si256(reinterpret_cast<__m256i*>(words + 4 * r),
                       _mm256_set_m128i(row(r + 1), row(r)));
#else
  for (u32 r = 0; r < 8; ++r) std::memcpy(words + 4 * r, warp.shared + addresses[r], row_bytes);
#endif
}

// ldmatrix and stmatrix: lane 8 i + r addresses row r of the i-th matrix. op: base, its bytes,
// count, transposed; imm: offset; registers follow in a list.
template <bool Load>
void run_matrix_rows(Warp& warp, const Inst& inst) {
  u64 addresses[lane_count];
  if (inst.op[1] == 4)
    lane_addresses<u32>(warp, inst, addresses);
  else
    lane_addresses<u64>(warp, inst, addresses);
  constexpr AccessKind kind = Load ? AccessKind::load : AccessKind::store;
  const auto& registers = warp.launch->program->operand_lists[inst.op[4]];
  const auto count = static_cast<u32>(registers.size());
  const u32 lanes = count == 4 ? all_lanes : (1u << (8 * count)) - 1;
  Pattern& pattern = warp.patterns[inst.site];
  match(pattern, addresses, lanes, addresses[0], row_bytes);
  count_access<true>(warp, inst.site, pattern, addresses[0], lanes, row_bytes, AccessKind::load);
  if (Load && inst.op[3] == 0 && warp.mask == all_lanes && warp.checker == nullptr &&
      are_inside(warp, pattern, addresses[0])) {
    for (u32 i = 0; i < count; ++i)
      load_rows(warp, addresses + 8 * i, slot<u32>(warp, registers[i]));
    return;
  }
  std::byte* rows[lane_count];
  for (u32 lane = 0; lane < 8 * count; ++lane) {
    const bool inside = addresses[lane] % row_bytes == 0 && warp.shared_bytes >= row_bytes &&
                        addresses[lane] <= warp.shared_bytes - row_bytes;
    rows[lane] = inside ? warp.shared + addresses[lane]
                        : locate_shared(warp, inst, lane, addresses[lane], row_bytes, kind);
    if (rows[lane] == nullptr) return;
  }
  if (warp.checker != nullptr) [[unlikely]] {
    warp.checker->shared_access(warp, inst, lanes, addresses, row_bytes, kind);
    if (Load) warp.checker->read_together(warp.index);
  }
  for (u32 i = 0; i < count; ++i)
    move_matrix<Load>(warp, registers[i], rows + 8 * i, inst.op[3] != 0);
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
    {"mma", select_mma,
     ".sync, dense: .m16n8k4-.k32 .m8n8k4, .f16 .bf16 .tf32 .f64 .s8 .u8; .m8n8k32 .m16n8k32 "
     ".m16n8k64, .s4 .u4; .m8n8k128 .m16n8k128 .m16n8k256, .b1, .xor.popc .and.popc"},
    {"ldmatrix", select_ldmatrix, ".m8n8 .x1 .x2 .x4 .trans .shared.b16"},
    {"stmatrix", select_stmatrix, ".m8n8 .x1 .x2 .x4 .trans .shared.b16"},
    {"movmatrix", select_movmatrix, ".m8n8.trans.b16"},
}};

}  // namespace

std::span<const Opcode> matrix_opcodes() { return table; }

}  // namespace klab::sim
