// Every pattern that the simulator is compared with a GPU on, one after the other.
#include "../agreement/kernels/01_patterns/patterns.cu"

#include <vector>

extern "C" int run() {
  constexpr size_t words = 131072;
  std::vector<float> x(words);
  std::vector<int> k(words);
  for (size_t i = 0; i < words; i++) {
    k[i] = static_cast<int>(i * 2654435761u);
    x[i] = static_cast<float>(k[i] >> 8 & 15);
  }
  void *device_x = nullptr, *device_k = nullptr, *device_y = nullptr;
  for (void** memory : {&device_x, &device_k, &device_y}) cudaMalloc(memory, words * sizeof(float));
  cudaMemcpy(device_x, x.data(), words * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_k, k.data(), words * sizeof(int), cudaMemcpyHostToDevice);
  Args args{static_cast<float*>(device_x), static_cast<int*>(device_k),
            static_cast<unsigned*>(device_y), 1};
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  for (; args.pattern <= static_cast<long long>(std::size(patterns)); ++args.pattern) {
    cudaMemset(args.y, 0, words * sizeof(unsigned));
    launch(args, stream);
    if (const cudaError_t status = cudaDeviceSynchronize(); status != cudaSuccess) return status;
  }
  return cudaGetLastError();
}
