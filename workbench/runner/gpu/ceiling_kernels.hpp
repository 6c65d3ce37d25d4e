// Launchers of the kernels that set the ceilings: the simplest code that can saturate one unit.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace klab::runner {

/// Each enqueues one launch on `stream` and returns the work it does: bytes or operations. Pointers
/// are device memory of `bytes`, a multiple of 64 KiB. Errors: RunnerError.
double copy_plain(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
double copy_streaming(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
double copy_by_driver(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
/// Reads `from`; writes at most one word of `sink`.
double read_all(const void* from, std::size_t bytes, unsigned* sink, cudaStream_t stream);
double triad(void* a, const void* b, const void* c, std::size_t bytes, cudaStream_t stream);
/// Reads `from` many times over from the L2, past the L1; `bytes` should be well inside the L2.
double read_l2(int multiprocessors, const void* from, std::size_t bytes, unsigned* sink,
               cudaStream_t stream);
/// Reads the first l1_bytes of `from` many times over in every block, so that each L1 holds them.
inline constexpr std::size_t l1_bytes = 16 << 10;
double read_l1(int multiprocessors, const void* from, unsigned* sink, cudaStream_t stream);
double read_shared(int multiprocessors, unsigned* sink, cudaStream_t stream);
double fp32_fma(int multiprocessors, unsigned* sink, cudaStream_t stream);
/// Pairs of half-precision numbers: four operations an instruction and thread.
double fp16_fma(int multiprocessors, unsigned* sink, cudaStream_t stream);
double fp64_fma(int multiprocessors, unsigned* sink, cudaStream_t stream);
/// Needs compute capability 8.0.
double bf16_mma(int multiprocessors, unsigned* sink, cudaStream_t stream);
/// Needs compute capability 9.0, neither less nor more.
double bf16_wgmma(int multiprocessors, unsigned* sink, cudaStream_t stream);
void empty_kernel(cudaStream_t stream);

}  // namespace klab::runner
