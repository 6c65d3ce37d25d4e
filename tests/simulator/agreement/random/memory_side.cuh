// The body of a random kernel of the kind "memory" on the device: a warp accesses memory together,
// in any width, stride, alignment and choice of lanes, and so says exactly what is to be counted.
#pragma once
#include "support.cuh"

constexpr u32 memory_room_words = 4096;  // of shared memory

/// Where thread i of a block goes: i * times + by, modulo a power of two.
struct Places {
  u32 times, by;
  BOTH u32 of(u32 i, u32 size) const { return (i * times + by) & (size - 1); }
};

/// Whether the lane of thread i is one of `lanes`.
BOTH bool is_among(u32 i, u32 lanes) { return (lanes >> (i & 31) & 1) != 0; }

/// The words of a thread as a value of any type, and a value of any type as one word.
template <class T>
BOTH T made(const Thread& t) {
  const u32 words[4] = {t.u0, t.u1, t.u2, t.u3};
  T out;
  memcpy(&out, words, sizeof(T));
  return out;
}
BOTH u32 taken_word(u64 value) {
  return static_cast<u32>(value) * 3 ^ static_cast<u32>(value >> 32);
}
/// Field by field, and numbers in a register: what is copied in words, nvcc loads in several parts.
template <class T>
BOTH u32 taken(const T& value) {
  if constexpr (std::is_integral_v<T>)
    return taken_word(static_cast<u64>(value));
  else if constexpr (requires { value.w; })
    return ((value.x * 3u ^ value.y) * 3u ^ value.z) * 3u ^ value.w;
  else
    return taken_word(value.x) * 3u ^ taken_word(value.y);
}

// ---- a thread alone ----

enum class Cache { usual, all, global, streaming, read_only, kept };

/// The inputs as an array of T, read past or through the caches that the instruction names.
template <class T, Cache C>
BOTH u32 input(const u32* in, u32 place) {
  const T* at = reinterpret_cast<const T*>(in) + (place & (inputs * 4 / sizeof(T) - 1));
#ifdef __CUDA_ARCH__
  if constexpr (C == Cache::all) return taken(__ldca(at));
  if constexpr (C == Cache::global) return taken(__ldcg(at));
  if constexpr (C == Cache::streaming) return taken(__ldcs(at));
  if constexpr (C == Cache::read_only) return taken(__ldg(at));
  if constexpr (C == Cache::kept) return taken(__ldcv(at));
#endif
  return taken(*at);
}

/// 16 bytes to the thread's own words, every time that it is written.
BOTH void quad_to_row(const Thread& t, u32 i) {
#ifdef __CUDA_ARCH__
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(
                   __cvta_generic_to_global(t.own + t.index * 16 + i % 4 * 4)),
               "r"(t.u0), "r"(t.u1), "r"(t.u2), "r"(t.u3)
               : "memory");
#else
  four_to_row(t, i);
#endif
}

/// The lanes of a warp come together again; only the device has to be told.
BOTH void meet() {
#ifdef __CUDA_ARCH__
  __syncwarp();
#endif
}

// ---- a block ----

struct MemoryDevice : DeviceSide {
  using DeviceSide::DeviceSide;

  /// Before anything else.
  __device__ void clear_room() {
    uint4* place = reinterpret_cast<uint4*>(room);
#pragma unroll 1
    for (u32 i = threadIdx.x; i < memory_room_words / 4; i += blockDim.x)
      place[i] = make_uint4(0, 0, 0, 0);
    __syncthreads();
  }
  /// Some lanes store, each to a place of its own and `gap` places apart, and some load.
  template <class T>
  __device__ void through_room(Word m, Places to, Places from, u32 gap, u32 stores, u32 loads) {
    through<T>(reinterpret_cast<T*>(room), m, to, from, gap, stores, loads);
  }
  /// The same through the block's part of the threads' own words, `shift` places further.
  template <class T>
  __device__ void through_memory(Word m, Places to, Places from, u32 gap, u32 shift, u32 stores,
                                 u32 loads) {
    T* place = reinterpret_cast<T*>(t.own + blockIdx.x * blockDim.x * 16) + shift;
    __syncthreads();  // until now they were each thread's own
    through<T>(place, m, to, from, gap, stores, loads);
  }
  /// Loads from where a word says.
  template <class T>
  __device__ void gather_room(Word m, Word where) {
    T* place = reinterpret_cast<T*>(room);
    place[threadIdx.x] = made<T>(t);
    __syncthreads();
    t.*m ^= taken(place[t.*where & (blockDim.x - 1)]);
    __syncthreads();
  }
  /// Atomics of shared memory on `count` words, `gap` apart: many lanes may share one.
  template <Sum S>
  __device__ void bins(Word where, Word what, Word to, u32 count, u32 gap, u32 lanes) {
    u32* at = room + t.*where % count * gap;
    if (is_among(threadIdx.x, lanes)) add_to<S>(at, t.*what);
    __syncthreads();
    t.*to += room[threadIdx.x % count * gap];
    __syncthreads();
  }
  /// Atomics of shared memory that hand back what was there, each on a word of its own.
  __device__ void swap_in_room(Word m, Places to, bool compared, u32 lanes) {
    u32* at = room + to.of(threadIdx.x, blockDim.x);
    if (is_among(threadIdx.x, lanes))
      t.*m = compared ? atomicCAS(at, t.*m & 1, t.*m) : atomicExch(at, t.*m);
    __syncthreads();
  }
  /// Atomics of global memory by some lanes.
  template <Sum S>
  __device__ void collect_some(Word where, Word what, u32 lanes) {
    if (is_among(threadIdx.x, lanes)) collect<S>(where, what);
    __syncwarp();
  }

 private:
  template <class T>
  __device__ void through(T* place, Word m, Places to, Places from, u32 gap, u32 stores,
                          u32 loads) {
    if (is_among(threadIdx.x, stores)) place[to.of(threadIdx.x, blockDim.x) * gap] = made<T>(t);
    __syncthreads();
    if (is_among(threadIdx.x, loads)) t.*m ^= taken(place[from.of(threadIdx.x, blockDim.x) * gap]);
    __syncthreads();
  }
};
