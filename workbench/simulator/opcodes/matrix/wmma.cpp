// wmma: products of fragments.
#include "simulator/opcodes/matrix/wmma.hpp"

#include <algorithm>
#include <array>

#include "simulator/execute/checks/checker.hpp"
#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/matrix/doubles.hpp"

namespace klab::sim {

namespace {

using ptx::Type;

void gather(Warp& warp, const Registers& registers, u32* words) {
  for (u32 r = 0; r < registers.count; ++r)
    std::memcpy(words + r * lane_count, slot<u32>(warp, registers.slots[r]),
                lane_count * sizeof(u32));
}

void run_product(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr) warp.checker->gave_to_product(warp.index);
  Product product = product_of(warp, inst);
  // An H200 takes tf32 in two steps, as machine code of its own wmma shape.
  if (product.types.a == Type::tf32) product.depth = 4;
  if (multiply_in_registers(warp, product, false)) return;
  PackedMatrices matrices(product);
  gather(warp, product.a, matrices.a);
  gather(warp, product.b, matrices.b);
  gather(warp, product.c, matrices.c);
  multiply(product, matrices);
  for (u32 r = 0; r < product.d.count; ++r)
    write_register(warp, product.d.slots[r], matrices.c + r * lane_count);
}

// m8n8k4: a register is A, or B, or four rows of C or D.
void run_product_doubles(Warp& warp, const Inst& inst) {
  if (warp.checker != nullptr) warp.checker->gave_to_product(warp.index);
  const Product product = product_of(warp, inst);
  if (multiply_doubles_in_registers(warp, product, false)) return;
  const FourByEight& b = *slot<FourByEight>(warp, product.b.slots[0]);
  const double* a = slot<double>(warp, product.a.slots[0]);
  alignas(64) double sums[2][lane_count];
  for (u32 r = 0; r < 2; ++r) {
    const double* c = slot<double>(warp, product.c.slots[r]);
    multiply_doubles(a + 16 * r, b, {c, c + 4, 8}, {sums[r], sums[r] + 4, 8});
  }
  for (u32 r = 0; r < 2; ++r) write_register(warp, product.d.slots[r], sums[r]);
}

bool select_product(Encoder& e, const MatrixShape& shape) {
  // Only .f16 operands leave their type out: .m16n16k16.f32.f32 names D and C.
  std::vector<Type> types;
  for (const std::string_view part : e.in.parts)
    if (const auto found = ptx::type_named(part)) types.push_back(*found);
  if (types.size() == 2) types = {types[0], Type::f16, Type::f16, types[1]};
  if (types.size() != 4 || e.operands() != 4) return false;
  const ProductTypes named{types[0], types[1], types[2], types[3]};
  if (!named.implemented()) return false;
  std::vector<u32> registers[4];
  for (u32 i = 0; i < 4; ++i) {
    constexpr char matrices[] = "dabc";
    const Fragment matrix = fragment(shape, matrices[i], types[i]);
    if (!matrix.is_whole()) return false;
    registers[i] = fragment_registers(e, i, types[i], i == 0);
    if (registers[i].size() < matrix.registers())
      return e.fail("A matrix fragment has too few registers.");
    registers[i].resize(matrix.registers());
  }
  e.handlers(types[1] == Type::f64 ? run_product_doubles : run_product);
  return encode_product(e, shape, named, registers);
}

bool select_wmma(Encoder& e) {
  constexpr MatrixShape shapes[] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}, {16, 16, 8}, {8, 8, 4}};
  const auto shape = matrix_shape(e);
  if (!shape || std::find(std::begin(shapes), std::end(shapes), *shape) == std::end(shapes))
    return false;
  if (e.has("b1") || e.has("s4") || e.has("u4")) return false;
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
