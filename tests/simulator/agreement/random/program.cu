// Random kernels as a program and as a kernel file: what surrounds the kernels of any seeds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "support.cuh"

namespace {

cudaError_t launch_subject(const Subject& subject, const u32* in, u64* out, u32* sums,
                           cudaStream_t stream) {
  void* arguments[] = {&in, &out, &sums};
  return cudaLaunchKernel(reinterpret_cast<const void*>(subject.device), dim3(subject.blocks),
                          dim3(subject.threads), arguments, 0, stream);
}
u64 mixed(u64& state) {
  u64 z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

u64 digest(const std::vector<u64>& out, const std::vector<u32>& sums) {
  u64 hash = 14695981039346656037u;
  for (const u64 x : out) hash = (hash ^ x) * 1099511628211u, hash ^= hash >> 29;
  for (const u32 x : sums) hash = (hash ^ x) * 1099511628211u, hash ^= hash >> 29;
  return hash;
}

/// Prints a line a kernel: its seed, the digest of what the device made, and "host" or the first
/// place where the host makes something else. Returns how many kernels failed.
int run_subjects(const std::vector<Subject>& subjects) {
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
    cudaError_t code = launch_subject(subject, in, out, sums, nullptr);
    if (code == cudaSuccess) code = cudaDeviceSynchronize();
    if (code != cudaSuccess) {
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

}  // namespace

/// As the kernel file of a lab: the one that the size names.
extern "C" void launch(const Args& args, cudaStream_t stream) {
  for (const Subject& subject : all_subjects())
    if (subject.seed == static_cast<u64>(args.seed))
      launch_subject(subject, args.in, reinterpret_cast<u64*>(args.out), args.sums, stream);
}

// The seed of a kernel to begin behind, if any: one that faulted took the program with it.
int main(int count, char** arguments) {
  const u64 behind = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 0;
  std::vector<Subject> subjects;
  for (const Subject& subject : all_subjects())
    if (subject.seed > behind) subjects.push_back(subject);
  // Files of a program are linked in any order.
  std::sort(subjects.begin(), subjects.end(),
            [](const Subject& a, const Subject& b) { return a.seed < b.seed; });
  return run_subjects(subjects) > 0;
}
