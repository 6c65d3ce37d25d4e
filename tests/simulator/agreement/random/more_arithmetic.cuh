// What kernels of wide seeds compute with besides: fields of bits, packed numbers, saturation, and
// every way to round. On the device each is the instruction itself, on the host what PTX says of
// it.
#pragma once
#include <cuda_bf16.h>

#include <cfenv>

#include "arithmetic.cuh"

__extension__ using SignedWide = __int128;

enum class Towards { near, zero, down, up };
enum class Pair { sum, difference, product, fused, fused_relu, least, most, least_nan, sat };

/// All that is not a number is one, in each half of a word.
template <u32 Infinity, u32 Nan>
BOTH u32 pair_bits(u32 x) {
  if ((x & 0x7fff) > Infinity) x = (x & 0xffff0000) | Nan;
  if ((x >> 16 & 0x7fff) > Infinity) x = (x & 0xffff) | Nan << 16;
  return x;
}
/// PTX leaves open whether the negative numbers that become 0 include its own negative.
BOTH u32 without_negative_zeros(u32 x) {
  if ((x & 0xffff) == 0x8000) x &= 0xffff0000;
  return x >> 16 == 0x8000 ? x & 0xffff : x;
}
BOTH u32 absolute(u32 a) {
  const i32 x = static_cast<i32>(a);
  return x < 0 ? 0 - a : a;
}

#ifdef __CUDA_ARCH__
// An instruction on words.
#define WORDS_2(name, text)                                \
  BOTH u32 name(u32 a, u32 b) {                            \
    u32 out;                                               \
    asm(text " %0, %1, %2;" : "=r"(out) : "r"(a), "r"(b)); \
    return out;                                            \
  }
#define WORDS_3(name, text)                                            \
  BOTH u32 name(u32 a, u32 b, u32 c) {                                 \
    u32 out;                                                           \
    asm(text " %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(c)); \
    return out;                                                        \
  }
WORDS_3(field, "bfe.u32")
WORDS_3(signed_field, "bfe.s32")
WORDS_3(bytes_of, "prmt.b32")
WORDS_3(bytes_forward, "prmt.b32.f4e")
WORDS_3(bytes_backward, "prmt.b32.b4e")
WORDS_3(byte_everywhere, "prmt.b32.rc8")
WORDS_3(half_everywhere, "prmt.b32.rc16")
WORDS_3(edge_left, "prmt.b32.ecl")
WORDS_3(edge_right, "prmt.b32.ecr")
WORDS_3(funnel_right, "shf.r.wrap.b32")
WORDS_3(funnel_right_clamped, "shf.r.clamp.b32")
WORDS_3(funnel_left_clamped, "shf.l.clamp.b32")
WORDS_3(dot_unsigned, "dp4a.u32.u32")
WORDS_3(dot_mixed, "dp4a.s32.u32")
WORDS_3(pair_dot_low, "dp2a.lo.s32.s32")
WORDS_3(pair_dot_high, "dp2a.hi.u32.s32")
WORDS_3(signed_distance, "sad.s32")
WORDS_3(chosen, "slct.u32.s32")
WORDS_3(nth_one, "fns.b32")
WORDS_2(mask, "bmsk.clamp.b32")
WORDS_2(mask_wrapped, "bmsk.wrap.b32")
WORDS_2(sum_saturated, "add.sat.s32")
WORDS_2(difference_saturated, "sub.sat.s32")
WORDS_2(signed_high_product, "mul.hi.s32")
WORDS_2(least, "min.u32")
WORDS_2(signed_most, "max.s32")
WORDS_2(product_24, "mul24.lo.u32")
WORDS_2(signed_product_24, "mul24.lo.s32")
#undef WORDS_2
#undef WORDS_3
BOTH u64 field(u64 a, u32 at, u32 count) {
  u64 out;
  asm("bfe.u64 %0, %1, %2, %3;" : "=l"(out) : "l"(a), "r"(at), "r"(count));
  return out;
}
BOTH u64 signed_field(u64 a, u32 at, u32 count) {
  u64 out;
  asm("bfe.s64 %0, %1, %2, %3;" : "=l"(out) : "l"(a), "r"(at), "r"(count));
  return out;
}
BOTH u32 inserted(u32 a, u32 b, u32 at, u32 count) {
  u32 out;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a), "r"(b), "r"(at), "r"(count));
  return out;
}
BOTH u64 inserted(u64 a, u64 b, u32 at, u32 count) {
  u64 out;
  asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(out) : "l"(a), "l"(b), "r"(at), "r"(count));
  return out;
}
template <u32 Table>
BOTH u32 logic(u32 a, u32 b, u32 c) {
  u32 out;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return out;
}
BOTH u32 leading(u32 a) {
  u32 out;
  asm("bfind.u32 %0, %1;" : "=r"(out) : "r"(a));
  return out;
}
BOTH u32 signed_leading(u32 a) {
  u32 out;
  asm("bfind.shiftamt.s32 %0, %1;" : "=r"(out) : "r"(a));
  return out;
}
BOTH u32 leading(u64 a) {
  u32 out;
  asm("bfind.u64 %0, %1;" : "=r"(out) : "l"(a));
  return out;
}
BOTH u32 ones(u64 a) { return __popcll(a); }
BOTH u32 zeros(u64 a) { return __clzll(static_cast<long long>(a)); }
BOTH u64 mirrored(u64 a) { return __brevll(a); }
BOTH u64 signed_high_product(u64 a, u64 b) {
  return static_cast<u64>(__mul64hi(static_cast<i64>(a), static_cast<i64>(b)));
}
BOTH u32 bytes_saturated(u32 a) {
  u32 low, high;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(low) : "r"(a));
  asm("cvt.sat.u8.s32 %0, %1;" : "=r"(high) : "r"(a));
  return low ^ high << 8;
}

template <Towards Way, class T>
BOTH T sum_to(T a, T b) {
  if constexpr (sizeof(T) == 4) {
    return Way == Towards::near   ? __fadd_rn(a, b)
           : Way == Towards::zero ? __fadd_rz(a, b)
           : Way == Towards::down ? __fadd_rd(a, b)
                                  : __fadd_ru(a, b);
  } else {
    return Way == Towards::near   ? __dadd_rn(a, b)
           : Way == Towards::zero ? __dadd_rz(a, b)
           : Way == Towards::down ? __dadd_rd(a, b)
                                  : __dadd_ru(a, b);
  }
}
template <Towards Way, class T>
BOTH T product_to(T a, T b) {
  if constexpr (sizeof(T) == 4) {
    return Way == Towards::near   ? __fmul_rn(a, b)
           : Way == Towards::zero ? __fmul_rz(a, b)
           : Way == Towards::down ? __fmul_rd(a, b)
                                  : __fmul_ru(a, b);
  } else {
    return Way == Towards::near   ? __dmul_rn(a, b)
           : Way == Towards::zero ? __dmul_rz(a, b)
           : Way == Towards::down ? __dmul_rd(a, b)
                                  : __dmul_ru(a, b);
  }
}
template <Towards Way>
BOTH float fused_to(float a, float b, float c) {
  return Way == Towards::near   ? __fmaf_rn(a, b, c)
         : Way == Towards::zero ? __fmaf_rz(a, b, c)
         : Way == Towards::down ? __fmaf_rd(a, b, c)
                                : __fmaf_ru(a, b, c);
}
template <Towards Way>
BOTH float narrowed(double a) {
  return Way == Towards::near   ? __double2float_rn(a)
         : Way == Towards::zero ? __double2float_rz(a)
         : Way == Towards::down ? __double2float_rd(a)
                                : __double2float_ru(a);
}
template <Towards Way>
BOTH float real_of(u64 a) {
  return Way == Towards::near   ? __ull2float_rn(a)
         : Way == Towards::zero ? __ull2float_rz(a)
         : Way == Towards::down ? __ll2float_rd(static_cast<long long>(a))
                                : __ll2float_ru(static_cast<long long>(a));
}
template <Towards Way>
BOTH u32 whole_to(float a) {
  return static_cast<u32>(Way == Towards::near   ? __float2int_rn(a)
                          : Way == Towards::zero ? __float2int_rz(a)
                          : Way == Towards::down ? __float2int_rd(a)
                                                 : __float2int_ru(a));
}
template <Towards Way>
BOTH u64 whole_to(double a) {
  return static_cast<u64>(Way == Towards::near   ? __double2ll_rn(a)
                          : Way == Towards::zero ? __double2ll_rz(a)
                          : Way == Towards::down ? __double2ll_rd(a)
                                                 : __double2ll_ru(a));
}
template <Towards Way>
BOTH __half half_to(float a) {
  return Way == Towards::near   ? __float2half_rn(a)
         : Way == Towards::zero ? __float2half_rz(a)
         : Way == Towards::down ? __float2half_rd(a)
                                : __float2half_ru(a);
}
BOTH u32 natural(float a) { return __float2uint_rz(a); }
BOTH float least(float a, float b) { return fminf(a, b); }
BOTH float most(float a, float b) { return fmaxf(a, b); }
BOTH double least(double a, double b) { return fmin(a, b); }
BOTH double most(double a, double b) { return fmax(a, b); }
BOTH float least_or_nan(float a, float b) {
  float out;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
}
BOTH float sum_flushed(float a, float b) {
  float out;
  asm("add.ftz.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
}
BOTH float product_flushed(float a, float b) {
  float out;
  asm("mul.ftz.f32 %0, %1, %2;" : "=f"(out) : "f"(a), "f"(b));
  return out;
}
BOTH float saturated(float a) { return __saturatef(a); }

template <class Two>
BOTH u32 bits_of_pair(Two a) {
  u32 out;
  memcpy(&out, &a, 4);
  return out;
}
template <class Two>
BOTH Two pair_of(u32 a) {
  Two out;
  memcpy(&out, &a, 4);
  return out;
}
template <Pair What, class Two>
BOTH Two computed(Two a, Two b, Two c) {
  if constexpr (What == Pair::sum) return __hadd2_rn(a, b);
  if constexpr (What == Pair::difference) return __hsub2_rn(a, b);
  if constexpr (What == Pair::product) return __hmul2_rn(a, b);
  if constexpr (What == Pair::fused) return __hfma2(a, b, c);
  if constexpr (What == Pair::fused_relu) return __hfma2_relu(a, b, c);
  if constexpr (What == Pair::least) return __hmin2(a, b);
  if constexpr (What == Pair::most) return __hmax2(a, b);
  if constexpr (What == Pair::least_nan) return __hmin2_nan(a, b);
  if constexpr (What == Pair::sat) return __hadd2_sat(a, b);
}
template <Pair What>
BOTH u32 raw_pairs(u32 a, u32 b, u32 c) {
  return pair_bits<0x7c00, 0x7e00>(
      bits_of_pair(computed<What>(pair_of<__half2>(a), pair_of<__half2>(b), pair_of<__half2>(c))));
}
template <Pair What>
BOTH u32 raw_brain_pairs(u32 a, u32 b, u32 c) {
  return pair_bits<0x7f80, 0x7fc0>(bits_of_pair(computed<What>(
      pair_of<__nv_bfloat162>(a), pair_of<__nv_bfloat162>(b), pair_of<__nv_bfloat162>(c))));
}
BOTH u32 pairs_less(u32 a, u32 b) {
  return __hlt2_mask(pair_of<__half2>(a), pair_of<__half2>(b)) ^
         __hgeu2_mask(pair_of<__half2>(b), pair_of<__half2>(a)) << 3;
}
BOTH u32 brain_of(float a) {
  return pair_bits<0x7f80, 0x7fc0>(
      bits_of_pair(__halves2bfloat162(__float2bfloat16_rn(a), __float2bfloat16_rz(a))));
}
#else
#include "more_arithmetic_host.cuh"
#endif

template <Pair What>
BOTH u32 pairs(u32 a, u32 b, u32 c) {
  const u32 out = raw_pairs<What>(a, b, c);
  return What == Pair::fused_relu ? without_negative_zeros(out) : out;
}
template <Pair What>
BOTH u32 brain_pairs(u32 a, u32 b, u32 c) {
  const u32 out = raw_brain_pairs<What>(a, b, c);
  return What == Pair::fused_relu ? without_negative_zeros(out) : out;
}

#ifdef WITHOUT_DIVISION
BOTH u64 rest_wide(u64 a, u64 b) { return a + b; }
BOTH u64 over_signed(u64 a, u64 b) { return a ^ b; }
#else
BOTH u64 rest_wide(u64 a, u64 b) {
  return static_cast<u64>(((Wide{a} << 40) + b) % ((Wide{b} << 7) | 1));
}
BOTH u64 over_signed(u64 a, u64 b) {
  return static_cast<u64>(static_cast<i64>(a) / static_cast<i64>(b >> 3 | 1));
}
#endif
