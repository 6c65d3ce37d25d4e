// Matrix fragments: the registers of a warp that hold a product's matrices, and the product itself.
#pragma once
#include <cstring>
#include <optional>
#include <vector>

#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/lanes.hpp"
#include "simulator/opcodes/matrix/tensor_core.hpp"

namespace klab::sim {

inline u32 element_bits(ptx::Type type) {
  switch (type) {
    case ptx::Type::tf32:
      return 32;
    case ptx::Type::s4:
    case ptx::Type::u4:
      return 4;
    case ptx::Type::b1:
      return 1;
    default:
      return 8 * ptx::bytes_of(type);
  }
}
inline u32 register_bytes(ptx::Type type) { return type == ptx::Type::f64 ? 8 : 4; }
// 0 for types that are no element.
inline u32 elements_a_register(ptx::Type type) {
  const u32 bits = element_bits(type);
  return bits == 0 ? 0 : 8 * register_bytes(type) / bits;
}

// "m16n8k16" among an opcode's parts.
std::optional<MatrixShape> matrix_shape(const Encoder& encoder);

// The registers of a vector operand (or a single one); empty after an error.
std::vector<u32> fragment_registers(Encoder& encoder, std::size_t operand, ptx::Type type,
                                    bool write);

// The four matrices of a product.
struct ProductTypes {
  ptx::Type d, a, b, c;
  bool implemented() const;  // together
};
struct Registers {
  const u32* slots = nullptr;
  u32 count = 0;
};
struct Product {
  MatrixShape shape;
  u32 depth = 0;  // products of one sum
  ProductTypes types;
  bool saturate = false;
  bool common_bits =
      false;  // of single bits: counts those that are set in both, not those that differ
  Registers d, a, b, c;
};
// Encodes a product, D = A B + C, of these registers; false after an error.
bool encode_product(Encoder& encoder, const MatrixShape& shape, const ProductTypes& types,
                    const std::vector<u32> (&registers)[4]);
inline Product product_of(const Warp& warp, const Inst& inst) {
  const auto& list = warp.launch->program->operand_lists[static_cast<std::size_t>(inst.imm)];
  const auto type = [&](u32 i) { return static_cast<ptx::Type>(list[3 + i]); };
  Product out;
  out.shape = {list[0], list[1], list[2]};
  out.depth = out.shape.k;
  out.types = {type(0), type(1), type(2), type(3)};
  out.saturate = (list[7] & 1) != 0;
  out.common_bits = (list[7] & 2) != 0;
  const u32* at = list.data() + 8;
  u32 i = 0;
  for (Registers* registers : {&out.d, &out.a, &out.b, &out.c}) {
    *registers = {at, inst.op[i]};
    at += inst.op[i++];
  }
  return out;
}

// Half a vector of sixteen words at once. What is stored in smaller pieces and then loaded whole
// has to wait for the processor's store buffer.
inline void copy_32_bytes(void* to, const void* from) {
  using Bytes [[gnu::vector_size(32), gnu::aligned(1), gnu::may_alias]] = char;
  *static_cast<Bytes*>(to) = *static_cast<const Bytes*>(from);
}

// A register's 32 values, of the active lanes.
template <class T>
void write_register(Warp& warp, u32 to, const T* values) {
  T* out = slot<T>(warp, to);
  if (warp.mask == all_lanes) [[likely]] {
#pragma GCC unroll 8
    for (u32 i = 0; i < lane_count; i += 32 / sizeof(T)) copy_32_bytes(out + i, values + i);
  } else {
    for_each_lane(warp.mask, [&](u32 lane) { out[lane] = values[lane]; });
  }
}

// The matrices of any type but f64 as they lie in memory without gaps, by rows. Those of mma are
// turned: A is given by columns of words, B by columns, and so are C and D unless they are halves.
inline constexpr u32 most_words = 512;
struct PackedMatrices {
  // Close together, so that the low bits of their addresses tell them apart.
  explicit PackedMatrices(const Product& product) {
    const auto& [m, n, k] = product.shape;
    a = words;
    b = a + m * k * element_bits(product.types.a) / 32;
    c = b + k * n * element_bits(product.types.b) / 32;
  }
  alignas(64) u32 words[3 * most_words];
  u32 *a, *b, *c;
  bool turned = false;
};
// From registers to registers, all at once; false, and nothing done, where only multiply does it.
bool multiply_in_registers(Warp& warp, const Product& product, bool turned);
// The same of doubles, m8n8k4.
bool multiply_doubles_in_registers(Warp& warp, const Product& product, bool turned);
// Puts D in the place of C.
void multiply(const Product& product, PackedMatrices& matrices);

}  // namespace klab::sim
