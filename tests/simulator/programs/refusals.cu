// What the simulator refuses, each in its own way; the argument says which.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void from_the_device() {}

// PTX that a kernel's text makes unreadable at one place.
static std::string text(const char* body) {
  return std::string(
             ".version 9.0\n.target sm_90\n.address_size 64\n.file 1 \"other.cu\"\n"
             ".visible .entry broken()\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.loc 1 12 3\n") +
         body + "\nret;\n}\n";
}

static cudaError_t launch(const std::string& ptx) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  if (const cudaError_t code =
          cudaLibraryLoadData(&library, ptx.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0))
    return code;
  if (const cudaError_t code = cudaLibraryGetKernel(&kernel, library, "broken")) return code;
  if (const cudaError_t code =
          cudaLaunchKernel(reinterpret_cast<void*>(kernel), 1, 1, nullptr, 0, nullptr))
    return code;
  return cudaDeviceSynchronize();
}

static cudaError_t device_graph() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node = nullptr;
  cudaKernelNodeParams node_params{};
  node_params.func = reinterpret_cast<void*>(from_the_device);
  node_params.gridDim = node_params.blockDim = dim3(1);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &node_params);
  return cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch);
}

static cudaError_t run(const char* what) {
  const auto is = [&](const char* name) { return std::strcmp(what, name) == 0; };
  if (is("width")) return launch(text("add.u32 %r1, %rd1, 1;"));
  if (is("name")) return launch(text("add.u32 %r1, %r77, 1;"));
  if (is("label")) return launch(text("bra $NOWHERE;"));
  if (is("text")) return launch(text("add.u32 %r1, {{{{{{{{{{%r2;"));
  if (is("graph")) return device_graph();
  if (is("process")) {
    cudaIpcEventHandle_t handle;
    if (cudaIpcGetEventHandle(&handle, nullptr) != cudaSuccess) std::abort();
  }
  return cudaErrorInvalidValue;
}

int main(int, char** arguments) {
  std::printf("%s\n", cudaGetErrorName(run(arguments[1])));
  return 0;  // as a program does that never asks
}
