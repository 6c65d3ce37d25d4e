// What says which lanes of a warp are on their way together, for structured and masked random
// kernels. The host goes a thread at a time and needs none of it.
#pragma once
#include "support.cuh"

#ifdef __CUDA_ARCH__
/// Of `lanes`, which are here: those for which it holds.
BOTH u32 those_with(u32 lanes, bool holds) { return __ballot_sync(lanes, holds); }
/// Of `lanes`, which are here: those with the same value.
BOTH u32 alike(u32 lanes, u32 value) { return __match_any_sync(lanes, value); }
/// All of them go on from here together.
BOTH void meet(u32 lanes) { __syncwarp(lanes); }
#else
BOTH u32 those_with(u32, bool) { return 0; }
BOTH u32 alike(u32, u32) { return 0; }
BOTH void meet(u32) {}
#endif

/// A choice that evaluates both ways, so that no lane leaves the others.
template <class T>
BOTH T chosen_of(bool first, T a, T b) {
  return first ? a : b;
}

// ---- loads of the inputs: each lane has two words of each row of 64 for itself ----

constexpr u32 lane_words = 2, rows = inputs / (32 * lane_words);

/// Where the words of a thread's lane begin.
BOTH const u32* of_lane(const Thread& t, const u32* in) { return in + t.index % 32 * lane_words; }
/// One of them, as a whole or in part.
template <class T>
BOTH u32 input_as(const u32* of_lane, u32 i) {
  const u32* words = of_lane + i % rows * (32 * lane_words);
  const T x = reinterpret_cast<const volatile T*>(words)[i / rows % (lane_words * 4 / sizeof(T))];
  return static_cast<u32>(x ^ x >> (sizeof(T) * 4));
}

/// Uses every bit of what a thread holds: a load whose value nobody needs may be left out.
BOTH void show(const Thread& t) {
  const u64 all = (u64{t.u0} << 32 | t.u1) * 3 ^ (u64{t.u2} << 32 | t.u3) * 5 ^ t.w0 * 7 ^
                  t.w1 * 9 ^ u64 { bits_of(t.f0) } * 11 ^ bits_of(t.d1) * 13;
  to_row<u64>(t, 7, all);
}
inline __device__ void show(DeviceSide& side) { show(side.t); }
inline void show(HostSide& side) {
  for (const Thread& t : side.threads) show(t);
}

// ---- sums of all threads: each lane has two of each kind, and of the wide ones ----

BOTH u32 sum_of_lane(const Thread& t, Word where) { return t.*where % 2 * 32 + t.index % 32; }

template <Sum S>
__device__ void collect_of_lanes(DeviceSide& side, Word where, Word what) {
  const u32 at = 64 * static_cast<u32>(S) + sum_of_lane(side.t, where);
  DeviceSide::add_to<S>(side.sums + at, side.t.*what);
}
template <Sum S>
void collect_of_lanes(HostSide& side, Word where, Word what) {
  for (const Thread& t : side.threads)
    HostSide::add_to<S>(side.sums[64 * static_cast<u32>(S) + sum_of_lane(t, where)], t.*what);
}
inline __device__ void collect_wide_of_lanes(DeviceSide& side, Word where) {
  atomicAdd(
      reinterpret_cast<unsigned long long*>(side.sums + wide_sums) + sum_of_lane(side.t, where),
      side.t.w0);
}
inline void collect_wide_of_lanes(HostSide& side, Word where) {
  for (const Thread& t : side.threads)
    reinterpret_cast<u64*>(side.sums + wide_sums)[sum_of_lane(t, where)] += t.w0;
}

inline __device__ void meet_all(DeviceSide&) { __syncwarp(); }
inline void meet_all(HostSide&) {}
