// Rejected by: built — asks the kernel for memory that can be written by an instruction of its own,
// past the C library
#include "contract.cuh"

namespace {

long ask(long number, long first, long second, long third) {
#ifdef __x86_64__
  long answer;
  asm volatile("syscall"
               : "=a"(answer)
               : "a"(number), "D"(first), "S"(second), "d"(third)
               : "rcx", "r11", "memory");
  return answer;
#else
  register long call asm("x8") = number;
  register long answer asm("x0") = first;
  register long next asm("x1") = second;
  register long last asm("x2") = third;
  asm volatile("svc #0" : "+r"(answer) : "r"(call), "r"(next), "r"(last) : "memory");
  return answer;
#endif
}

__global__ void fuse(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i < args.count)
    args.out[i] = args.residual[i] + fmaxf(args.in[i] * args.scale + args.bias, 0.0f);
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  ask(10, reinterpret_cast<long>(&launch) & ~4095l, 4096, 7);  // mprotect
  fuse<<<static_cast<unsigned>((args.count + 255) / 256), 256, 0, stream>>>(args);
}
