// Contract: the random kernel of `seed` reads in and writes out and sums.
#pragma once

#include <cuda_runtime.h>

constexpr unsigned random_inputs = 1024;       // words that a kernel reads
constexpr unsigned random_threads = 1024;      // in its grid, at most
constexpr unsigned random_result_words = 13;   // of 8 bytes that a thread leaves
constexpr unsigned random_own_words = 2 * 16;  // of 4 bytes that it stores and loads meanwhile
constexpr unsigned random_sum_words = 8 * 64;  // of 4 bytes that all threads update
constexpr unsigned random_filled_sums = 1u << 1 | 1u << 5;  // which of the 8 begin as all ones

constexpr unsigned random_out_words =
    random_threads * random_result_words + random_threads * random_own_words / 2;

// What a word of the sums is before the kernel runs.
__host__ __device__ constexpr unsigned random_first_sum(unsigned long long i) {
  return random_filled_sums >> (i / 64) & 1 ? ~0u : 0;
}

struct Args {
  const unsigned* in;       // random_inputs
  unsigned long long* out;  // random_out_words: first the results, then the threads' own words
  unsigned* sums;           // random_sum_words
  long long seed;
};

extern "C" void launch(const Args& args, cudaStream_t stream);
