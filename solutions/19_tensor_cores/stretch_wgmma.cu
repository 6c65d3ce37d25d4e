// Ends in: pass — on Hopper's own units, which no other GPU has
//
// Bulk copies (TMA) fill a ring of tiles in shared memory, and two groups of four warps each
// multiply them with wgmma, while a third group only gives the orders.
#include "contract.cuh"

#include <cuda.h>
#include <cudaTypedefs.h>

#ifndef RING
#define RING 4  // tiles of a and b that are under way at the same time
#endif
#ifndef CLUSTER
#define CLUSTER 2  // blocks that share the tiles of b
#endif
#ifndef GROUP
#define GROUP 16  // rows of tiles that are taken together, so that their tiles stay in the L2
#endif

namespace {

constexpr int tile_m = 128, tile_n = 256, tile_k = 64;
constexpr int a_bytes = tile_m * tile_k * 2, b_bytes = tile_k * tile_n * 2;
constexpr int chunk = 64;                        // columns of 128 bytes: a row of the swizzle
constexpr int chunk_bytes = tile_k * chunk * 2;  // of b, and of a half of c
constexpr int staging_bytes = 2 * chunk_bytes;   // for twice 64 x 64 results of one warpgroup
constexpr int workers = 2;                       // warpgroups that multiply
constexpr int shared_bytes =
    1024 + RING * (a_bytes + b_bytes) + workers * staging_bytes + 2 * RING * 8;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

__device__ unsigned shared_address(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// ---- Barriers that count arrivals and bytes -------------------------------------------------

__device__ void initialize(unsigned barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals));
}

__device__ void wait(unsigned barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra finished;\n"
      "bra again;\n"
      "finished:\n"
      "}" ::"r"(barrier),
      "r"(parity)
      : "memory");
}

__device__ void expect(unsigned barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}

/// Arrives at the same barrier of block `rank` of the cluster.
__device__ void arrive(unsigned barrier, int rank) {
  asm volatile(
      "{\n"
      ".reg .b32 remote;\n"
      "mapa.shared::cluster.u32 remote, %0, %1;\n"
      "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n"
      "}" ::"r"(barrier),
      "r"(rank)
      : "memory");
}

__device__ void synchronize_cluster() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

__device__ int cluster_rank() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// ---- Bulk copies ----------------------------------------------------------------------------

__device__ void fetch(unsigned to, const CUtensorMap& map, int x, int y, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3}], [%4];" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

/// The same for every block of the cluster: to the same place, and with the same barrier, in each.
__device__ void fetch_for_all(unsigned to, const CUtensorMap& map, int x, int y, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
      "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"(static_cast<short>((1 << CLUSTER) - 1))
      : "memory");
}

__device__ void send(const CUtensorMap& map, int x, int y, unsigned from) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
      "r"(x), "r"(y), "r"(from)
      : "memory");
}

// ---- Matrix instructions ----------------------------------------------------------------------

/// What wgmma is told of a tile in shared memory: its address, the distances between its parts, and
/// that it is swizzled in rows of 128 bytes. All in units of 16 bytes (PTX ISA, "Matrix
/// descriptor").
__device__ std::uint64_t describe(unsigned address, unsigned leading_bytes) {
  return static_cast<std::uint64_t>((address & 0x3FFFF) >> 4) |
         static_cast<std::uint64_t>(leading_bytes >> 4) << 16 | std::uint64_t{1024 >> 4} << 32 |
         std::uint64_t{1} << 62;
}

/// sum (64 x 256 over a warpgroup) = a (64 x 16, row by row) * b (16 x 256, row by row) + sum, or
/// without the old sum.
__device__ __forceinline__ void multiply_add(float (&sum)[128], std::uint64_t a, std::uint64_t b,
                                             bool keep) {
  asm volatile(
      "{\n"
      ".reg .pred keep;\n"
      "setp.ne.b32 keep, %130, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      " %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      " %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, "
      "%111, "
      " %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, "
      "%127}, "
      "%128, %129, keep, 1, 1, 0, 1;\n"
      "}"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3]), "+f"(sum[4]), "+f"(sum[5]),
        "+f"(sum[6]), "+f"(sum[7]), "+f"(sum[8]), "+f"(sum[9]), "+f"(sum[10]), "+f"(sum[11]),
        "+f"(sum[12]), "+f"(sum[13]), "+f"(sum[14]), "+f"(sum[15]), "+f"(sum[16]), "+f"(sum[17]),
        "+f"(sum[18]), "+f"(sum[19]), "+f"(sum[20]), "+f"(sum[21]), "+f"(sum[22]), "+f"(sum[23]),
        "+f"(sum[24]), "+f"(sum[25]), "+f"(sum[26]), "+f"(sum[27]), "+f"(sum[28]), "+f"(sum[29]),
        "+f"(sum[30]), "+f"(sum[31]), "+f"(sum[32]), "+f"(sum[33]), "+f"(sum[34]), "+f"(sum[35]),
        "+f"(sum[36]), "+f"(sum[37]), "+f"(sum[38]), "+f"(sum[39]), "+f"(sum[40]), "+f"(sum[41]),
        "+f"(sum[42]), "+f"(sum[43]), "+f"(sum[44]), "+f"(sum[45]), "+f"(sum[46]), "+f"(sum[47]),
        "+f"(sum[48]), "+f"(sum[49]), "+f"(sum[50]), "+f"(sum[51]), "+f"(sum[52]), "+f"(sum[53]),
        "+f"(sum[54]), "+f"(sum[55]), "+f"(sum[56]), "+f"(sum[57]), "+f"(sum[58]), "+f"(sum[59]),
        "+f"(sum[60]), "+f"(sum[61]), "+f"(sum[62]), "+f"(sum[63]), "+f"(sum[64]), "+f"(sum[65]),
        "+f"(sum[66]), "+f"(sum[67]), "+f"(sum[68]), "+f"(sum[69]), "+f"(sum[70]), "+f"(sum[71]),
        "+f"(sum[72]), "+f"(sum[73]), "+f"(sum[74]), "+f"(sum[75]), "+f"(sum[76]), "+f"(sum[77]),
        "+f"(sum[78]), "+f"(sum[79]), "+f"(sum[80]), "+f"(sum[81]), "+f"(sum[82]), "+f"(sum[83]),
        "+f"(sum[84]), "+f"(sum[85]), "+f"(sum[86]), "+f"(sum[87]), "+f"(sum[88]), "+f"(sum[89]),
        "+f"(sum[90]), "+f"(sum[91]), "+f"(sum[92]), "+f"(sum[93]), "+f"(sum[94]), "+f"(sum[95]),
        "+f"(sum[96]), "+f"(sum[97]), "+f"(sum[98]), "+f"(sum[99]), "+f"(sum[100]), "+f"(sum[101]),
        "+f"(sum[102]), "+f"(sum[103]), "+f"(sum[104]), "+f"(sum[105]), "+f"(sum[106]),
        "+f"(sum[107]), "+f"(sum[108]), "+f"(sum[109]), "+f"(sum[110]), "+f"(sum[111]),
        "+f"(sum[112]), "+f"(sum[113]), "+f"(sum[114]), "+f"(sum[115]), "+f"(sum[116]),
        "+f"(sum[117]), "+f"(sum[118]), "+f"(sum[119]), "+f"(sum[120]), "+f"(sum[121]),
        "+f"(sum[122]), "+f"(sum[123]), "+f"(sum[124]), "+f"(sum[125]), "+f"(sum[126]),
        "+f"(sum[127])
      : "l"(a), "l"(b), "r"(static_cast<int>(keep)));
}

__device__ __forceinline__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int open>
__device__ __forceinline__ void wait_for_all_but() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(open) : "memory");
}

// ---- Roles ------------------------------------------------------------------------------------

/// Which tile comes next: blocks of a moment lie in a square of tiles, as far as the matrix goes.
struct Tiles {
  int rows, columns;  // in tiles; rows of CLUSTER tiles each

  __device__ int count() const { return rows * columns; }
  __device__ void place(int tile, int& row, int& column) const {
    constexpr int group = GROUP / CLUSTER;
    const int first = tile / (group * columns) * group;
    const int height = min(group, rows - first);
    const int within = tile - first * columns;
    row = first + within % height;
    column = within / height;
  }
};

/// A place in the ring of stages, and which turn it is.
struct Place {
  int stage = 0;
  unsigned parity = 0;
  __device__ void advance() {
    if (++stage < RING) return;
    stage = 0;
    parity ^= 1;
  }
};

struct Room {
  unsigned tiles, staging, full, empty;
  __device__ unsigned a(int stage) const { return tiles + stage * (a_bytes + b_bytes); }
  __device__ unsigned b(int stage) const { return a(stage) + a_bytes; }
};

__device__ __forceinline__ void produce(const Room& room, const CUtensorMap& a_map,
                                        const CUtensorMap& b_map, Tiles tiles, int steps) {
  const int rank = cluster_rank();
  Place at;
  for (int tile = blockIdx.x / CLUSTER; tile < tiles.count(); tile += gridDim.x / CLUSTER) {
    int row, column;
    tiles.place(tile, row, column);
    const int y = (row * CLUSTER + rank) * tile_m, x = column * tile_n;
    for (int step = 0; step < steps; ++step, at.advance()) {
      const unsigned full = room.full + 8 * at.stage;
      wait(room.empty + 8 * at.stage, at.parity ^ 1);
      expect(full, a_bytes + b_bytes);
      fetch(room.a(at.stage), a_map, step * tile_k, y, full);
      constexpr int share = tile_n / chunk / CLUSTER;  // chunks of b that this block fetches
#pragma unroll
      for (int i = 0; i < share; ++i) {
        const int part = rank * share + i;
        const unsigned to = room.b(at.stage) + part * chunk_bytes;
        if (CLUSTER == 1)
          fetch(to, b_map, x + part * chunk, step * tile_k, full);
        else
          fetch_for_all(to, b_map, x + part * chunk, step * tile_k, full);
      }
    }
  }
}

/// Tells the producers of the whole cluster that this warpgroup has read the stage.
__device__ __forceinline__ void release(const Room& room, int stage) {
  if (threadIdx.x % 128 < CLUSTER) arrive(room.empty + 8 * stage, threadIdx.x % 128);
}

/// Rounds 64 x 256 sums and sends them off, 64 columns at a time from two places in turn.
__device__ __forceinline__ void write(const float (&sum)[128], unsigned staging,
                                      const CUtensorMap& c_map, int x, int y, int worker) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
  const int row = warp * 16 + lane % 16;
#pragma unroll
  for (int part = 0; part < tile_n / chunk; ++part) {
    const unsigned place = staging + part % 2 * chunk_bytes;
    // What was sent from this place has been read.
    if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(worker + 1) : "memory");
#pragma unroll
    for (int pair = 0; pair < chunk / 16; ++pair) {
      unsigned packed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int first = part * 32 + pair * 8 + i * 2;
        const __half2 two = __floats2half2_rn(sum[first], sum[first + 1]);
        packed[i] = *reinterpret_cast<const unsigned*>(&two);
      }
      const int piece = pair * 2 + lane / 16;  // of 8 columns
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                       place + row * 128 + (piece ^ (row % 8)) * 16),
                   "r"(packed[0]), "r"(packed[1]), "r"(packed[2]), "r"(packed[3])
                   : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(worker + 1) : "memory");
    if (threadIdx.x % 128 == 0) {
      send(c_map, x + part * chunk, y, place);
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
}

__device__ __forceinline__ void consume(const Room& room, const CUtensorMap& c_map, Tiles tiles,
                                        int steps) {
  const int worker = __shfl_sync(~0u, static_cast<int>(threadIdx.x) / 128 - 1, 0);
  const int rank = cluster_rank();
  const unsigned staging = room.staging + worker * staging_bytes;
  Place at;
  for (int tile = blockIdx.x / CLUSTER; tile < tiles.count(); tile += gridDim.x / CLUSTER) {
    float sum[128];
    int last = 0;
    for (int step = 0; step < steps; ++step, at.advance()) {
      wait(room.full + 8 * at.stage, at.parity);
      const std::uint64_t a = describe(room.a(at.stage) + worker * 64 * tile_k * 2, 16);
      const std::uint64_t b = describe(room.b(at.stage), chunk_bytes);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      multiply_add(sum, a, b, step > 0);
      commit();
      // While this runs, what the step before has left is done: its stage may be filled again.
      wait_for_all_but<1>();
      if (step > 0) release(room, last);
#pragma unroll
      for (int i = 1; i < tile_k / 16; ++i)
        multiply_add(sum, a + i * (16 * 2 >> 4), b + i * (16 * 128 >> 4), true);
      commit();
      last = at.stage;
    }
    wait_for_all_but<0>();
    release(room, last);
    int row, column;
    tiles.place(tile, row, column);
    write(sum, staging, c_map, column * tile_n, (row * CLUSTER + rank) * tile_m + worker * 64,
          worker);
  }
  if (threadIdx.x % 128 == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

#endif

__global__ void __cluster_dims__(CLUSTER) __launch_bounds__((workers + 1) * 128, 1)
    multiply(const __grid_constant__ CUtensorMap a_map, const __grid_constant__ CUtensorMap b_map,
             const __grid_constant__ CUtensorMap c_map, int m, int n, int k) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ unsigned char memory[];
  Room room;
  room.tiles = (shared_address(memory) + 1023) / 1024 * 1024;  // where a swizzle pattern begins
  room.staging = room.tiles + RING * (a_bytes + b_bytes);
  room.full = room.staging + workers * staging_bytes;
  room.empty = room.full + 8 * RING;
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < RING; ++stage) {
      initialize(room.full + 8 * stage, 1);
      initialize(room.empty + 8 * stage, workers * CLUSTER);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  synchronize_cluster();

  const Tiles tiles{(m + tile_m * CLUSTER - 1) / (tile_m * CLUSTER), (n + tile_n - 1) / tile_n};
  const int steps = (k + tile_k - 1) / tile_k;
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) produce(room, a_map, b_map, tiles, steps);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(room, c_map, tiles, steps);
  }
  synchronize_cluster();  // a block that has gone could not be told that a stage is free
#else
  __trap();  // built for another architecture than sm_90a
#endif
}

/// Where rows do not begin on a 16-byte boundary, which bulk copies need.
__global__ void multiply_any(Args args) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (i >= args.m * args.n) return;
  const std::int64_t row = i / args.n, column = i % args.n;
  float sum = 0;
  for (std::int64_t j = 0; j < args.k; ++j)
    sum += __half2float(args.a[row * args.k + j]) * __half2float(args.b[j * args.n + column]);
  args.c[i] = __float2half(sum);
}

/// The driver's function that describes a matrix to the copy engine; nullptr if there is none.
PFN_cuTensorMapEncodeTiled_v12000 encoder() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &result);
    return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }();
  return found;
}

/// A matrix in device memory as bulk copies see it, in boxes of `box_rows` x 64.
CUtensorMap map_of(const __half* matrix, std::int64_t rows, std::int64_t columns, int box_rows) {
  const cuuint64_t extent[] = {static_cast<cuuint64_t>(columns), static_cast<cuuint64_t>(rows)};
  const cuuint64_t row_bytes[] = {static_cast<cuuint64_t>(columns) * sizeof(__half)};
  const cuuint32_t box[] = {chunk, static_cast<cuuint32_t>(box_rows)};
  const cuuint32_t stride[] = {1, 1};
  CUtensorMap map;
  encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, const_cast<__half*>(matrix), extent,
            row_bytes, box, stride, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
            CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return map;
}

}  // namespace

void launch(const Args& args, cudaStream_t stream) {
  if (args.n % 8 != 0 || args.k % 8 != 0 || encoder() == nullptr) {
    const std::int64_t count = args.m * args.n;
    multiply_any<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(args);
    return;
  }
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaFuncSetAttribute(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
  const unsigned blocks = static_cast<unsigned>(multiprocessors / CLUSTER * CLUSTER);
  multiply<<<blocks, (workers + 1) * 128, shared_bytes, stream>>>(
      map_of(args.a, args.m, args.k, tile_m), map_of(args.b, args.k, args.n, tile_k),
      map_of(args.c, args.m, args.n, 64), static_cast<int>(args.m), static_cast<int>(args.n),
      static_cast<int>(args.k));
}
