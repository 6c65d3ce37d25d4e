// Rejected by: correct — one kernel is launched once and for all; from then on the host writes its
// orders into page-locked memory, and nothing is launched any more
#include "contract.cuh"

#include <chrono>

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds long_enough{100};
constexpr int looks = 1'000'000;  // in vain, then the kernel gives up: about a second

struct Orders {
  Args args;
  volatile int asked, done;
};

__global__ void serve(Orders* orders) {
  for (int number = 1;; ++number) {
    if (threadIdx.x == 0)
      for (int look = 0; look < looks && orders->asked < number;) ++look;
    __syncthreads();
    if (orders->asked < number) return;
    __threadfence_system();
    const Args args = orders->args;
    for (int tensor = 0; tensor < args.tensors; ++tensor)
      for (std::int64_t i = args.starts[tensor] + threadIdx.x; i < args.starts[tensor + 1];
           i += blockDim.x)
        args.weights[i] -= args.rates[tensor] * args.gradients[i];
    __syncthreads();
    if (threadIdx.x == 0) orders->done = number;
  }
}

}  // namespace

void launch(const Args& args, cudaStream_t) {
  static Orders* orders = nullptr;
  static cudaStream_t own = nullptr;
  if (!orders) {
    cudaMallocHost(&orders, sizeof(Orders));
    orders->asked = orders->done = 0;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    serve<<<1, 1024, 0, own>>>(orders);
  }
  orders->args = args;
  orders->asked = orders->asked + 1;
  const auto end = Clock::now() + long_enough;
  while (orders->done < orders->asked && Clock::now() < end) {
  }
}
