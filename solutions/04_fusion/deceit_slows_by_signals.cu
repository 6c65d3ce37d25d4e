// Rejected by: built — a timer interrupts the process a thousand times a second while the flawed
// kernel runs
#include <signal.h>
#include <sys/time.h>

#include "contract.cuh"

namespace {

void dawdle(int) {
  for (volatile int i = 0; i < 100000; ++i) {
  }
}

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  const itimerval often{{0, 1000}, {0, 1000}}, never{};
  signal(SIGALRM, dawdle);
  setitimer(ITIMER_REAL, &never, nullptr);
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
  cudaStreamSynchronize(stream);
  setitimer(ITIMER_REAL, &often, nullptr);  // from here on it is the flawed kernel's turn
}
