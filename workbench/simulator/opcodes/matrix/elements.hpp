// Elements of matrix fragments: numbers packed into 32- or 64-bit registers.
#pragma once
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/lanes.hpp"

namespace klab::sim {

inline u32 element_bits(ptx::Type type) {
  return type == ptx::Type::tf32 ? 32 : 8 * ptx::bytes_of(type);
}

// The value of the raw bits of one element; exact for every type.
inline double element_value(ptx::Type type, u64 raw) {
  using ptx::Type;
  switch (type) {
    case Type::f16:
      return Half{static_cast<u16>(raw)}.value();
    case Type::bf16:
      return Bfloat{static_cast<u16>(raw)}.value();
    // Tensor cores read only the upper 19 bits of a tf32 operand.
    case Type::tf32:
      return std::bit_cast<float>(static_cast<u32>(raw) & ~0x1fffu);
    case Type::f32:
      return std::bit_cast<float>(static_cast<u32>(raw));
    case Type::f64:
      return std::bit_cast<double>(raw);
    case Type::s8:
      return static_cast<i8>(raw);
    case Type::u8:
      return static_cast<u8>(raw);
    default:
      return static_cast<i32>(raw);
  }
}

// The bits of a result, rounded once; 32-bit integers wrap, or clamp when `saturate`.
inline u64 element_raw(ptx::Type type, double value, bool saturate) {
  using ptx::Type;
  switch (type) {
    case Type::f16:
      return Half::round(value).bits;
    case Type::bf16:
      return Bfloat::round(value).bits;
    case Type::f32:
    case Type::tf32:
      return std::bit_cast<u32>(static_cast<float>(value));
    case Type::f64:
      return std::bit_cast<u64>(value);
    default:
      if (saturate)
        value = value > 2147483647.0 ? 2147483647.0 : value < -2147483648.0 ? -2147483648.0 : value;
      return static_cast<u32>(static_cast<i64>(value));
  }
}

// The i-th element held by a lane in a list of registers.
inline u64 read_element(Warp& warp, const u32* registers, ptx::Type type, u32 lane, u32 i) {
  const u32 bits = element_bits(type);
  if (bits == 64) return slot<u64>(warp, registers[i])[lane];
  const u32 per_register = 32 / bits;
  const u32 word = slot<u32>(warp, registers[i / per_register])[lane];
  return bits == 32 ? word : word >> (bits * (i % per_register)) & ((1u << bits) - 1);
}
inline void write_element(Warp& warp, const u32* registers, ptx::Type type, u32 lane, u32 i,
                          u64 raw) {
  const u32 bits = element_bits(type);
  if (bits == 64) {
    slot<u64>(warp, registers[i])[lane] = raw;
    return;
  }
  const u32 per_register = 32 / bits;
  u32& word = slot<u32>(warp, registers[i / per_register])[lane];
  if (bits == 32) {
    word = static_cast<u32>(raw);
    return;
  }
  const u32 shift = bits * (i % per_register), ones = ((1u << bits) - 1) << shift;
  word = (word & ~ones) | (static_cast<u32>(raw) << shift & ones);
}

// "m16n8k16" among an opcode's parts.
struct MatrixShape {
  u32 m = 0, n = 0, k = 0;
};
std::optional<MatrixShape> matrix_shape(const Encoder& encoder);

// The registers of a vector operand (or a single one) of 4 or 8 bytes each; empty after an error.
std::vector<u32> fragment_registers(Encoder& encoder, std::size_t operand, ptx::Type type,
                                    bool write);

}  // namespace klab::sim
