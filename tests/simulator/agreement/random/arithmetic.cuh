// What threads compute with, in the device's words and in the host's; and the bits of a number,
// where all that is not a number is one.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
__extension__ using Wide = unsigned __int128;

#define BOTH __host__ __device__ inline

BOTH u32 bits_of(float x) {
  u32 out;
  memcpy(&out, &x, 4);
  return x == x ? out : 0x7fc00000;
}
BOTH u64 bits_of(double x) {
  u64 out;
  memcpy(&out, &x, 8);
  return x == x ? out : 0x7ff8000000000000;
}
BOTH u32 bits_of(__half x) {
  u16 out;
  memcpy(&out, &x, 2);
  return (out & 0x7fff) > 0x7c00 ? 0x7e00 : out;
}
BOTH __half half_of(u32 bits) {
  const u16 narrow = static_cast<u16>(bits);
  __half out;
  memcpy(&out, &narrow, 2);
  return out;
}
// A number of moderate size, so that arithmetic on it says something.
BOTH float float_of(u32 x) { return static_cast<float>(static_cast<i32>(x) >> 8) * 0x1p-12f; }
BOTH double double_of(u64 x) { return static_cast<double>(static_cast<i64>(x) >> 11) * 0x1p-40; }
BOTH __half small_half(u32 x) { return half_of((x & 0x83ff) | (12 + (x >> 10 & 7)) << 10); }

#ifdef __CUDA_ARCH__
BOTH u32 funnel(u32 low, u32 high, u32 by) { return __funnelshift_l(low, high, by); }
BOTH u32 high_product(u32 a, u32 b) { return __umulhi(a, b); }
BOTH u64 high_product(u64 a, u64 b) { return __umul64hi(a, b); }
BOTH u32 ones(u32 a) { return __popc(a); }
BOTH u32 zeros(u32 a) { return __clz(static_cast<int>(a)); }
BOTH u32 mirrored(u32 a) { return __brev(a); }
BOTH u32 permuted(u32 a, u32 b, u32 by) { return __byte_perm(a, b, by); }
BOTH u32 distance(u32 a, u32 b, u32 c) { return __usad(a, b, c); }
BOTH u32 dot(u32 a, u32 b, u32 c) {
  return static_cast<u32>(__dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
}
BOTH u32 byte_distance(u32 a, u32 b) { return __vabsdiffu4(a, b); }
BOTH u32 pair_maximum(u32 a, u32 b) { return __vmaxs2(a, b); }
BOTH float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
BOTH double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
BOTH float product_down(float a, float b) { return __fmul_rd(a, b); }
BOTH i32 whole(float a) { return __float2int_rz(a); }
BOTH i64 whole(double a) { return __double2ll_rz(a); }
BOTH __half sum(__half a, __half b) { return __hadd_rn(a, b); }
BOTH __half product(__half a, __half b) { return __hmul_rn(a, b); }
BOTH __half fused(__half a, __half b, __half c) { return __hfma(a, b, c); }
BOTH __half fused_pair(__half a, __half b, __half c) {
  const __half2 both = __hfma2(__halves2half2(a, b), __halves2half2(b, c), __halves2half2(c, a));
  return __hadd_rn(__low2half(both), __high2half(both));
}
BOTH bool less(__half a, __half b) { return __hlt(a, b); }
#else
BOTH u32 funnel(u32 low, u32 high, u32 by) {
  return static_cast<u32>((u64{high} << 32 | low) << (by & 31) >> 32);
}
BOTH u32 high_product(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
BOTH u64 high_product(u64 a, u64 b) { return static_cast<u64>(Wide{a} * b >> 64); }
BOTH u32 ones(u32 a) { return static_cast<u32>(__builtin_popcount(a)); }
BOTH u32 zeros(u32 a) { return a == 0 ? 32 : static_cast<u32>(__builtin_clz(a)); }
BOTH u32 mirrored(u32 a) {
  u32 out = 0;
  for (int i = 0; i < 32; ++i) out |= (a >> i & 1) << (31 - i);
  return out;
}
BOTH u32 permuted(u32 a, u32 b, u32 by) {
  const u64 both = u64{b} << 32 | a;
  u32 out = 0;
  for (int i = 0; i < 4; ++i) {
    out |= (static_cast<u32>(both >> (8 * (by >> (4 * i) & 7))) & 255) << (8 * i);
  }
  return out;
}
BOTH u32 distance(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
BOTH u32 dot(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 32; i += 8)
    c += static_cast<u32>(static_cast<i8>(a >> i) * static_cast<i8>(b >> i));
  return c;
}
BOTH u32 byte_distance(u32 a, u32 b) {
  u32 out = 0;
  for (int i = 0; i < 32; i += 8) {
    const u32 x = a >> i & 255, y = b >> i & 255;
    out |= (x > y ? x - y : y - x) << i;
  }
  return out;
}
BOTH u32 pair_maximum(u32 a, u32 b) {
  u32 out = 0;
  for (int i = 0; i < 32; i += 16) {
    const i16 x = static_cast<i16>(a >> i), y = static_cast<i16>(b >> i);
    out |= u32{static_cast<u16>(x > y ? x : y)} << i;
  }
  return out;
}
BOTH float fused(float a, float b, float c) { return std::fma(a, b, c); }
BOTH double fused(double a, double b, double c) { return std::fma(a, b, c); }
BOTH float product_down(float a, float b) {
  const double exact = static_cast<double>(a) * b;
  const float near = static_cast<float>(exact);
  return near > exact ? std::nextafter(near, -INFINITY) : near;
}
BOTH i32 whole(float a) {
  if (a != a) return 0;
  return a >= 0x1p31f ? INT32_MAX : a < -0x1p31f ? INT32_MIN : static_cast<i32>(a);
}
BOTH i64 whole(double a) {
  if (a != a) return INT64_MIN;
  return a >= 0x1p63 ? INT64_MAX : a < -0x1p63 ? INT64_MIN : static_cast<i64>(a);
}
// In double precision sums and products of halves, and both together, are exact.
inline double value(__half x) { return __half2float(x); }
BOTH __half sum(__half a, __half b) { return __double2half(value(a) + value(b)); }
BOTH __half product(__half a, __half b) { return __double2half(value(a) * value(b)); }
BOTH __half fused(__half a, __half b, __half c) {
  return __double2half(value(a) * value(b) + value(c));
}
BOTH __half fused_pair(__half a, __half b, __half c) { return sum(fused(a, b, c), fused(b, c, a)); }
BOTH bool less(__half a, __half b) { return value(a) < value(b); }
#endif

// Division and square roots are one instruction of PTX each and a branching subroutine of machine
// code. Without them, what a kernel counts shows whether they are why two machines count
// differently.
#ifdef WITHOUT_DIVISION
template <class T>
BOTH T over(T a, T b) {
  return a ^ b;
}
template <class T>
BOTH T rest(T a, T b) {
  return a + b;
}
template <class T>
BOTH T quotient(T a, T b) {
  return a * b;
}
template <class T>
BOTH T root(T a) {
  return a + a;
}
BOTH u64 over_wide(u64 a, u64 b) { return a * b; }
#else
template <class T>
BOTH T over(T a, T b) {
  return a / (b | 1);
}
template <class T>
BOTH T rest(T a, T b) {
  return a % (b | 1);
}
template <>
BOTH i32 over(i32 a, i32 b) {
  return a / (b >> 1 & 0x3fffffff | 1);
}
BOTH double quotient(double a, double b) { return a / b; }
BOTH double root(double a) { return sqrt(a); }
#ifdef __CUDA_ARCH__
BOTH float quotient(float a, float b) { return __fdiv_rn(a, b); }
BOTH float root(float a) { return __fsqrt_rn(a); }
#else
BOTH float quotient(float a, float b) { return a / b; }
BOTH float root(float a) { return std::sqrt(a); }
#endif
BOTH u64 over_wide(u64 a, u64 b) { return static_cast<u64>((Wide{a} << 40) / (b | 1)); }
#endif

// The carry flag of inline assembly on the host: always the adder's.
struct Flag {
  bool carry = false;
  template <class T>
  T add(T a, T b, bool in, bool leaves) {
    const Wide sum = Wide{a} + b + in;
    if (leaves) carry = sum >> (8 * sizeof(T)) != 0;
    return static_cast<T>(sum);
  }
};
