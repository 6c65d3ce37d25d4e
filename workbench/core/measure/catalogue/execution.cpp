// Catalogue rows: what warps execute: divergence, barriers, tensor instructions, balance.
#include "core/measure/catalogue/tables.hpp"

namespace klab::catalogue {
namespace {

constexpr Metric divergence_rows[] = {
    {.name = "threads_per_instruction",
     .label = "Active threads per warp instruction",
     .unit = "threads",
     .better = Direction::higher,
     .ideal = 32,
     .meaning = "How many of a warp's 32 threads take part in an instruction on average. When "
                "threads of a warp take different paths, the paths run one after the other.",
     .try_next = "Regroup the work so that all 32 threads of a warp take the same path.",
     .cupti = "smsp__average_thread_inst_executed_per_inst_executed.ratio",
     .simulator = "thread_instructions / warp_instructions"},
    {.name = "divergent_branches",
     .label = "Divergent branches",
     .unit = "branches",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Branches at which threads of one warp went different ways.",
     .try_next = "Branch on something that all threads of a warp share.",
     .cupti = "smsp__sass_branch_targets_threads_divergent.sum",
     .simulator = "divergent_branches"},
    {.name = "branch_uniform_pct",
     .label = "Branches taken by whole warps",
     .unit = "%",
     .better = Direction::higher,
     .ideal = 100,
     .meaning = "Share of branches at which all threads of the warp went the same way.",
     .try_next = "Branch on something that all threads of a warp share.",
     .cupti = "smsp__sass_average_branch_targets_threads_uniform.pct",
     .simulator = "100 * (branches - divergent_branches) / branches"},
    {.name = "warp_instructions_per_kib",
     .label = "Warp instructions for each KiB of the task",
     .unit = "instructions",
     .better = Direction::lower,
     .meaning = "Instructions executed, one for each warp, for each 1,024 bytes that the task must "
                "read and write.",
     .try_next = "Let each thread do more, so that loads, indices and loops serve several results.",
     .cupti = "1024 * smsp__inst_executed.sum / least_bytes",
     .simulator = "1024 * warp_instructions / least_bytes"},
    {.name = "warp_instructions",
     .label = "Warp instructions",
     .unit = "instructions",
     .better = Direction::lower,
     .meaning = "Instructions executed, one for each warp.",
     .try_next = "Simplify index arithmetic, unroll, load wider, let each thread do more.",
     .cupti = "smsp__inst_executed.sum",
     .simulator = "warp_instructions"},
    {.name = "blocks_launched",
     .label = "Blocks launched",
     .unit = "blocks",
     .meaning = "Blocks of all kernels that ran.",
     .cupti = "sm__ctas_launched.sum",
     .simulator = "blocks_launched"},
    {.name = "threads_launched",
     .label = "Threads launched",
     .unit = "threads",
     .meaning = "Threads of all kernels that ran.",
     .cupti = "smsp__threads_launched.sum",
     .simulator = "threads_launched"},
    {.name = "threads_per_warp",
     .label = "Threads of a warp",
     .unit = "threads",
     .better = Direction::higher,
     .ideal = 32,
     .meaning =
         "How many of a warp's 32 places had a thread when it was launched. The last warp of "
         "a block that is no whole number of warps leaves some empty.",
     .try_next = "Launch blocks of a multiple of 32 threads.",
     .cupti = "smsp__threads_launched.sum / smsp__warps_launched.sum",
     .simulator = "threads_launched / warps_launched"},
    {.name = "bytes_per_block",
     .label = "Bytes of the task for each block",
     .unit = "byte",
     .better = Direction::higher,
     .meaning = "The bytes that the task must read and write, shared out over the blocks that were "
                "launched. A GPU starts few blocks a nanosecond, whatever they do.",
     .try_next = "Use larger blocks, or let each block do more.",
     .cupti = "least_bytes / sm__ctas_launched.sum",
     .simulator = "least_bytes / blocks_launched"},
    {.name = "barriers",
     .label = "Barriers executed",
     .unit = "barriers",
     .better = Direction::lower,
     .meaning = "Block-wide barriers, one for each warp that arrived. No hardware counter counts "
                "them; on a GPU see stall_barrier_pct.",
     .try_next = "Within a warp use shuffles instead of shared memory and a barrier.",
     .simulator = "barriers"},
    {.name = "sm_imbalance_pct",
     .label = "Imbalance between multiprocessors",
     .unit = "%",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "How much shorter than the busiest multiprocessor the average one was active.",
     .try_next = "Use more and smaller blocks, or let blocks fetch their work.",
     .cupti = "100 * (1 - sm__cycles_active.avg / sm__cycles_active.max)"},
    {.name = "sm_busy_pct",
     .label = "Time that multiprocessors have work",
     .unit = "%",
     .better = Direction::higher,
     .ideal = 100,
     .meaning = "Cycles in which a multiprocessor had at least one warp resident, of all cycles, "
                "the mean over the multiprocessors.",
     .try_next = "Launch more blocks at once: join small launches into one grid.",
     .cupti = "100 * sm__cycles_active.avg / sm__cycles_elapsed.max"},
    {.name = "blocks_per_kernel",
     .label = "Blocks of a kernel",
     .unit = "blocks",
     .better = Direction::higher,
     .meaning =
         "Blocks of the kernel that stands in the middle when all kernels executed are put in "
         "the order of their blocks, so that a few large ones with nothing to do change "
         "nothing. Fewer than the device has multiprocessors leave some of them without "
         "work.",
     .try_next = "Join small launches into one grid.",
     .simulator = "blocks_per_kernel",
     .trace = "blocks_per_kernel"},
};

constexpr Metric tensor_rows[] = {
    {.name = "tensor_instructions",
     .label = "Tensor instructions",
     .unit = "instructions",
     .better = Direction::higher,
     .meaning = "Matrix instructions on the tensor cores, one for each warp. Half-precision "
                "arithmetic (HFMA2.MMA), which shares the pipe, is not counted.",
     .try_next = "Use WMMA, mma or wgmma, with sizes that are multiples of the tile.",
     .cupti = "max(0, sm__inst_executed_pipe_tensor.sum - "
              "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum)"},
    {.name = "wgmma_instructions",
     .label = "Warpgroup matrix instructions",
     .unit = "instructions",
     .better = Direction::higher,
     .meaning = "Tensor instructions of whole warpgroups, which only Hopper has.",
     .cupti = "sm__inst_executed_pipe_tensor_op_gmma.sum"},
    {.name = "tensor_flop_fp16",
     .label = "Tensor operations on FP16",
     .unit = "flop",
     .better = Direction::higher,
     .meaning = "Operations on the tensor cores with FP16 inputs.",
     .cupti = "sm__ops_path_tensor_src_fp16.sum"},
    {.name = "tensor_fp16_pct",
     .label = "Arithmetic on the tensor cores, FP16",
     .unit = "%",
     .better = Direction::higher,
     .ideal = 100,
     .meaning = "Operations on the tensor cores with FP16 inputs, as a share of all on the tensor "
                "cores and of the FP32 and FP64 operations of all threads.",
     .try_next = "Use WMMA or mma for the products, and keep the sums in their accumulators.",
     .cupti = "100 * sm__ops_path_tensor_src_fp16.sum / (sm__ops_path_tensor_src_fp16.sum + "
              "sm__ops_path_tensor_src_bf16_dst_fp32.sum + "
              "sm__ops_path_tensor_src_tf32_dst_fp32.sum + sm__ops_path_tensor_src_fp64.sum + "
              "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_dfma_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum)",
     .simulator = "100 * tensor_flop_half / (tensor_flop_half + tensor_flop_other + flop_fp32 + "
                  "flop_fp64)"},
    {.name = "tensor_flop_bf16",
     .label = "Tensor operations on BF16",
     .unit = "flop",
     .better = Direction::higher,
     .meaning = "Operations on the tensor cores with BF16 inputs.",
     .cupti = "sm__ops_path_tensor_src_bf16_dst_fp32.sum"},
    {.name = "tensor_flop_tf32",
     .label = "Tensor operations on TF32",
     .unit = "flop",
     .better = Direction::higher,
     .meaning = "Operations on the tensor cores with float inputs rounded to TF32.",
     .cupti = "sm__ops_path_tensor_src_tf32_dst_fp32.sum"},
    {.name = "tensor_flop",
     .label = "Tensor operations, simulated",
     .unit = "flop",
     .better = Direction::higher,
     .meaning =
         "Operations of all matrix instructions. The hardware counts them by input type: see "
         "tensor_flop_fp16, tensor_flop_bf16 and tensor_flop_tf32.",
     .simulator = "tensor_flop_half + tensor_flop_other"},
};

}  // namespace

std::span<const Metric> divergence_metrics() { return divergence_rows; }
std::span<const Metric> tensor_metrics() { return tensor_rows; }

}  // namespace klab::catalogue
