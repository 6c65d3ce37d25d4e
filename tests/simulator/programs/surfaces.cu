// Surfaces: kernels that write arrays, and what lies beyond their edges.
#include <cstdio>
#include <cstdlib>

__global__ void invert(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width) {
  uchar4 pixel;
  const int x = static_cast<int>(threadIdx.x);
  surf2Dread(&pixel, from, x * 4, blockIdx.x);
  pixel = make_uchar4(255 - pixel.x, 255 - pixel.y, 255 - pixel.z, pixel.w);
  surf2Dwrite(pixel, to, (width - 1 - x) * 4, blockIdx.x);
}
__global__ void fill(cudaSurfaceObject_t cube) {
  const float2 value = make_float2(threadIdx.x, threadIdx.y * 10 + threadIdx.z * 100);
  surf3Dwrite(value, cube, threadIdx.x * 8, threadIdx.y, threadIdx.z);
}
__global__ void layer(cudaSurfaceObject_t layers) {
  surf2DLayeredwrite(static_cast<short>(threadIdx.x - 7), layers, threadIdx.x * 2, 0, 1);
}
__global__ void edges(cudaSurfaceObject_t line, int* out) {
  surf2Dread(&out[0], line, -4, 0, cudaBoundaryModeClamp);
  surf2Dread(&out[1], line, 16, 1, cudaBoundaryModeClamp);
  surf2Dread(&out[2], line, 16, 0, cudaBoundaryModeZero);
  surf2Dwrite(77, line, 0, 2, cudaBoundaryModeZero);
}
__global__ void beyond(cudaSurfaceObject_t line, int x) { surf2Dwrite(1, line, x, 0); }

template <class T>
static cudaArray_t array_of(std::size_t width, std::size_t height, std::size_t depth,
                            unsigned flags) {
  cudaArray_t array = nullptr;
  const auto channel = cudaCreateChannelDesc<T>();
  if (cudaMalloc3DArray(&array, &channel, {width, height, depth},
                        flags | cudaArraySurfaceLoadStore) != cudaSuccess)
    std::printf("no array\n");
  return array;
}
static cudaSurfaceObject_t over(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) std::printf("no surface\n");
  return surface;
}

static void pictures() {
  const uchar4 host[6] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {250}, {251}, {252}};
  uchar4 back[6];
  cudaArray_t from = array_of<uchar4>(3, 2, 0, 0), to = array_of<uchar4>(3, 2, 0, 0);
  cudaMemcpy2DToArray(from, 0, 0, host, 12, 12, 2, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t in = over(from), out = over(to);
  invert<<<2, 3>>>(in, out, 3);
  cudaMemcpy2DFromArray(back, 12, to, 0, 0, 12, 2, cudaMemcpyDeviceToHost);
  for (const uchar4 pixel : back) std::printf("%d,%d ", pixel.x, pixel.w);
  std::printf("\n");
  cudaDestroySurfaceObject(in);
  cudaDestroySurfaceObject(out);
  cudaFreeArray(from);
  cudaFreeArray(to);
}

static void depths() {
  float2 back[8];
  cudaArray_t cube = array_of<float2>(2, 2, 2, 0);
  const cudaSurfaceObject_t surface = over(cube);
  fill<<<1, dim3(2, 2, 2)>>>(surface);
  cudaMemcpy3DParms copy{};
  copy.srcArray = cube;
  copy.dstPtr = make_cudaPitchedPtr(back, 16, 2, 2);
  copy.extent = {2, 2, 2};
  copy.kind = cudaMemcpyDeviceToHost;
  std::printf("%s", cudaGetErrorName(cudaMemcpy3D(&copy)));
  for (const float2 value : back) std::printf(" %g", value.x + value.y);
  std::printf("\n");
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(cube);
  short row[4];
  cudaArray_t layers = array_of<short>(4, 1, 2, cudaArrayLayered);
  const cudaSurfaceObject_t lower = over(layers);
  layer<<<1, 4>>>(lower);
  copy.srcArray = layers;
  copy.srcPos = {0, 0, 1};
  copy.dstPtr = make_cudaPitchedPtr(row, 8, 4, 1);
  copy.extent = {4, 1, 1};
  cudaMemcpy3D(&copy);
  std::printf("%d %d %d %d\n", row[0], row[1], row[2], row[3]);
  cudaDestroySurfaceObject(lower);
  cudaFreeArray(layers);
}

int main(int count, char** arguments) {
  pictures();
  depths();
  const int host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int *out, back[3];
  cudaMalloc(&out, sizeof back);
  cudaArray_t line = array_of<int>(4, 2, 0, 0);
  cudaMemcpy2DToArray(line, 0, 0, host, 16, 16, 2, cudaMemcpyHostToDevice);
  const cudaSurfaceObject_t surface = over(line);
  edges<<<1, 1>>>(surface, out);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  std::printf("edges %d %d %d\n", back[0], back[1], back[2]);
  if (count > 1) beyond<<<1, 1>>>(surface, std::atoi(arguments[1]));
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  cudaDestroySurfaceObject(surface);
  cudaFreeArray(line);
  cudaFree(out);
  const auto channel = cudaCreateChannelDesc<int>();
  cudaMallocArray(&line, &channel, 4);
  over(line);
  cudaFreeArray(line);
  return 0;
}
