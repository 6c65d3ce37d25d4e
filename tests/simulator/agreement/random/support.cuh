// What random kernels are made of. A kernel's body is written once, for a "side": the device runs
// it a thread at a time, the host a step at a time for all threads of a block; what both have left
// in their threads and sums must be the same bits.
#pragma once
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

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

constexpr u32 inputs = 1024;    // words that a kernel reads
constexpr u32 sum_words = 256;  // four kinds of sums, 64 words each
constexpr u32 room_words = 1024;

struct Thread {
  u32 u0, u1, u2, u3;
  u64 w0, w1;
  float f0, f1;
  double d0, d1;
  __half h0, h1;
  i16 s0, s1;
  u32 index;  // in the grid
};
constexpr u32 thread_words = 13;

// ---- arithmetic that both sides spell differently ----

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
BOTH float quotient(float a, float b) { return __fdiv_rn(a, b); }
BOTH float root(float a) { return __fsqrt_rn(a); }
BOTH float product_down(float a, float b) { return __fmul_rd(a, b); }
BOTH i32 whole(float a) { return __float2int_rz(a); }
BOTH i64 whole(double a) { return __double2ll_rz(a); }
BOTH __half sum(__half a, __half b) { return __hadd_rn(a, b); }
BOTH __half product(__half a, __half b) { return __hmul_rn(a, b); }
BOTH __half fused(__half a, __half b, __half c) { return __hfma(a, b, c); }
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
BOTH float quotient(float a, float b) { return a / b; }
BOTH float root(float a) { return std::sqrt(a); }
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
#endif

// The carry flag of inline assembly on the host: always the adder's.
struct Flag {
  bool carry = false;
  u32 add(u32 a, u32 b, bool in, bool leaves) {
    const u64 sum = u64{a} + b + in;
    if (leaves) carry = sum >> 32 != 0;
    return static_cast<u32>(sum);
  }
};

// ---- the two sides ----

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

using Step = void (*)(Thread&, const u32*);
using Word = u32 Thread::*;

enum class Sum : u32 { add, least, most, flip };

struct DeviceSide {
  Thread t;
  const u32* in;
  u32* sums;
  u32* room;

  __device__ DeviceSide(const u32* in, u32* sums, u32* room) : in(in), sums(sums), room(room) {
    t.index = blockIdx.x * blockDim.x + threadIdx.x;
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
    t.*m = place[(threadIdx.x * stride + by) % blockDim.x];
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
  __device__ void collect(Word where, Word what) {
    u32* at = sums + 64 * static_cast<u32>(S) + t.*where % 64;
    if (S == Sum::add) atomicAdd(at, t.*what);
    if (S == Sum::least) atomicMin(at, t.*what);
    if (S == Sum::most) atomicMax(at, t.*what);
    if (S == Sum::flip) atomicXor(at, t.*what);
  }
};

struct HostSide {
  std::vector<Thread> threads;
  const u32* in;
  u32* sums;
  u32 number;

  HostSide(u32 number, u32 size, const u32* in, u32* sums)
      : threads(size), in(in), sums(sums), number(number) {
    for (u32 i = 0; i < size; ++i) {
      threads[i].index = number * size + i;
      begin(threads[i], in);
    }
  }
  u32 block() const { return number; }
  template <Step F>
  void each() {
    for (Thread& t : threads) F(t, in);
  }
  // Every thread gets `m` of the thread that `from` names: lane and warp to lane.
  template <class M, class From>
  void gather(M Thread::*m, From from) {
    std::vector<M> old;
    for (const Thread& t : threads) old.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i)
      threads[i].*m = old[i / 32 * 32 + from(i % 32, threads[i])];
  }
  template <class M>
  void flip(M Thread::*m, u32 by) {
    gather(m, [=](u32 lane, Thread&) { return lane ^ by; });
  }
  template <class M>
  void shift_up(M Thread::*m, u32 by) {
    gather(m, [=](u32 lane, Thread&) { return lane >= by ? lane - by : lane; });
  }
  template <class M>
  void shift_down(M Thread::*m, u32 by, u32 width) {
    gather(m, [=](u32 lane, Thread&) { return lane % width + by < width ? lane + by : lane; });
  }
  template <class M>
  void pick(M Thread::*m, Word from) {
    std::vector<u32> wanted;
    for (const Thread& t : threads) wanted.push_back(t.*from & 31);
    const Thread* first = threads.data();
    gather(m, [&](u32, Thread& t) { return wanted[static_cast<std::size_t>(&t - first)]; });
  }
  void flip_halves(Word m, u32 by) {
    std::vector<u32> old;
    for (const Thread& t : threads) old.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i) {
      if (i % 32 < 16) {
        threads[i].*m += old[i ^ by];
        threads[i].u3 += 1;
      } else {
        threads[i].*m ^= old[i ^ by];
      }
    }
  }
  template <class F>
  void each_warp(F act) {
    for (u32 at = 0; at < threads.size(); at += 32) act(threads.data() + at);
  }
  void vote(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 ballot = 0;
      for (u32 i = 0; i < 32; ++i) ballot |= (warp[i].*m & 1) << i;
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= ballot;
    });
  }
  void agree(Word m, Word to) {
    each_warp([&](Thread* warp) {
      bool any = false, all = true;
      for (u32 i = 0; i < 32; ++i) any |= warp[i].*m > 0xf0000000u, all &= (warp[i].*m & 3) != 0;
      for (u32 i = 0; i < 32; ++i) warp[i].*to += (any ? 3 : 0) + (all ? 5 : 0);
    });
  }
  void match(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 same[8] = {}, key[32];
      for (u32 i = 0; i < 32; ++i) key[i] = warp[i].*m & 7, same[key[i]] |= 1u << i;
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= same[key[i]];
    });
  }
  void reduce(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 sum = 0, most = 0;
      for (u32 i = 0; i < 32; ++i) sum += warp[i].*m, most = warp[i].*m > most ? warp[i].*m : most;
      for (u32 i = 0; i < 32; ++i) warp[i].*to += sum ^ most;
    });
  }
  template <class M>
  void exchange(M Thread::*m, u32 stride, u32 by) {
    std::vector<M> place;
    for (const Thread& t : threads) place.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i)
      threads[i].*m = place[(i * stride + by) % threads.size()];
  }
  void count(Word where, Word what, Word to) {
    u32 room[64] = {};
    for (const Thread& t : threads) {
      room[t.*where % 37] += t.*what;
      u32& most = room[40 + t.*where % 11];
      most = t.*what > most ? t.*what : most;
    }
    for (u32 i = 0; i < threads.size(); ++i) threads[i].*to ^= room[i % 37] + room[40 + i % 11];
  }
  template <Sum S>
  void collect(Word where, Word what) {
    for (const Thread& t : threads) {
      u32& at = sums[64 * static_cast<u32>(S) + t.*where % 64];
      if (S == Sum::add) at += t.*what;
      if (S == Sum::least) at = t.*what < at ? t.*what : at;
      if (S == Sum::most) at = t.*what > at ? t.*what : at;
      if (S == Sum::flip) at ^= t.*what;
    }
  }
};

// ---- running them ----

struct Subject {
  u64 seed;
  u32 blocks, threads;
  void (*device)(const u32* in, u64* out, u32* sums);  // a __global__ function
  void (*host)(HostSide& side);
};

inline u64 mixed(u64& state) {
  u64 z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

inline u64 digest(const std::vector<u64>& out, const std::vector<u32>& sums) {
  u64 hash = 14695981039346656037u;
  for (const u64 x : out) hash = (hash ^ x) * 1099511628211u, hash ^= hash >> 29;
  for (const u32 x : sums) hash = (hash ^ x) * 1099511628211u, hash ^= hash >> 29;
  return hash;
}

/// Prints a line a kernel: its seed, the digest of what the device made, and "host" or the first
/// place where the host makes something else. Returns how many kernels failed.
inline int run_subjects(const std::vector<Subject>& subjects) {
  static const char* names[] = {"u0", "u1", "u2", "u3", "w0", "w1",       "f0",
                                "f1", "d0", "d1", "h0", "h1", "s0 and s1"};
  u32 *in = nullptr, *sums = nullptr;
  u64* out = nullptr;
  constexpr std::size_t most_words = 4 * 256 * thread_words;
  if (cudaMallocManaged(&in, inputs * 4) != cudaSuccess ||
      cudaMallocManaged(&sums, sum_words * 4) != cudaSuccess ||
      cudaMallocManaged(&out, most_words * 8) != cudaSuccess)
    return std::printf("no device memory\n"), 1;
  int failed = 0;
  for (const Subject& subject : subjects) {
    u64 state = subject.seed;
    for (u32 i = 0; i < inputs; ++i)
      in[i] = static_cast<u32>(mixed(state) >> (mixed(state) % 4 == 0 ? 48 : 20));
    const auto clear = [](u32* to) {
      for (u32 i = 0; i < sum_words; ++i) to[i] = i / 64 == static_cast<u32>(Sum::least) ? ~0u : 0;
    };
    clear(sums);
    const u32 count = subject.blocks * subject.threads;
    void* arguments[] = {&in, &out, &sums};
    cudaLaunchKernel(reinterpret_cast<const void*>(subject.device), dim3(subject.blocks),
                     dim3(subject.threads), arguments, 0, nullptr);
    if (const cudaError_t code = cudaDeviceSynchronize(); code != cudaSuccess) {
      std::printf("%llu - %s\n", static_cast<unsigned long long>(subject.seed),
                  cudaGetErrorString(code));
      ++failed;
      if (cudaGetLastError() != cudaSuccess) cudaDeviceReset();
      break;
    }
    const std::vector<u64> made(out, out + std::size_t{count} * thread_words);
    const std::vector<u32> made_sums(sums, sums + sum_words);
    std::vector<u64> expected(made.size());
    std::vector<u32> expected_sums(sum_words);
    clear(expected_sums.data());
    for (u32 block = 0; block < subject.blocks; ++block) {
      HostSide side(block, subject.threads, in, expected_sums.data());
      subject.host(side);
      for (const Thread& t : side.threads) end(t, expected.data());
    }
    std::printf("%llu %016llx ", static_cast<unsigned long long>(subject.seed),
                static_cast<unsigned long long>(digest(made, made_sums)));
    std::size_t at = 0;
    while (at < made.size() && made[at] == expected[at]) ++at;
    if (at < made.size()) {
      std::printf("%s of thread %zu is %llx, on the host %llx\n", names[at % thread_words],
                  at / thread_words, static_cast<unsigned long long>(made[at]),
                  static_cast<unsigned long long>(expected[at]));
      ++failed;
    } else if (made_sums != expected_sums) {
      std::printf("the sums differ from the host's\n");
      ++failed;
    } else {
      std::printf("host\n");
    }
    std::fflush(stdout);
  }
  return failed;
}
