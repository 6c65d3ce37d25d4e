// Random kernels as programs and as kernel files. A kernel's body is written once, for a "side":
// the device runs it a thread at a time, the host a step at a time for all threads of a block; what
// both have left in their threads and sums must be the same bits.
#pragma once
#include <algorithm>
#include <cstdio>
#include <vector>

#include "host_side.cuh"

struct Subject {
  u64 seed;
  u32 blocks, threads;
  void (*device)(const u32* in, u64* out, u32* sums);  // a __global__ function
  void (*host)(HostSide& side);
};

inline void launch_subject(const Subject& subject, const u32* in, u64* out, u32* sums,
                           cudaStream_t stream) {
  void* arguments[] = {&in, &out, &sums};
  cudaLaunchKernel(reinterpret_cast<const void*>(subject.device), dim3(subject.blocks),
                   dim3(subject.threads), arguments, 0, stream);
}
/// As the kernel file of a lab: the one that the size names.
inline void launch_named(const std::vector<Subject>& subjects, const Args& args,
                         cudaStream_t stream) {
  for (const Subject& subject : subjects)
    if (subject.seed == static_cast<u64>(args.seed))
      launch_subject(subject, args.in, reinterpret_cast<u64*>(args.out), args.sums, stream);
}

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
  if (cudaMallocManaged(&in, inputs * 4) != cudaSuccess ||
      cudaMallocManaged(&sums, random_sum_words * 4) != cudaSuccess ||
      cudaMallocManaged(&out, random_out_words * 8) != cudaSuccess)
    return std::printf("no device memory\n"), 1;
  int failed = 0;
  for (const Subject& subject : subjects) {
    u64 state = subject.seed;
    for (u32 i = 0; i < inputs; ++i)
      in[i] = static_cast<u32>(mixed(state) >> (mixed(state) % 4 == 0 ? 48 : 20));
    std::vector<u64> expected(random_out_words, 0);
    std::vector<u32> expected_sums(random_sum_words);
    for (u32 i = 0; i < random_sum_words; ++i) expected_sums[i] = random_first_sum(i);
    std::copy(expected.begin(), expected.end(), out);
    std::copy(expected_sums.begin(), expected_sums.end(), sums);
    launch_subject(subject, in, out, sums, nullptr);
    if (const cudaError_t code = cudaDeviceSynchronize(); code != cudaSuccess) {
      std::printf("%llu - %s\n", static_cast<unsigned long long>(subject.seed),
                  cudaGetErrorString(code));
      ++failed;
      if (cudaGetLastError() != cudaSuccess) cudaDeviceReset();
      break;
    }
    const std::vector<u64> made(out, out + random_out_words);
    const std::vector<u32> made_sums(sums, sums + random_sum_words);
    for (u32 block = 0; block < subject.blocks; ++block) {
      HostSide side(block, subject.threads, in, expected.data(), expected_sums.data());
      subject.host(side);
      for (const Thread& t : side.threads) end(t, expected.data());
    }
    std::printf("%llu %016llx ", static_cast<unsigned long long>(subject.seed),
                static_cast<unsigned long long>(digest(made, made_sums)));
    std::size_t at = 0;
    while (at < made.size() && made[at] == expected[at]) ++at;
    if (at < made.size() && at >= random_threads * thread_words) {
      std::printf("what threads stored differs from the host's at word %zu\n",
                  at - random_threads * thread_words);
      ++failed;
    } else if (at < made.size()) {
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
