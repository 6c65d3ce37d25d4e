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
template <class T>
BOTH u32 input_as(const u32* in, u32 i) {
  return static_cast<u32>(reinterpret_cast<const volatile T*>(in)[i % (inputs * 4 / sizeof(T))]);
}

inline __device__ void meet_all(DeviceSide&) { __syncwarp(); }
inline void meet_all(HostSide&) {}
