// Catalogue rows: roofline (work, traffic and peaks at three levels) and device memory in detail.
#include "core/measure/catalogue/tables.hpp"

namespace klab::catalogue {
namespace {

// Peaks are what the counters could at most have counted in a cycle, times the clock seen.
// Operations: an FMA is two; half-precision instructions work on pairs, as ncu counts them too.
constexpr Metric roofline_rows[] = {
    {.name = "flop_fp32",
     .label = "FP32 operations",
     .unit = "flop",
     .meaning =
         "Float additions, multiplications and twice the fused multiply-adds of all threads.",
     .cupti = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
     .simulator = "flop_fp32"},
    {.name = "flop_fp16",
     .label = "FP16 operations outside the tensor cores",
     .unit = "flop",
     .meaning =
         "Half-precision operations of all threads, each instruction counted as working on a "
         "pair; code on single halves is counted twice. The compiler also builds constants of "
         "float kernels with such instructions, so a few are no sign of half precision.",
     .cupti = "2 * smsp__sass_thread_inst_executed_op_hadd_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_hmul_pred_on.sum + "
              "4 * smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
     .simulator = "flop_fp16"},
    {.name = "flop_fp64",
     .label = "FP64 operations",
     .unit = "flop",
     .meaning = "Double-precision operations of all threads.",
     .try_next = "Unexpected ones come from constants without the suffix f.",
     .cupti = "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
     .simulator = "flop_fp64"},
    {.name = "flop_fp32_per_s",
     .label = "FP32 rate",
     .unit = "flop/s",
     .better = Direction::higher,
     .meaning = "FP32 operations over the duration under the profiler.",
     .cupti = "(smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum) / "
              "(gpu__time_duration.sum * 1e-9)"},
    {.name = "fp32_peak",
     .label = "FP32 peak at this clock",
     .unit = "flop/s",
     .meaning = "One fused multiply-add per lane and cycle at the clock seen.",
     .cupti = "2 * sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained * "
              "sm__cycles_elapsed.avg.per_second"},
    {.name = "fp16_peak",
     .label = "FP16 peak at this clock, without tensor cores",
     .unit = "flop/s",
     .meaning = "One paired fused multiply-add per lane and cycle at the clock seen.",
     .cupti = "4 * sm__sass_thread_inst_executed_op_hfma_pred_on.sum.peak_sustained * "
              "sm__cycles_elapsed.avg.per_second"},
    {.name = "fp64_peak",
     .label = "FP64 peak at this clock",
     .unit = "flop/s",
     .meaning = "One double-precision fused multiply-add per lane and cycle at the clock seen.",
     .cupti = "2 * sm__sass_thread_inst_executed_op_dfma_pred_on.sum.peak_sustained * "
              "sm__cycles_elapsed.avg.per_second"},
    {.name = "arithmetic_intensity",
     .label = "FP32 operations per byte of device memory",
     .unit = "flop per byte",
     .meaning =
         "Where the kernel stands on the roofline: left of the ridge memory limits it, right "
         "of it arithmetic.",
     .try_next = "Left of the ridge: reuse data, so that each byte serves more operations.",
     .cupti = "(smsp__sass_thread_inst_executed_op_fadd_pred_on.sum + "
              "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum + "
              "2 * smsp__sass_thread_inst_executed_op_ffma_pred_on.sum) / dram__bytes.sum"},
    {.name = "dram_bytes_per_s",
     .label = "Device memory rate",
     .unit = "byte/s",
     .better = Direction::higher,
     .meaning = "Device memory traffic over the duration under the profiler.",
     .cupti = "dram__bytes.sum / (gpu__time_duration.sum * 1e-9)"},
    {.name = "dram_peak",
     .label = "Device memory peak",
     .unit = "byte/s",
     .meaning = "What the memory interface could move at its clock; a copy comes near it and never "
                "reaches it.",
     .cupti = "dram__bytes.sum.peak_sustained * dram__cycles_elapsed.avg.per_second"},
    {.name = "dram_bytes_of_minimum",
     .label = "Device memory traffic, of the least possible",
     .unit = "x",
     .better = Direction::lower,
     .ideal = 1,
     .meaning = "Bytes moved over the bytes that the task must move: each input read once, each "
                "output written once. Below 1, part of the result was still in the L2.",
     .try_next = "Fuse kernels that pass arrays through memory; read whole sectors.",
     .cupti = "dram__bytes.sum / least_bytes"},
    {.name = "l2_bytes",
     .label = "Traffic from L2 to the multiprocessors",
     .unit = "byte",
     .better = Direction::lower,
     .meaning = "Bytes the L2 sent towards the multiprocessors.",
     .cupti = "32 * lts__lts2xbar_cycles_active.sum"},
    {.name = "l2_peak",
     .label = "L2 peak",
     .unit = "byte/s",
     .meaning = "What the L2 could send at its clock.",
     .cupti = "32 * lts__lts2xbar_cycles_active.sum.peak_sustained * "
              "lts__cycles_elapsed.avg.per_second"},
    {.name = "l1_bytes",
     .label = "Traffic from L1 and shared memory to registers",
     .unit = "byte",
     .better = Direction::lower,
     .meaning = "Bytes written back to registers, whole 128-byte passes counted; a store takes one "
                "pass too.",
     .cupti = "128 * l1tex__lsu_writeback_active_mem_lgds.sum"},
    {.name = "l1_peak",
     .label = "L1 peak",
     .unit = "byte/s",
     .meaning = "One 128-byte pass per multiprocessor and cycle.",
     .cupti = "128 * l1tex__lsu_writeback_active_mem_lgds.sum.peak_sustained * "
              "l1tex__cycles_elapsed.avg.per_second"},
};

constexpr Metric device_memory_rows[] = {
    {.name = "requested_bytes",
     .label = "Bytes of the sectors that loads and stores touched",
     .unit = "byte",
     .better = Direction::lower,
     .meaning = "32 bytes for each sector of global and local memory that a load or store touched: "
                "what the multiprocessors ask of the L1, before any cache.",
     .try_next = "Let neighbouring threads use neighbouring words; keep values in registers.",
     .cupti = "32 * (l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum + "
              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum + "
              "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum + "
              "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum)",
     .simulator = "32 * (global_load_sectors + global_store_sectors + local_load_sectors + "
                  "local_store_sectors)"},
    {.name = "dram_bytes_read",
     .label = "Device memory reads",
     .unit = "byte",
     .better = Direction::lower,
     .meaning = "Bytes read from device memory.",
     .try_next = "Read each input once and keep it; check for partly used sectors.",
     .cupti = "dram__bytes_read.sum"},
    {.name = "dram_bytes_written",
     .label = "Device memory writes",
     .unit = "byte",
     .better = Direction::lower,
     .meaning =
         "Bytes written to device memory; what is still in the L2 at the end is not counted.",
     .try_next = "Do not write intermediate arrays: fuse the kernel that reads them.",
     .cupti = "dram__bytes_write.sum"},
    {.name = "l2_atomic_sectors",
     .label = "Atomic accesses that reached the L2",
     .unit = "sectors",
     .better = Direction::lower,
     .meaning = "Sectors for which the L2 performed atomics and reductions.",
     .try_next = "Combine within the warp or in shared memory first, then once per block.",
     .cupti = "lts__t_sectors_op_atom.sum + lts__t_sectors_op_red.sum"},
};

}  // namespace

std::span<const Metric> roofline_metrics() { return roofline_rows; }
std::span<const Metric> device_memory_metrics() { return device_memory_rows; }

}  // namespace klab::catalogue
