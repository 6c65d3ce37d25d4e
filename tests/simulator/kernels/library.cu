// What NVIDIA's own device libraries make of a kernel: each scenario returns 0, or the line of its
// first failed check.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cuda/barrier>
#include <cuda/pipeline>
#include <new>

namespace cg = cooperative_groups;

#define CHECK(condition) \
  if (!(condition)) return __LINE__
#define DONE(call) CHECK((call) == cudaSuccess)

// ---- a tile of several warps meets in shared memory that the system keeps ----
__global__ void wide_tiles(int* out) {
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  const int sum = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
  tile.sync();
  out[threadIdx.x] = sum;
}

// ---- a pipeline whose state is in shared memory ----
__global__ void pipelined(const int* in, int* out, int stages) {
  __shared__ int buffer[2][128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int fetch = 0, use = 0; use < stages; ++use) {
    for (; fetch < stages && fetch < use + 2; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[fetch % 2][threadIdx.x], in + fetch * 128 + threadIdx.x,
                         cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += buffer[use % 2][127 - threadIdx.x];
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// ---- stores into a neighbour's shared memory that an mbarrier counts ----
__global__ void __cluster_dims__(2) pass_on(int* out) {
  __shared__ int box[64];
  __shared__ unsigned long long barrier;
  auto cluster = cg::this_cluster();
  const auto local = [](const void* p) {
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
  };
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(local(&barrier)));
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(local(&barrier)),
                 "r"(64 * 4 + 64 * 4));
  }
  box[threadIdx.x] = 1000;
  cluster.sync();
  unsigned far_box, far_barrier;
  const unsigned other = cluster.block_rank() ^ 1;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(far_box)
      : "r"(local(&box[threadIdx.x])), "r"(other));
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(far_barrier)
      : "r"(local(&barrier)), "r"(other));
  const int value = static_cast<int>(blockIdx.x * 100 + threadIdx.x);
  asm volatile(
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0], %1, [%2];" ::"r"(far_box),
      "r"(value), "r"(far_barrier));
  asm volatile(
      "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.s32 [%0], %1, "
      "[%2];" ::"r"(far_box),
      "r"(7), "r"(far_barrier));
  int done = 0;
  while (done == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.s32 %0, 1, 0, "
        "p; }"
        : "=r"(done)
        : "r"(local(&barrier)));
  out[blockIdx.x * 64 + threadIdx.x] = box[threadIdx.x];
  cluster.sync();
}

__global__ void rank_in_cluster(int* out) {
  auto cluster = cg::this_cluster();
  __shared__ int mine;
  mine = static_cast<int>(cluster.block_rank());
  cluster.sync();
  int sum = 0;
  for (unsigned i = 0; i < cluster.num_blocks(); ++i) sum += *cluster.map_shared_rank(&mine, i);
  out[blockIdx.x] = sum;
  cluster.sync();
}

// ---- sums of vectors ----
__global__ void add_vectors(float2* two, float4* four) {
  atomicAdd(two, make_float2(1.f, threadIdx.x));
  const float4 old = atomicAdd(four, make_float4(1.f, 2.f, 3.f, 4.f));
  if (old.x < 0) two->x = -1;
}

// ---- objects made by new, shared by a block ----
struct Base {
  __device__ virtual int value() const { return 1; }
  __device__ virtual ~Base() {}
};
struct Derived : Base {
  int held;
  __device__ explicit Derived(int v) : held(v) {}
  __device__ int value() const override { return held; }
};
__device__ Base* kept[4];
__global__ void make_objects() {
  if (threadIdx.x == 0) kept[blockIdx.x] = new Derived(static_cast<int>(blockIdx.x) * 10);
}
__global__ void use_objects(int* out) {
  __shared__ Base* object;
  __shared__ alignas(8) char room[sizeof(Derived)];
  __shared__ int* list;
  if (threadIdx.x == 0) {
    object = new (room) Derived(5);
    list = new int[blockDim.x];
  }
  __syncthreads();
  list[threadIdx.x] = object->value() + kept[blockIdx.x]->value();
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = list[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    delete[] list;
    object->~Base();
    delete kept[blockIdx.x];
  }
}

__global__ void twice(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= 2;
}

extern "C" {

int tiles_of_two_warps() {
  int* out = nullptr;
  DONE(cudaMallocManaged(&out, 128 * sizeof(int)));
  wide_tiles<<<1, 128>>>(out);
  DONE(cudaDeviceSynchronize());
  CHECK(out[0] == 63 * 64 / 2);
  CHECK(out[127] == 127 * 128 / 2 - 63 * 64 / 2);
  return 0;
}

int shared_pipeline() {
  constexpr int stages = 6;
  int *in = nullptr, *out = nullptr;
  DONE(cudaMallocManaged(&in, stages * 128 * sizeof(int)));
  DONE(cudaMallocManaged(&out, 128 * sizeof(int)));
  for (int i = 0; i < stages * 128; ++i) in[i] = i;
  pipelined<<<1, 128>>>(in, out, stages);
  DONE(cudaDeviceSynchronize());
  for (int t = 0; t < 128; ++t) CHECK(out[t] == 15 * 128 + 6 * (127 - t));
  return 0;
}

int asynchronous_stores() {
  int* out = nullptr;
  DONE(cudaMallocManaged(&out, 128 * sizeof(int)));
  pass_on<<<2, 64>>>(out);
  DONE(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    CHECK(out[t] == 100 + t + 7);
    CHECK(out[64 + t] == t + 7);
  }
  return 0;
}

int cluster_of_sixteen() {
  int* out = nullptr;
  DONE(cudaMallocManaged(&out, 32 * sizeof(int)));
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = 32;
  config.blockDim = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, rank_in_cluster, out) == cudaErrorInvalidClusterSize);
  cudaGetLastError();
  DONE(cudaFuncSetAttribute(rank_in_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  int size = 0;
  DONE(cudaOccupancyMaxPotentialClusterSize(&size, rank_in_cluster, &config));
  CHECK(size == 16);
  DONE(cudaLaunchKernelEx(&config, rank_in_cluster, out));
  DONE(cudaDeviceSynchronize());
  CHECK(out[0] == 120);
  CHECK(out[31] == 120);
  return 0;
}

int vector_sums() {
  float2* two = nullptr;
  float4* four = nullptr;
  DONE(cudaMallocManaged(&two, sizeof(float2)));
  DONE(cudaMallocManaged(&four, sizeof(float4)));
  *two = {};
  *four = {};
  add_vectors<<<2, 64>>>(two, four);
  DONE(cudaDeviceSynchronize());
  CHECK(two->x == 128 && two->y == 2 * 63 * 32);
  CHECK(four->x == 128 && four->w == 512);
  return 0;
}

int objects_of_new() {
  int* out = nullptr;
  DONE(cudaMallocManaged(&out, 4 * 32 * sizeof(int)));
  DONE(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20));
  make_objects<<<4, 32>>>();
  use_objects<<<4, 32>>>(out);
  DONE(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) CHECK(out[i] == 5 + i / 32 * 10);
  return 0;
}

// Two streams joined by events; the second is destroyed before the capture ends.
int destroyed_stream_in_capture() {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int* data = nullptr;
  DONE(cudaMallocManaged(&data, sizeof(int)));
  *data = 3;
  DONE(cudaStreamCreate(&first));
  DONE(cudaStreamCreate(&second));
  DONE(cudaEventCreate(&fork));
  DONE(cudaEventCreate(&join));
  DONE(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  DONE(cudaEventRecord(fork, first));
  DONE(cudaStreamWaitEvent(second, fork));
  twice<<<1, 32, 0, second>>>(data, 1);
  DONE(cudaEventRecord(join, second));
  DONE(cudaStreamWaitEvent(first, join));
  DONE(cudaStreamDestroy(second));
  twice<<<1, 32, 0, first>>>(data, 1);
  DONE(cudaStreamEndCapture(first, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  DONE(cudaGraphLaunch(exec, first));
  DONE(cudaStreamSynchronize(first));
  CHECK(*data == 12);
  // What a destroyed stream recorded must have been joined.
  cudaStream_t third;
  DONE(cudaStreamCreate(&third));
  DONE(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  DONE(cudaEventRecord(fork, first));
  DONE(cudaStreamWaitEvent(third, fork));
  twice<<<1, 32, 0, third>>>(data, 1);
  DONE(cudaStreamDestroy(third));
  CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
  return 0;
}

// Memory that a graph allocates and another one frees, and that lives between them.
int memory_of_graphs() {
  cudaStream_t stream, side;
  DONE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  DONE(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  DONE(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  DONE(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  constexpr int n = 256;
  int host[n], back[n];
  for (int i = 0; i < n; ++i) host[i] = i;
  // By capture, with the free on the other stream.
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  int *a = nullptr, *b = nullptr;
  DONE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  DONE(cudaMallocAsync(&a, sizeof host, stream));
  DONE(cudaMemcpyAsync(a, host, sizeof host, cudaMemcpyHostToDevice, stream));
  DONE(cudaEventRecord(fork, stream));
  DONE(cudaStreamWaitEvent(side, fork, 0));
  DONE(cudaMallocAsync(&b, sizeof host, side));
  DONE(cudaMemsetAsync(b, 0, sizeof host, side));
  DONE(cudaFreeAsync(b, side));
  DONE(cudaEventRecord(join, side));
  twice<<<1, n, 0, stream>>>(a, n);
  DONE(cudaMemcpyAsync(back, a, sizeof host, cudaMemcpyDeviceToHost, stream));
  DONE(cudaStreamWaitEvent(stream, join, 0));
  DONE(cudaFreeAsync(a, stream));
  DONE(cudaStreamEndCapture(stream, &graph));
  DONE(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 3; ++round) {
    back[5] = 0;
    DONE(cudaGraphLaunch(exec, stream));
    DONE(cudaStreamSynchronize(stream));
    CHECK(back[5] == 10);
  }
  // By hand: allocated by the graph, used and freed behind it.
  cudaGraph_t made;
  DONE(cudaGraphCreate(&made, 0));
  cudaMemAllocNodeParams parameters{};
  parameters.bytesize = sizeof host;
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location.id = 0;
  parameters.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocation, copy, release;
  DONE(cudaGraphAddMemAllocNode(&allocation, made, nullptr, 0, &parameters));
  DONE(cudaGraphAddMemcpyNode1D(&copy, made, &allocation, 1, parameters.dptr, host, sizeof host,
                                cudaMemcpyHostToDevice));
  cudaGraphExec_t kept_exec, freed_exec;
  cudaGraph_t freed;
  DONE(cudaGraphCreate(&freed, 0));
  DONE(cudaGraphInstantiate(&kept_exec, made, 0));
  DONE(cudaGraphLaunch(kept_exec, stream));
  twice<<<1, n, 0, stream>>>(static_cast<int*>(parameters.dptr), n);
  DONE(cudaMemcpyAsync(back, parameters.dptr, sizeof host, cudaMemcpyDeviceToHost, stream));
  DONE(cudaStreamSynchronize(stream));
  CHECK(back[7] == 14);
  DONE(cudaGraphAddMemFreeNode(&release, freed, nullptr, 0, parameters.dptr));
  DONE(cudaGraphInstantiate(&freed_exec, freed, 0));
  DONE(cudaGraphLaunch(freed_exec, stream));
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaGraphExecDestroy(kept_exec));
  // Freed by the next launch where the graph is told so.
  cudaGraphExec_t again;
  DONE(cudaGraphInstantiate(&again, made, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  DONE(cudaGraphLaunch(again, stream));
  DONE(cudaGraphLaunch(again, stream));
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaFreeAsync(parameters.dptr, stream));
  DONE(cudaStreamSynchronize(stream));
  DONE(cudaGraphExecDestroy(again));
  DONE(cudaGraphDestroy(made));
  DONE(cudaDeviceGraphMemTrim(0));
  return 0;
}

}  // extern "C"
