// Matrix instructions against plain loops.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace matrix_tests {
namespace {

constexpr const char* source = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void wmma_half(const half* a, const half* b, float* c, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  for (int k = 0; k < n; k += 16) { wmma::load_matrix_sync(fa, a + k, n); wmma::load_matrix_sync(fb, b + k, n); wmma::mma_sync(fc, fa, fb, fc); }
  for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void wmma_shared(const half* a, const half* b, float* c) {
  __shared__ half sa[256], sb[256]; __shared__ float sc[256];
  for (int i = threadIdx.x; i < 256; i += 32) { sa[i] = a[i]; sb[i] = b[i]; }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> unused; (void)unused;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.f);
  wmma::load_matrix_sync(fa, sa, 16); wmma::load_matrix_sync(fb, sb, 16); wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(sc, fc, 16, wmma::mem_col_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += 32) c[i] = sc[i];
}
// A (16x16, row-major) by ldmatrix, B (16x8, stored 8x16) by ldmatrix, C by the documented layout.
__global__ void mma_half(const half* a, const half* b, float* c) {
  __shared__ __align__(16) half sa[256], sb[128];
  int l = threadIdx.x;
  for (int i = l; i < 256; i += 32) sa[i] = a[i];
  for (int i = l; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  unsigned r[4], q[2]; float d[4] = {0, 0, 0, 0};
  unsigned at = __cvta_generic_to_shared(&sa[(l % 16) * 16 + (l / 16) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
  at = __cvta_generic_to_shared(&sb[(l % 8) * 16 + (l / 8 % 2) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1},[%2];" : "=r"(q[0]), "=r"(q[1]) : "r"(at));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
    : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(q[0]), "r"(q[1]));
  int g = l / 4, t = l % 4;
  c[g * 8 + 2 * t] = d[0]; c[g * 8 + 2 * t + 1] = d[1]; c[(g + 8) * 8 + 2 * t] = d[2]; c[(g + 8) * 8 + 2 * t + 1] = d[3];
}
__global__ void mma_bytes(const signed char* a, const signed char* b, int* c) {
  int l = threadIdx.x, g = l / 4, t = l % 4, d[4] = {1, 1, 1, 1}; unsigned r[4], q[2];
  for (int i = 0; i < 4; ++i) r[i] = *(const unsigned*)(a + (g + 8 * (i & 1)) * 32 + 4 * t + 16 * (i / 2));
  for (int i = 0; i < 2; ++i) q[i] = *(const unsigned*)(b + g * 32 + 4 * t + 16 * i);
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
    : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(q[0]), "r"(q[1]));
  for (int i = 0; i < 4; ++i) c[(g + 8 * (i / 2)) * 8 + 2 * t + i % 2] = d[i];
}
__global__ void transpose_rows(const half* a, half* b) {
  __shared__ __align__(16) half s[64];
  s[threadIdx.x] = a[threadIdx.x]; s[threadIdx.x + 32] = a[threadIdx.x + 32];
  __syncwarp();
  unsigned r, at = __cvta_generic_to_shared(&s[(threadIdx.x % 8) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0},[%1];" : "=r"(r) : "r"(at));
  ((unsigned*)b)[threadIdx.x] = r;
}
__global__ void half_arithmetic(int n, const __half2* x, __half2* y, const __nv_bfloat16* p, __nv_bfloat16* q) {
  int i = threadIdx.x;
  if (i < n) { y[i] = __hfma2(x[i], x[i], __hmul2(x[i], __float2half2_rn(0.5f))); q[i] = __float2bfloat16(__bfloat162float(p[i]) * 3.f + __bfloat162float(__hadd(p[i], p[i]))); }
}
)";

std::string kernels() { return ptx_of(source); }

// Small integers as halves: exact in every format used here.
std::uint16_t half(int value) {
  if (value == 0) return 0;
  const int magnitude = std::abs(value), exponent = static_cast<int>(std::log2(magnitude));
  return static_cast<std::uint16_t>((value < 0 ? 0x8000 : 0) | (exponent + 15) << 10 |
                                    (magnitude * 1024 / (1 << exponent) - 1024));
}
int number(int i) { return i * 7 % 11 - 5; }

}  // namespace

TEST_CASE("wmma multiplies matrices of halves from global memory", "[simulator][matrix]") {
  Loaded device(kernels());
  constexpr int n = 48;
  std::vector<std::uint16_t> a(16 * n), b(16 * n);
  for (int i = 0; i < 16 * n; ++i) a[i] = half(number(i)), b[i] = half(number(3 * i + 1));
  const auto da = device.upload(a), db = device.upload(b), dc = device.zeros<float>(256);
  device.run("wmma_half", {1}, {32}, arguments(da, db, dc, n));
  const auto c = device.download<float>(dc, 256);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      int want = 0;
      for (int k = 0; k < n; ++k) want += number(row * n + k) * number(3 * (column * n + k) + 1);
      REQUIRE(c[row * 16 + column] == 2.f * want);
    }
  CHECK(device.kernel("wmma_half").counts().total[Metric::tensor_flop_half] == 2 * 16 * 16 * n);
}

TEST_CASE("wmma reads row-major B and writes column-major C in shared memory",
          "[simulator][matrix]") {
  Loaded device(kernels());
  std::vector<std::uint16_t> a(256), b(256);
  for (int i = 0; i < 256; ++i) a[i] = half(number(i)), b[i] = half(number(5 * i));
  const auto da = device.upload(a), db = device.upload(b), dc = device.zeros<float>(256);
  device.run("wmma_shared", {1}, {32}, arguments(da, db, dc));
  const auto c = device.download<float>(dc, 256);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      int want = 1;
      for (int k = 0; k < 16; ++k) want += number(row * 16 + k) * number(5 * (k * 16 + column));
      REQUIRE(c[column * 16 + row] == want);
    }
}

TEST_CASE("ldmatrix and mma follow the documented fragment layouts", "[simulator][matrix]") {
  Loaded device(kernels());
  std::vector<std::uint16_t> a(256), b(128);
  for (int i = 0; i < 256; ++i) a[i] = half(number(i));
  for (int i = 0; i < 128; ++i) b[i] = half(number(2 * i + 3));
  const auto da = device.upload(a), db = device.upload(b), dc = device.zeros<float>(128);
  device.run("8mma_half", {1}, {32}, arguments(da, db, dc));
  const auto c = device.download<float>(dc, 128);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      int want = 0;
      for (int k = 0; k < 16; ++k) want += number(row * 16 + k) * number(2 * (column * 16 + k) + 3);
      REQUIRE(c[row * 8 + column] == want);
    }
  CHECK(device.kernel("8mma_half").counts().total[Metric::tensor_flop_half] == 2 * 16 * 8 * 16);
}

TEST_CASE("mma multiplies bytes into 32-bit sums", "[simulator][matrix]") {
  Loaded device(kernels());
  std::vector<std::int8_t> a(512), b(256);
  for (int i = 0; i < 512; ++i) a[i] = static_cast<std::int8_t>(i * 37);
  for (int i = 0; i < 256; ++i) b[i] = static_cast<std::int8_t>(i * 91 + 5);
  const auto da = device.upload(a), db = device.upload(b), dc = device.zeros<int>(128);
  device.run("mma_bytes", {1}, {32}, arguments(da, db, dc));
  const auto c = device.download<int>(dc, 128);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      int want = 1;
      for (int k = 0; k < 32; ++k) want += a[row * 32 + k] * b[column * 32 + k];
      REQUIRE(c[row * 8 + column] == want);
    }
}

namespace {

// mma of elements narrower than a byte. Where they lie is told element by element, as in PTX ISA
// 9.0, "Matrix fragments for mma": with g = lane / 4, t = lane % 4 and `each` elements a register,
// element i of A lies in row g + 8 if i / each is odd and there are 16 rows, else g; in column
// each t + i % each, and 4 each further right in the second half of 16 rows' registers.
struct Narrow {
  const char* name;
  const char* opcode;
  int m, k, bits;
  bool signed_a, signed_b;
  int each() const { return 32 / bits; }
  int registers_a() const { return m * k * bits / 1024; }
  int registers_b() const { return 8 * k * bits / 1024; }
  int registers_c() const { return m / 4; }
};
constexpr Narrow narrow[] = {
    {"s4_8x32", "m8n8k32.row.col.s32.s4.s4.s32", 8, 32, 4, true, true},
    {"u4_16x32", "m16n8k32.row.col.satfinite.s32.u4.s4.s32", 16, 32, 4, false, true},
    {"s4_16x64", "m16n8k64.row.col.satfinite.s32.s4.u4.s32", 16, 64, 4, true, false},
    {"u4_16x64", "m16n8k64.row.col.s32.u4.u4.s32", 16, 64, 4, false, false},
    {"xor_8x128", "m8n8k128.row.col.s32.b1.b1.s32.xor.popc", 8, 128, 1, false, false},
    {"and_16x128", "m16n8k128.row.col.s32.b1.b1.s32.and.popc", 16, 128, 1, false, false},
    {"xor_16x256", "m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 16, 256, 1, false, false},
    {"and_16x256", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", 16, 256, 1, false, false}};

// "{%2,%3}", and the operands of that array.
std::string list(int& next, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i == 0 ? "{%" : ",%") + std::to_string(next++);
  return out + "}";
}
std::string operands(const char* array, int count) {
  std::string out;
  for (int i = 0; i < count; ++i)
    out += std::string(i == 0 ? "" : ", ") + "\"r\"(" + array + "[32 * " + std::to_string(i) + "])";
  return out;
}
std::string kernel_of(const Narrow& in) {
  int next = 0;
  const int c = in.registers_c();
  std::string results, stores;
  for (int i = 0; i < c; ++i) {
    results += std::string(i == 0 ? "" : ", ") + "\"=r\"(r[" + std::to_string(i) + "])";
    stores += " d[32 * " + std::to_string(i) + "] = r[" + std::to_string(i) + "];";
  }
  std::string text = std::string("extern \"C\" __global__ void ") + in.name +
                     "(const unsigned* a, const unsigned* b, const int* c, int* d) { int r[4]; "
                     "a += threadIdx.x; b += threadIdx.x; c += threadIdx.x; d += threadIdx.x; "
                     "asm volatile(\"mma.sync.aligned." +
                     in.opcode + " ";
  text += list(next, c) + ",";
  text += list(next, in.registers_a()) + ",";
  text += list(next, in.registers_b()) + ",";
  text += list(next, c) + ";\" : " + results + " : ";
  return text + operands("a", in.registers_a()) + ", " + operands("b", in.registers_b()) + ", " +
         operands("c", c) + ");" + stores + " }\n";
}

// An element among those of the lanes' registers, [register][lane].
int element(const Narrow& in, const std::vector<std::uint32_t>& words, int lane, int i,
            bool is_signed) {
  const std::uint32_t word = words[i / in.each() * 32 + lane];
  const int value = static_cast<int>(word >> (i % in.each() * in.bits) & ((1u << in.bits) - 1));
  return is_signed && value >= 8 ? value - 16 : value;
}

}  // namespace

TEST_CASE("mma multiplies 4-bit integers and single bits as PTX lays them out",
          "[simulator][matrix]") {
  std::string text;
  for (const Narrow& in : narrow) text += kernel_of(in);
  const auto ptx = compile_to_ptx(text);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  for (const Narrow& in : narrow) {
    CAPTURE(in.name);
    std::uint32_t state = 1;
    const auto draw = [&](int registers) {
      std::vector<std::uint32_t> out(static_cast<std::size_t>(registers) * 32);
      for (std::uint32_t& word : out)
        word = state = (state * 1664525u + 1013904223u) ^ (state >> 15);
      return out;
    };
    auto a = draw(in.registers_a()), b = draw(in.registers_b()), c = draw(in.registers_c());
    for (std::size_t i = 0; i < c.size(); i += 3) c[i] = i % 2 == 0 ? 0x7ffffff0u : 0x80000010u;
    // Back to matrices, element by element.
    std::vector<int> left(in.m * in.k), right(8 * in.k);
    for (int lane = 0; lane < 32; ++lane) {
      const int g = lane / 4, t = lane % 4;
      for (int i = 0; i < in.registers_a() * in.each(); ++i) {
        const int reg = i / in.each();
        const int row = in.m == 16 && reg % 2 == 1 ? g + 8 : g;
        const int column = in.each() * t + i % in.each() + (reg >= 2 ? 4 * in.each() : 0);
        left[row * in.k + column] = element(in, a, lane, i, in.signed_a);
      }
      for (int i = 0; i < in.registers_b() * in.each(); ++i)
        right[g * in.k + in.each() * t + i % in.each() + (i >= in.each() ? 4 * in.each() : 0)] =
            element(in, b, lane, i, in.signed_b);
    }
    const auto da = device.upload(a), db = device.upload(b), dc = device.upload(c),
               dd = device.zeros<int>(c.size());
    device.run(in.name, {1}, {32}, arguments(da, db, dc, dd));
    const auto d = device.download<int>(dd, c.size());
    const std::string opcode = in.opcode;
    for (int lane = 0; lane < 32; ++lane)
      for (int j = 0; j < in.registers_c(); ++j) {
        const int row = lane / 4 + 8 * (j / 2), column = 2 * (lane % 4) + j % 2;
        std::int64_t want = static_cast<std::int32_t>(c[j * 32 + lane]);
        for (int k = 0; k < in.k; ++k) {
          const int x = left[row * in.k + k], y = right[column * in.k + k];
          want += opcode.find("xor") != std::string::npos ? x ^ y : x * y;
        }
        if (opcode.find("satfinite") != std::string::npos)
          want = std::clamp<std::int64_t>(want, INT32_MIN, INT32_MAX);
        REQUIRE(d[j * 32 + lane] == static_cast<std::int32_t>(want));
      }
  }
}

TEST_CASE("ldmatrix transposes on the way", "[simulator][matrix]") {
  Loaded device(kernels());
  std::vector<std::uint16_t> a(64);
  for (int i = 0; i < 64; ++i) a[i] = static_cast<std::uint16_t>(i);
  const auto da = device.upload(a), db = device.zeros<std::uint16_t>(64);
  device.run("transpose_rows", {1}, {32}, arguments(da, db));
  const auto b = device.download<std::uint16_t>(db, 64);
  for (int i = 0; i < 64; ++i) CHECK(b[i] == i % 8 * 8 + i / 8);
}

TEST_CASE("Packed halves and bfloat16 round to nearest even", "[simulator][matrix]") {
  Loaded device(kernels());
  // The first is 1 + 2^-10 above and 1 below.
  const std::vector<std::uint32_t> x{0x3c013c00, 0xc000bc00, 0x7c000400};
  const std::vector<std::uint16_t> p{0x3f81, 0x4000, 0xff80};  // 1.0078125, 2, -infinity
  const auto dx = device.upload(x), dy = device.zeros<std::uint32_t>(3), dp = device.upload(p),
             dq = device.zeros<std::uint16_t>(3);
  device.run("half_arithmetic", {1}, {32}, arguments(3, dx, dy, dp, dq));
  const auto y = device.download<std::uint32_t>(dy, 3);
  CHECK(y[0] == 0x3e033e00);  // 1.00195 + 0.50049 is 2.501 steps above 1.5; 1 + 0.5
  CHECK(y[1] == 0x42003800);  // 4 - 1 and 1 - 0.5
  CHECK(y[2] == 0x7c000200);  // infinity; 2^-14 squared vanishes beside 2^-15
  CHECK(device.download<std::uint16_t>(dq, 3) ==
        std::vector<std::uint16_t>{0x40a1, 0x4120, 0xff80});
}

TEST_CASE("Tiles of wmma count with the bytes of loads and stores, as an H200's counters have it",
          "[simulator][matrix]") {
  const auto ptx = compile_to_ptx(R"(
#include <mma.h>
using namespace nvcuda::wmma;
using half = __half;
using Row = fragment<matrix_a, 16, 16, 16, half, row_major>;
using Sum = fragment<accumulator, 16, 16, 16, float>;
using Bytes = fragment<matrix_a, 16, 16, 16, signed char, row_major>;
using ByteColumns = fragment<matrix_a, 16, 16, 16, signed char, col_major>;
template <class Tile> __device__ void use(Tile& tile, void* out) {
  float sum = 0;
  for (int i = 0; i < tile.num_elements; ++i) sum += float(tile.x[i]);
  static_cast<float*>(out)[threadIdx.x] = sum;
}
#define KERNEL(name) extern "C" __global__ void name(const void* in, void* out)
KERNEL(halves) { Row t; load_matrix_sync(t, (const half*)in, 64); use(t, out); }
KERNEL(bytes) { Bytes t; load_matrix_sync(t, (const signed char*)in, 64); use(t, out); }
KERNEL(sums) { Sum t; load_matrix_sync(t, (const float*)in, 16, mem_row_major); use(t, out); }
KERNEL(store) { Sum t; fill_fragment(t, 1.f); store_matrix_sync((float*)out, t, 64, mem_col_major); }
#define SHARED(name, Tile, T, ...)                              \
  KERNEL(name) {                                                \
    __shared__ alignas(256) unsigned s[2048];                   \
    for (int i = threadIdx.x; i < 2048; i += 32) s[i] = 0;      \
    __syncwarp();                                               \
    Tile t;                                                     \
    load_matrix_sync(t, (const T*)s, 64 __VA_ARGS__);           \
    use(t, out);                                                \
  }
SHARED(shared_halves, Row, half)
SHARED(shared_bytes, Bytes, signed char)
SHARED(shared_columns, ByteColumns, signed char)
SHARED(shared_sums, Sum, float, , mem_row_major)
)");
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.zeros<int>(4096), out = device.zeros<int>(4096);
  const auto bytes = [&](const char* kernel, Metric metric) {
    device.run(kernel, {1}, {32}, arguments(in, out));
    return device.kernel(kernel).counts().total[metric];
  };
  // smsp__sass_data_bytes_mem_* of such kernels, one warp each: H200, driver 580.159.04.
  CHECK(bytes("halves", Metric::global_load_bytes) == 512);
  CHECK(bytes("bytes", Metric::global_load_bytes) == 256);
  CHECK(bytes("sums", Metric::global_load_bytes) == 1024);
  CHECK(bytes("store", Metric::global_store_bytes) == 1024);
  CHECK(bytes("shared_halves", Metric::shared_load_bytes) == 0);  // by ldmatrix
  CHECK(bytes("shared_bytes", Metric::shared_load_bytes) == 0);
  CHECK(bytes("shared_columns", Metric::shared_load_bytes) == 256);
  CHECK(bytes("shared_sums", Metric::shared_load_bytes) == 1024);
}

}  // namespace matrix_tests
