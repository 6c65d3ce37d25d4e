// Helpers for labs/*/workload.cu: loops that run on the host or the device, and the comparison.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runner/workload/expected.cuh"
#include "runner/workload/random.cuh"
#include "runner/workload/workload.hpp"

namespace klab {

namespace detail {

template <class F>
__global__ void for_each_kernel(std::int64_t count, F body) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x; i < count;
       i += stride)
    body(i);
}

/// Throws std::bad_alloc where the device has no room, and std::runtime_error else.
inline void require(cudaError_t status, const char* what) {
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // this error stays otherwise, and would be taken for a launch's
    throw std::bad_alloc();
  }
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

/// The running result of a comparison; on the device it is updated with atomics.
struct Tally {
  unsigned long long wrong;
  unsigned long long first;  ///< smallest wrong index, ~0 if none
};

/// Where the device notes it, once a library: allocating and freeing it each time would take longer
/// than most comparisons.
static __device__ Tally device_tally;
static __device__ double device_pair[2];

template <class T>
T* device_address(T& variable) {
  void* address = nullptr;
  require(cudaGetSymbolAddress(&address, variable), "comparison");
  return static_cast<T*>(address);
}

__host__ __device__ inline void note_wrong(Tally* tally, std::int64_t index) {
#ifdef __CUDA_ARCH__
  atomicAdd(&tally->wrong, 1ull);
  atomicMin(&tally->first, static_cast<unsigned long long>(index));
#else
  ++tally->wrong;
  if (static_cast<unsigned long long>(index) < tally->first)
    tally->first = static_cast<unsigned long long>(index);
#endif
}

}  // namespace detail

/// Calls body(i) for every i in [0, count): a plain loop on the host, a grid-stride kernel of the
/// default stream on the device. The host does not wait for it: pass follows pass there, and the
/// comparison waits for all. `body` is a `[=] __host__ __device__` lambda.
template <class F>
void for_each(Where where, std::int64_t count, F body) {
  if (count <= 0) return;
  if (where == Where::host) {
    for (std::int64_t i = 0; i < count; ++i) body(i);
    return;
  }
  const auto blocks =
      static_cast<unsigned>((count + 255) / 256 < 16384 ? (count + 255) / 256 : 16384);
  detail::for_each_kernel<<<blocks, 256>>>(count, body);
  detail::require(cudaGetLastError(), "workload kernel");
}

/// The same for a body that touches nothing but its own element: on the host many of them are done
/// side by side.
template <class F>
void for_each_alone(Where where, std::int64_t count, F body) {
  constexpr std::int64_t many = 1 << 18;
  if (where == Where::device || count < many) return for_each(where, count, body);
  const std::int64_t parts = std::max(1u, std::thread::hardware_concurrency());
  const auto do_part = [=](std::int64_t part) {
    for (std::int64_t i = count * part / parts; i < count * (part + 1) / parts; ++i) body(i);
  };
  std::vector<std::thread> others;
  for (std::int64_t part = 1; part < parts; ++part) others.emplace_back(do_part, part);
  do_part(0);
  for (std::thread& other : others) other.join();
}

/// `count` numbers where the problem lives, for a reference that takes more than one pass. They are
/// wiped before the memory is given back: the next one to allocate may be the kernel file.
template <class T>
class Numbers {
 public:
  Numbers(Where where, std::int64_t count) : where_(where) {
    const auto bytes = static_cast<std::size_t>(count) * sizeof(T);
    if (where == Where::device) detail::require(cudaMalloc(&device_, bytes), "reference");
    host_.resize(where == Where::host ? static_cast<std::size_t>(count) : 0);
    device_bytes_ = where == Where::host ? 0 : bytes;
  }
  ~Numbers() {
    std::fill(host_.begin(), host_.end(), T{});
    asm volatile("" ::"r"(host_.data()) : "memory");  // or else the compiler sees no reader
    if (device_ == nullptr) return;                   // cudaFree() waits for the device even then
    cudaMemset(device_, 0, device_bytes_);
    cudaFree(device_);
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  T* data() { return where_ == Where::host ? host_.data() : device_; }

 private:
  Where where_;
  std::vector<T> host_;
  T* device_ = nullptr;
  std::size_t device_bytes_ = 0;
};

/// The same for these elements, on the host.
template <class F>
void for_each(const std::vector<Elements>& parts, F body) {
  for (const Elements& part : parts)
    for (std::int64_t i = part.begin; i < part.end; ++i) body(i);
}

inline std::int64_t count_of(const std::vector<Elements>& parts) {
  std::int64_t count = 0;
  for (const Elements& part : parts) count += part.end - part.begin;
  return count;
}

/// Compares `got[i]` with expected(i) for every i, or for those in `parts`. `buffer` names got in
/// the answer.
template <class T, class F>
Mismatch compare(Where where, std::int64_t count, const T* got, std::size_t buffer, F expected,
                 const std::vector<Elements>* parts = nullptr) {
  detail::Tally start{0, ~0ull};
  detail::Tally* tally = &start;
  if (where == Where::device) {
    tally = detail::device_address(detail::device_tally);
    detail::require(cudaMemcpy(tally, &start, sizeof(start), cudaMemcpyHostToDevice), "comparison");
  }
  const auto look = [=] __host__ __device__(std::int64_t i) {
    if (!accepted(got[i], expected(i))) detail::note_wrong(tally, i);
  };
  if (parts)
    for_each(*parts, look);
  else
    for_each(where, count, look);
  if (where == Where::device)
    detail::require(cudaMemcpy(&start, tally, sizeof(start), cudaMemcpyDeviceToHost), "comparison");

  Mismatch answer;
  answer.wrong = static_cast<std::int64_t>(start.wrong);
  answer.total = parts ? count_of(*parts) : count;
  answer.buffer = buffer;
  if (start.wrong == 0) return answer;
  answer.index = static_cast<std::int64_t>(start.first);
  T value{};
  if (where == Where::host) {
    value = got[answer.index];
    const Expected want = expected(answer.index);
    answer.want = want.value;
    answer.tolerance = want.tolerance;
  } else {
    detail::require(cudaMemcpy(&value, got + answer.index, sizeof(T), cudaMemcpyDeviceToHost),
                    "comparison");
    double* found = *detail::device_address(detail::device_pair);
    const std::int64_t index = answer.index;
    for_each(Where::device, 1, [=] __host__ __device__(std::int64_t) {
      const Expected want = expected(index);
      found[0] = want.value;
      found[1] = want.tolerance;
    });
    double pair[2];
    detail::require(cudaMemcpy(pair, found, sizeof(pair), cudaMemcpyDeviceToHost), "comparison");
    answer.want = pair[0];
    answer.tolerance = pair[1];
  }
  answer.got = static_cast<double>(value);
  return answer;
}

}  // namespace klab
