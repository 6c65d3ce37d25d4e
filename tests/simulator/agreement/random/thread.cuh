// A thread of a random kernel: what it computes with, and the memory that is its own.
#pragma once
#include <utility>

#include "arithmetic.cuh"
#include "contract.cuh"
#include "more_arithmetic.cuh"

constexpr u32 inputs = random_inputs;
constexpr u32 thread_words = random_result_words;

struct Thread {
  u32 u0, u1, u2, u3;
  u64 w0, w1;
  float f0, f1;
  double d0, d1;
  __half h0, h1;
  i16 s0, s1;
  u32 index;  // in the grid
  u32* own;   // every thread's own words
};

BOTH void begin(Thread& t, const u32* in) {
  const u32 i = t.index;
  t.u0 = in[i % inputs];
  t.u1 = in[(i * 7 + 1) % inputs];
  t.u2 = i * 2654435761u;
  t.u3 = in[(i ^ 511) % inputs] + i;
  t.w0 = u64{t.u1} << 32 | t.u2;
  t.w1 = u64{t.u3} * t.u0 + i;
  t.f0 = float_of(t.u0), t.f1 = float_of(t.u1);
  t.d0 = double_of(t.w0), t.d1 = double_of(t.w1);
  t.h0 = small_half(t.u2), t.h1 = small_half(t.u3);
  t.s0 = static_cast<i16>(t.u0), t.s1 = static_cast<i16>(t.u3 >> 7);
}
BOTH void end(const Thread& t, u64* out) {
  u64* to = out + u64{t.index} * thread_words;
  to[0] = t.u0, to[1] = t.u1, to[2] = t.u2, to[3] = t.u3;
  to[4] = t.w0, to[5] = t.w1;
  to[6] = bits_of(t.f0), to[7] = bits_of(t.f1);
  to[8] = bits_of(t.d0), to[9] = bits_of(t.d1);
  to[10] = bits_of(t.h0), to[11] = bits_of(t.h1);
  to[12] = u64{static_cast<u16>(t.s0)} << 16 | static_cast<u16>(t.s1);
}

// ---- loads of the inputs, in other widths than a word ----

template <class T>
BOTH u32 narrow(const u32* in, u32 i) {
  return static_cast<u32>(reinterpret_cast<const T*>(in)[i % (inputs * 4 / sizeof(T))]);
}
BOTH u32 two(const u32* in, u32 i) {
  const uint2 v = reinterpret_cast<const uint2*>(in)[i % (inputs / 2)];
  return v.x * 3 + v.y;
}
BOTH u32 four(const u32* in, u32 i) {
  const uint4 v = reinterpret_cast<const uint4*>(in)[i % (inputs / 4)];
  return ((v.x * 3 ^ v.y) * 3 ^ v.z) * 3 ^ v.w;
}
BOTH u32 eight(const u32* in, u32 i) {
  const uint2 v = reinterpret_cast<const uint2*>(in)[i % (inputs / 2)];
  const float2 w = reinterpret_cast<const float2*>(in)[v.x % (inputs / 2)];
  return bits_of(w.x) ^ bits_of(w.y) + v.y;
}
BOTH u32 parts(const u32* in, u32 i) {
  const short4 v = reinterpret_cast<const short4*>(in)[i % (inputs / 2)];
  const uchar4 w = reinterpret_cast<const uchar4*>(in)[(i >> 9) % inputs];
  return static_cast<u32>(v.x * 3 + v.y * 5 - v.z + v.w * 7) ^
         (static_cast<u32>(w.x) << 7) + w.y * 3u + w.z * 5u + w.w;
}
BOTH u64 two_large(const u32* in, u32 i) {
  const ulonglong2 v = reinterpret_cast<const ulonglong2*>(in)[i % (inputs / 4)];
  return v.x * 3 ^ v.y;
}
BOTH float real_bits(u32 x) {
  float out;
  memcpy(&out, &x, 4);
  return out;
}
// A load that no compiler leaves out or moves.
BOTH u32 kept(const u32* in, u32 i) { return const_cast<const volatile u32*>(in)[i % inputs]; }

// ---- a thread's own words: 16 in a row, and 16 in rows that all threads share ----

// They are volatile so that every access that is written is made.
template <class T>
BOTH volatile T* row(const Thread& t, u32 i) {
  return reinterpret_cast<volatile T*>(t.own + t.index * 16) + i % (64 / sizeof(T));
}
BOTH u32* column(const Thread& t, u32 i) {
  return t.own + random_threads * 16 + i % 16 * random_threads + t.index;
}
template <class T>
BOTH u32 from_row(const Thread& t, u32 i) {
  return static_cast<u32>(*row<T>(t, i));
}
template <class T>
BOTH void to_row(const Thread& t, u32 i, T x) {
  *row<T>(t, i) = x;
}
BOTH u32 from_column(const Thread& t, u32 i) { return *static_cast<volatile u32*>(column(t, i)); }
BOTH void to_column(const Thread& t, u32 i, u32 x) {
  *static_cast<volatile u32*>(column(t, i)) = x;
}

#ifdef __CUDA_ARCH__
BOTH void four_to_row(const Thread& t, u32 i) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(
                   __cvta_generic_to_global(t.own + t.index * 16 + i % 4 * 4)),
               "r"(t.u0), "r"(t.u1), "r"(t.u2), "r"(t.u3)
               : "memory");
}
BOTH u32 four_from_row(const Thread& t, u32 i) {
  u32 a, b, c, d;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(__cvta_generic_to_global(t.own + t.index * 16 + i % 4 * 4))
               : "memory");
  return ((a * 3 ^ b) * 3 ^ c) * 3 ^ d;
}
BOTH u32 add_to_own(const Thread& t, u32 i, u32 x) { return atomicAdd(column(t, i), x); }
BOTH u32 swap_own(const Thread& t, u32 i, u32 x) { return atomicExch(column(t, i), x); }
BOTH u32 swap_own_if(const Thread& t, u32 i, u32 x) { return atomicCAS(column(t, i), x & 1, x); }
#else
BOTH void four_to_row(const Thread& t, u32 i) {
  u32* to = t.own + t.index * 16 + i % 4 * 4;
  to[0] = t.u0, to[1] = t.u1, to[2] = t.u2, to[3] = t.u3;
}
BOTH u32 four_from_row(const Thread& t, u32 i) {
  const u32* v = t.own + t.index * 16 + i % 4 * 4;
  return ((v[0] * 3 ^ v[1]) * 3 ^ v[2]) * 3 ^ v[3];
}
BOTH u32 add_to_own(const Thread& t, u32 i, u32 x) {
  const u32 old = *column(t, i);
  *column(t, i) += x;
  return old;
}
BOTH u32 swap_own(const Thread& t, u32 i, u32 x) { return std::exchange(*column(t, i), x); }
BOTH u32 swap_own_if(const Thread& t, u32 i, u32 x) {
  const u32 old = *column(t, i);
  if (old == (x & 1)) *column(t, i) = x;
  return old;
}
#endif
