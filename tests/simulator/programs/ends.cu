// Ends as its argument says: "early" waits for nothing, and "astray" neither, where its kernel
// writes behind the end; "recursion" overflows a thread's stack, "trap" stops the kernel, "grid"
// waits for a grid that was not launched to wait, "leave" ends without what the runtime does at an
// end. Asks for no error, and keeps what it allocated.
#include <cooperative_groups.h>
#include <unistd.h>

#include <string_view>

__device__ __noinline__ int deeper(int left, int* out) {
  volatile int room[32];
  room[left % 32] = left;
  return left == 0 ? *out : deeper(left - 1, out) + room[(left + 1) % 32];
}
__global__ void recursion(int* out) { *out = deeper(100000, out); }
__global__ void trap() { __trap(); }
__global__ void grid() { cooperative_groups::this_grid().sync(); }
__global__ void fill(int* out) { *out = 1; }

int main(int, char** argv) {
  const std::string_view how = argv[1];
  int* out = nullptr;
  cudaMalloc(&out, sizeof(int));
  fill<<<1, 1>>>(how == "astray" ? out + 1 : out);
  if (how == "recursion") recursion<<<1, 1>>>(out);
  if (how == "trap") trap<<<1, 2000>>>(), trap<<<dim3(1, 70000), 1>>>(), trap<<<1, 1>>>();
  if (how == "grid") grid<<<1, 1>>>();
  if (how == "early" || how == "astray") return 0;
  cudaDeviceSynchronize();
  if (how == "leave") _exit(0);
  return 0;
}
