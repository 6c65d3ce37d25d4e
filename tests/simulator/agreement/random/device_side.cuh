// The body of a random kernel on the device, a thread at a time.
#pragma once
#include "thread.cuh"

constexpr u32 room_words = 1024;  // of shared memory

using Step = void (*)(Thread&, const u32*);
using Word = u32 Thread::*;

enum class Sum : u32 { add, least, most, flip, either, both };
constexpr u32 wide_sums = 6 * 64;  // where 64 sums of 8 bytes begin

struct DeviceSide {
  Thread t;
  const u32* in;
  u32* sums;
  u32* room;

  __device__ DeviceSide(const u32* in, u64* out, u32* sums, u32* room)
      : in(in), sums(sums), room(room) {
    t.index = blockIdx.x * blockDim.x + threadIdx.x;
    t.own = reinterpret_cast<u32*>(out + random_threads * thread_words);
    begin(t, in);
  }
  __device__ u32 block() const { return blockIdx.x; }
  template <Step F>
  __device__ void each() {
    F(t, in);
  }
  template <class M>
  __device__ void flip(M Thread::*m, u32 by) {
    t.*m = __shfl_xor_sync(~0u, t.*m, by);
  }
  template <class M>
  __device__ void shift_up(M Thread::*m, u32 by) {
    t.*m = __shfl_up_sync(~0u, t.*m, by);
  }
  template <class M>
  __device__ void shift_down(M Thread::*m, u32 by, u32 width) {
    t.*m = __shfl_down_sync(~0u, t.*m, by, width);
  }
  template <class M>
  __device__ void pick(M Thread::*m, Word from) {
    t.*m = __shfl_sync(~0u, t.*m, t.*from & 31);
  }
  // The two halves of a warp, each on its own way.
  __device__ void flip_halves(Word m, u32 by) {
    if (threadIdx.x % 32 < 16) {
      t.*m += __shfl_xor_sync(0x0000ffffu, t.*m, by);
      t.u3 += 1;
    } else {
      t.*m ^= __shfl_xor_sync(0xffff0000u, t.*m, by);
    }
  }
  __device__ void vote(Word m, Word to) { t.*to ^= __ballot_sync(~0u, t.*m & 1); }
  __device__ void agree(Word m, Word to) {
    t.*to += (__any_sync(~0u, t.*m > 0xf0000000u) ? 3 : 0) + (__all_sync(~0u, t.*m & 3) ? 5 : 0);
  }
  __device__ void match(Word m, Word to) { t.*to ^= __match_any_sync(~0u, t.*m & 7); }
  __device__ void reduce(Word m, Word to) {
    t.*to += __reduce_add_sync(~0u, t.*m) ^ __reduce_max_sync(~0u, t.*m);
  }
  // A word of another thread of the block, through shared memory.
  template <class M>
  __device__ void exchange(M Thread::*m, u32 stride, u32 by) {
    M* place = reinterpret_cast<M*>(room);
    place[threadIdx.x] = t.*m;
    __syncthreads();
    t.*m = place[(threadIdx.x * stride + by) & (blockDim.x - 1)];
    __syncthreads();
  }
  // The same in bytes or halves of words, and in four words at once.
  template <class T>
  __device__ void exchange_narrow(Word m, u32 stride, u32 by) {
    T* place = reinterpret_cast<T*>(room);
    place[threadIdx.x] = static_cast<T>(t.*m);
    __syncthreads();
    t.*m += static_cast<u32>(place[(threadIdx.x * stride + by) & (blockDim.x - 1)]);
    __syncthreads();
  }
  __device__ void exchange_four(u32 stride, u32 by) {
    uint4* place = reinterpret_cast<uint4*>(room);
    place[threadIdx.x] = make_uint4(t.u0, t.u1, t.u2, t.u3);
    __syncthreads();
    const uint4 got = place[(threadIdx.x * stride + by) & (blockDim.x - 1)];
    t.u0 = got.y, t.u1 = got.z, t.u2 = got.w, t.u3 = got.x;
    __syncthreads();
  }
  __device__ void mark(Word where, Word what, Word to) {
    for (u32 i = threadIdx.x; i < 64; i += blockDim.x) room[i] = i % 2 == 0 ? ~0u : 0;
    __syncthreads();
    atomicAnd(&room[t.*where % 16 * 2], t.*what | 0xff);
    atomicOr(&room[t.*where % 16 * 2 + 1], t.*what & 0xff00ff);
    atomicMin(&room[32 + t.*where % 8 * 2], t.*what);
    atomicXor(&room[33 + t.*where % 8 * 2], t.*what);
    __syncthreads();
    t.*to += room[threadIdx.x % 32] ^ room[32 + threadIdx.x % 16];
    __syncthreads();
  }
  __device__ void count(Word where, Word what, Word to) {
    for (u32 i = threadIdx.x; i < 64; i += blockDim.x) room[i] = 0;
    __syncthreads();
    atomicAdd(&room[t.*where % 37], t.*what);
    atomicMax(&room[40 + t.*where % 11], t.*what);
    __syncthreads();
    t.*to ^= room[threadIdx.x % 37] + room[40 + threadIdx.x % 11];
    __syncthreads();
  }
  template <Sum S>
  __device__ static void add_to(u32* at, u32 what) {
    if (S == Sum::add) atomicAdd(at, what);
    if (S == Sum::least) atomicMin(at, what);
    if (S == Sum::most) atomicMax(at, what);
    if (S == Sum::flip) atomicXor(at, what);
    if (S == Sum::either) atomicOr(at, what);
    if (S == Sum::both) atomicAnd(at, what);
  }
  template <Sum S>
  __device__ void collect(Word where, Word what) {
    u32* at = sums + 64 * static_cast<u32>(S) + t.*where % 64;
    add_to<S>(at, t.*what);
  }
  __device__ void collect_wide(Word where) {
    atomicAdd(reinterpret_cast<unsigned long long*>(sums + wide_sums) + t.*where % 64, t.w0);
  }

  // ---- of wide seeds ----

  __device__ void match_all(Word m, Word to) {
    int all = 0;
    const u32 same = __match_all_sync(~0u, t.*m & 0x80000000u, &all);
    t.*to ^= same ^ static_cast<u32>(all) << 3;
  }
  __device__ void reduce_more(Word m, Word to) {
    t.*to ^= __reduce_min_sync(~0u, t.*m) + __reduce_and_sync(~0u, t.*m | 0xffff) +
             __reduce_or_sync(~0u, t.*m & 0xffff00) + __reduce_xor_sync(~0u, t.*m) +
             static_cast<u32>(__reduce_min_sync(~0u, static_cast<i32>(t.*m)));
  }
  template <class M>
  __device__ void flip_within(M Thread::*m, u32 by, u32 width) {
    t.*m = __shfl_xor_sync(~0u, t.*m, by, width);
  }
  // Inputs past the registers, straight to shared memory.
  template <u32 Bytes>
  __device__ void fetch(Word m, u32 stride, u32 by) {
    const u32 from = (threadIdx.x * stride + by) % (inputs * 4 / Bytes) * (Bytes / 4);
    const u32 place = static_cast<u32>(__cvta_generic_to_shared(room)) + threadIdx.x * Bytes;
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;\ncp.async.commit_group;\n"
        "cp.async.wait_group 0;" ::"r"(place),
        "l"(__cvta_generic_to_global(in + from)), "n"(Bytes)
        : "memory");
    __syncthreads();
    t.*m ^= room[((threadIdx.x ^ 1) * (Bytes / 4) + by % (Bytes / 4))];
    __syncthreads();
  }
  __device__ void tally(Word where, Word what, Word to) {
    for (u32 i = threadIdx.x; i < 64; i += blockDim.x) room[i] = 0;
    __syncthreads();
    atomicInc(&room[t.*where % 16], 9);
    atomicDec(&room[16 + t.*where % 8], 11);
    atomicAdd(reinterpret_cast<float*>(&room[24 + t.*where % 8]),
              static_cast<float>(t.*what & 255));
    atomicMax(reinterpret_cast<unsigned long long*>(&room[32]) + t.*where % 8, t.w0);
    atomicAdd(reinterpret_cast<unsigned long long*>(&room[48]) + t.*where % 8, t.w1);
    __syncthreads();
    t.*to ^= room[threadIdx.x % 64];
    __syncthreads();
  }
  __device__ void poll(Word m, Word to) {
    t.*to += static_cast<u32>(__syncthreads_count(static_cast<int>(t.*m & 1)));
    t.*to ^= static_cast<u32>(__syncthreads_or((t.*m & 0xff0000) == 0) << 5);
    t.*to ^= static_cast<u32>(__syncthreads_and((t.*m & 3) != 0) << 7);
  }
  __device__ void exchange_two(u32 stride, u32 by) {
    ulonglong2* place = reinterpret_cast<ulonglong2*>(room);
    place[threadIdx.x] = make_ulonglong2(t.w0, t.w1);
    __syncthreads();
    const ulonglong2 got = place[(threadIdx.x * stride + by) & (blockDim.x - 1)];
    t.w0 = got.y, t.w1 = got.x;
    __syncthreads();
  }
};
