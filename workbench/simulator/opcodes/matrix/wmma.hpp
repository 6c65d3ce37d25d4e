// wmma: what its loads, stores and products share. The layout of a fragment is left open by PTX;
// here register r of lane l holds word 32 r + l of the matrix in row order.
#pragma once
#include "simulator/opcodes/matrix/fragments.hpp"

namespace klab::sim {

// What a fragment holds: its matrix is rows x columns. Some have more registers than they need.
struct Fragment {
  u32 rows = 0, columns = 0;
  ptx::Type type = ptx::Type::f32;
  u32 elements() const { return rows * columns; }
  u32 registers() const { return elements() / (lane_count * elements_a_register(type)); }
  // Whether every lane has as many.
  bool is_whole() const {
    const u32 each = elements_a_register(type);
    return each != 0 && registers() > 0 && elements() % (lane_count * each) == 0;
  }
};
inline Fragment fragment(const MatrixShape& shape, char which, ptx::Type type) {
  if (which == 'a') return {shape.m, shape.k, type};
  if (which == 'b') return {shape.k, shape.n, type};
  return {shape.m, shape.n, type};
}

// Encodes a load or a store; false after an error.
bool select_transfer(Encoder& encoder, const MatrixShape& shape);

}  // namespace klab::sim
