// A product of packed matrices: unpacked to numbers that the arithmetic takes, and packed again.
#include "simulator/opcodes/matrix/fragments.hpp"

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include <bit>
#include <charconv>

#include "simulator/execute/execution.hpp"
#include "simulator/opcodes/float_functions.hpp"
#include "simulator/opcodes/matrix/wide.hpp"

namespace klab::sim {

using ptx::Type;

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

std::vector<u32> fragment_registers(Encoder& encoder, std::size_t operand, Type type, bool write) {
  if (operand >= encoder.operands()) {
    encoder.fail("A matrix instruction has too few operands.");
    return {};
  }
  const ptx::Operand& value = encoder.in.operands[operand];
  const u32 bytes = register_bytes(type);
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

bool ProductTypes::implemented() const {
  const auto all = [](Type x, Type y, Type wanted) { return x == wanted && y == wanted; };
  const auto among = [](Type x, Type one, Type other) { return x == one || x == other; };
  if (a == Type::f16)
    return b == Type::f16 && among(c, Type::f16, Type::f32) && among(d, Type::f16, Type::f32);
  if (a == Type::bf16 || a == Type::tf32) return b == a && all(c, d, Type::f32);
  if (a == Type::f64) return b == Type::f64 && all(c, d, Type::f64);
  if (!all(c, d, Type::s32)) return false;
  if (a == Type::b1) return b == Type::b1;
  if (among(a, Type::s4, Type::u4)) return among(b, Type::s4, Type::u4);
  return among(a, Type::s8, Type::u8) && among(b, Type::s8, Type::u8);
}

// The operand list: m, n, k, the four types, two flags, then the registers of D, A, B and C; op:
// how many each of them has.
bool encode_product(Encoder& e, const MatrixShape& shape, const ProductTypes& types,
                    const std::vector<u32> (&registers)[4]) {
  std::vector<u32> list{shape.m, shape.n, shape.k};
  for (const Type type : {types.d, types.a, types.b, types.c})
    list.push_back(static_cast<u32>(type));
  list.push_back((e.has("satfinite") ? 1u : 0u) | (e.has("and") ? 2u : 0u));
  for (u32 i = 0; i < 4; ++i) {
    e.out.op[i] = static_cast<u32>(registers[i].size());
    list.insert(list.end(), registers[i].begin(), registers[i].end());
  }
  e.out.imm = e.operand_list(std::move(list));
  e.note_flops(types.a == Type::f16 ? Metric::tensor_flop_half : Metric::tensor_flop_other,
               2 * shape.m * shape.n * shape.k / lane_count);
  return e.error.empty();
}

namespace {

void halves_to_floats(const u16* in, u32 count, float* out) {
#if defined(__F16C__)
  for (u32 i = 0; i < count; i += 8)
    _mm256_storeu_ps(out + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in + i))));
#else
  for (u32 i = 0; i < count; ++i) out[i] = static_cast<float>(Half{in[i]}.value());
#endif
}

// To nearest even; a NaN stays one, the canonical one as such.
void floats_to_halves(const float* in, u32 count, u16* out) {
#if defined(__F16C__)
  for (u32 i = 0; i < count; i += 8)
    _mm_storeu_si128(
        reinterpret_cast<__m128i*>(out + i),
        _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
  for (u32 i = 0; i < count; ++i) out[i] = Half::round(in[i]).bits;
#endif
}

void unpack(Type type, const u32* words, u32 count, float* out) {
  const u16* small = reinterpret_cast<const u16*>(words);
  // Tensor cores read only the upper 19 bits of a tf32 operand.
  const u32 read = type == Type::tf32 ? ~0x1fffu : ~0u;
  if (type == Type::f16) return halves_to_floats(small, count, out);
  if (type == Type::bf16)
    for (u32 i = 0; i < count; ++i) out[i] = std::bit_cast<float>(u32{small[i]} << 16);
  else
    for (u32 i = 0; i < count; ++i) out[i] = std::bit_cast<float>(words[i] & read);
}

void unpack(Type type, const u32* words, u32 count, i16* out) {
  const u8* bytes = reinterpret_cast<const u8*>(words);
  if (type == Type::u4)
    for (u32 i = 0; i < count; ++i) out[i] = words[i / 8] >> (4 * (i % 8)) & 15;
  else if (type == Type::s4)
    for (u32 i = 0; i < count; ++i)
      out[i] = static_cast<i16>(static_cast<i32>(words[i / 8] << (28 - 4 * (i % 8))) >> 28);
  else if (type == Type::u8)
    for (u32 i = 0; i < count; ++i) out[i] = bytes[i];
  else
    for (u32 i = 0; i < count; ++i) out[i] = static_cast<i8>(bytes[i]);
}

#if defined(__AVX2__)
// Eight rows of eight words.
void transpose_block(const u32* in, u32 step, u32* out, u32 out_step) {
  const auto load = [](const u32* at) {
    return _mm256_loadu_ps(reinterpret_cast<const float*>(at));
  };
  const auto store = [](u32* at, __m256 x) { _mm256_storeu_ps(reinterpret_cast<float*>(at), x); };
  __m256 rows[8], pairs[8], quads[8];
  for (u32 i = 0; i < 8; ++i) rows[i] = load(in + i * step);
  for (u32 i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  for (u32 i = 0; i < 8; i += 4)
    for (u32 j = 0; j < 2; ++j) {
      quads[i + 2 * j] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0x44);
      quads[i + 2 * j + 1] = _mm256_shuffle_ps(pairs[i + j], pairs[i + j + 2], 0xee);
    }
  for (u32 i = 0; i < 4; ++i) {
    store(out + i * out_step, _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20));
    store(out + (i + 4) * out_step, _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31));
  }
}
#endif

// From [rows][columns] to [columns][rows].
void transpose(const u32* in, u32 rows, u32 columns, u32* out) {
#if defined(__AVX2__)
  if (rows % 8 == 0 && columns % 8 == 0) {
    for (u32 row = 0; row < rows; row += 8)
      for (u32 column = 0; column < columns; column += 8)
        transpose_block(in + row * columns + column, columns, out + column * rows + row, rows);
    return;
  }
#endif
  for (u32 column = 0; column < columns; ++column)
    for (u32 row = 0; row < rows; ++row) out[column * rows + row] = in[row * columns + column];
}
void transpose(const float* in, u32 rows, u32 columns, float* out) {
  transpose(reinterpret_cast<const u32*>(in), rows, columns, reinterpret_cast<u32*>(out));
}

// From words [k / elements of a word][m] to [k][m]; m is a multiple of 8.
void unpack_turned(Type type, const u32* words, u32 m, u32 k, float* out) {
  if (type == Type::tf32) return unpack(type, words, m * k, out);
  for (u32 i = 0; i < k; i += 2, words += m, out += 2 * m)
    if (type == Type::bf16)
      for (u32 row = 0; row < m; ++row) {
        out[row] = std::bit_cast<float>(words[row] << 16);
        out[m + row] = std::bit_cast<float>(words[row] & 0xffff0000);
      }
    else
      for (u32 row = 0; row < m; row += 8) {
        u16 halves[16];
        for (u32 j = 0; j < 8; ++j) {
          halves[j] = static_cast<u16>(words[row + j]);
          halves[8 + j] = static_cast<u16>(words[row + j] >> 16);
        }
        halves_to_floats(halves, 8, out + row);
        halves_to_floats(halves + 8, 8, out + m + row);
      }
}

// The same of integers, to pairs of neighbours in k, [k / 2][m].
template <class Word, u32 Bits>  // Word: signed as they are
void unpack_fields(const u32* words, u32 m, u32 k, u32* out) {
  constexpr u32 pairs = 32 / Bits / 2;
  for (u32 i = 0; i < k; i += 2 * pairs, words += m)
    for (u32 pair = 0; pair < pairs; ++pair, out += m)
      for (u32 row = 0; row < m; ++row) {
        const auto field = [&](u32 which) {
          return static_cast<u32>(static_cast<Word>(words[row] << (32 - Bits * (which + 1))) >>
                                  (32 - Bits));
        };
        out[row] = (field(2 * pair) & 0xffff) | field(2 * pair + 1) << 16;
      }
}
void unpack_pairs(Type type, const u32* words, u32 m, u32 k, u32* out) {
  if (type == Type::s8) return unpack_fields<i32, 8>(words, m, k, out);
  if (type == Type::u8) return unpack_fields<u32, 8>(words, m, k, out);
  if (type == Type::s4) return unpack_fields<i32, 4>(words, m, k, out);
  unpack_fields<u32, 4>(words, m, k, out);
}

FloatFormat format_of(const ProductTypes& types) {
  FloatFormat format;
  // wmma alone mixes them: with a C of floats the sum is one too, which D then rounds.
  format.half_sum = types.d == Type::f16 && types.c == Type::f16;
  format.least_exponent = types.a == Type::f16 ? -14 : -126;
  format.least_sum_exponent = format.half_sum ? -14 : -126;
  return format;
}

// c as the type of D, in place of C.
void pack_sums(const ProductTypes& types, const float* c, u32 count, u32* words) {
  if (types.d != Type::f16) {
    std::memcpy(words, c, count * sizeof(float));
    return;
  }
  u16* halves = reinterpret_cast<u16*>(words);
  floats_to_halves(c, count, halves);
  // A sum of halves that vanishes is +0.
  if (types.c == Type::f16)
    for (u32 i = 0; i < count; ++i) halves[i] = halves[i] == 0x8000 ? 0 : halves[i];
}

void multiply_as_floats(const Product& product, PackedMatrices& matrices) {
  const auto [m, n, k] = product.shape;
  const FloatFormat format = format_of(product.types);
  alignas(64) float memory[4 * most_words];
  float *a = memory, *b = a + (matrices.turned ? n : m) * k, *c = b + (matrices.turned ? m : n) * k,
        *packed = c + m * n;
  if (!matrices.turned) {
    unpack(product.types.a, matrices.a, m * k, a);
    unpack(product.types.b, matrices.b, k * n, b);
    unpack(product.types.c, matrices.c, m * n, c);
    multiply_floats(product.shape, product.depth, format, a, b, c);
    return pack_sums(product.types, c, m * n, matrices.c);
  }
  unpack_turned(product.types.a, matrices.a, m, k, b);
  unpack(product.types.b, matrices.b, n * k, a);
  const MatrixShape turned{n, m, k};
  if (product.types.d != Type::f16)
    return multiply_floats(turned, product.depth, format, a, b,
                           reinterpret_cast<float*>(matrices.c));
  unpack(product.types.c, matrices.c, m * n, packed);
  transpose(packed, m, n, c);
  multiply_floats(turned, product.depth, format, a, b, c);
  transpose(c, n, m, packed);
  pack_sums(product.types, packed, m * n, matrices.c);
}

void multiply_as_integers(const Product& product, PackedMatrices& matrices) {
  const auto [m, n, k] = product.shape;
  constexpr u32 most_elements = 16 * 64;
  alignas(64) i16 a[most_elements], b[most_elements], pairs[most_elements];
  unpack(product.types.b, matrices.b, k * n, b);
  i32* c = reinterpret_cast<i32*>(matrices.c);
  u32* words = reinterpret_cast<u32*>(pairs);
  if (matrices.turned) {
    unpack_pairs(product.types.a, matrices.a, m, k, words);
    return multiply_integers({n, m, k}, b, pairs, c, product.saturate);
  }
  unpack(product.types.a, matrices.a, m * k, a);
  for (u32 i = 0; i < k; i += 2)
    for (u32 column = 0; column < n; ++column)
      words[i / 2 * n + column] =
          static_cast<u16>(b[i * n + column]) | static_cast<u32>(b[(i + 1) * n + column]) << 16;
  multiply_integers(product.shape, a, pairs, c, product.saturate);
}

void multiply_as_bits(const Product& product, PackedMatrices& matrices) {
  const auto [m, n, k] = product.shape;
  const u32 words = k / 32;
  for (u32 row = 0; row < m; ++row)
    for (u32 column = 0; column < n; ++column) {
      const u32 *a = matrices.a + row, *b = matrices.b + column * words;
      u32& sum = matrices.c[column * m + row];
      for (u32 i = 0; i < words; ++i)
        sum += static_cast<u32>(
            std::popcount(product.common_bits ? a[i * m] & b[i] : a[i * m] ^ b[i]));
    }
}

}  // namespace

bool multiply_in_registers(Warp& warp, const Product& product, bool turned) {
  static const bool able = has_sixteens();
  const ProductTypes& types = product.types;
  if (!able || types.c != Type::f32 || types.d != Type::f32 || warp.mask != all_lanes ||
      (!turned && product.shape.n % 16 != 0))
    return false;
  FloatFragments fragments;
  fragments.shape = product.shape;
  fragments.depth = product.depth;
  fragments.factor = types.a == Type::f16    ? Factor::half
                     : types.a == Type::bf16 ? Factor::bfloat
                                             : Factor::tf32;
  fragments.turned = turned;
  fragments.count_a = product.a.count;
  fragments.count_b = product.b.count;
  fragments.count_c = product.c.count;
  const auto point = [&](const Registers& registers, auto& to) {
    for (u32 r = 0; r < registers.count; ++r) to[r] = slot<u32>(warp, registers.slots[r]);
  };
  point(product.a, fragments.a);
  point(product.b, fragments.b);
  point(product.c, fragments.c);
  point(product.d, fragments.d);
  return multiply_wide(fragments);
}

bool multiply_doubles_in_registers(Warp& warp, const Product& product, bool turned) {
  static const bool able = has_sixteens();
  if (!able || warp.mask != all_lanes) return false;
  const auto at = [&](const Registers& registers, u32 r) {
    return slot<double>(warp, registers.slots[r]);
  };
  return multiply_wide(DoubleFragments{.turned = turned,
                                       .a = at(product.a, 0),
                                       .b = at(product.b, 0),
                                       .c = {at(product.c, 0), at(product.c, 1)},
                                       .d = {at(product.d, 0), at(product.d, 1)}});
}

void multiply(const Product& product, PackedMatrices& matrices) {
  switch (product.types.a) {
    case Type::s8:
    case Type::u8:
    case Type::s4:
    case Type::u4:
      return multiply_as_integers(product, matrices);
    case Type::b1:
      return multiply_as_bits(product, matrices);
    default:
      return multiply_as_floats(product, matrices);
  }
}

}  // namespace klab::sim
