// Catalogue rows: how warps access global, shared and local memory.
#include "core/measure/catalogue/tables.hpp"

namespace klab::catalogue {
namespace {

// A request is one memory instruction of one warp; a sector is 32 bytes, aligned; a wavefront is
// one pass through the 32 banks of shared memory.
constexpr Metric coalescing_rows[] = {
    {.name = "global_load_requests",
     .label = "Global load requests",
     .unit = "requests",
     .meaning = "Load instructions to global memory, one for each warp that executed it.",
     .try_next = "Load 8 or 16 bytes per thread; load once and keep the value.",
     .cupti = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     .simulator = "global_load_requests"},
    {.name = "global_load_sectors",
     .label = "Global load sectors",
     .unit = "sectors",
     .better = Direction::lower,
     .meaning = "32-byte pieces of memory that those loads touched.",
     .try_next = "Let neighbouring threads read neighbouring words.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     .simulator = "global_load_sectors"},
    {.name = "global_load_sectors_per_request",
     .label = "Sectors per global load request",
     .unit = "sectors",
     .better = Direction::lower,
     .ideal = 4,
     .meaning = "32-byte pieces that one load of a warp touches: 4 if its 32 threads read "
                "neighbouring 4-byte words, 32 if each reads elsewhere; 16 is ideal for 16-byte "
                "loads. It says nothing of how often a piece is moved: see sectors_of_minimum.",
     .try_next = "Make the fastest-changing index of the address the thread index.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum / "
              "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     .simulator = "global_load_sectors / global_load_requests"},
    {.name = "global_store_requests",
     .label = "Global store requests",
     .unit = "requests",
     .meaning = "Store instructions to global memory, one for each warp that executed it.",
     .try_next = "Store 8 or 16 bytes per thread.",
     .cupti = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     .simulator = "global_store_requests"},
    {.name = "global_store_sectors",
     .label = "Global store sectors",
     .unit = "sectors",
     .better = Direction::lower,
     .meaning = "32-byte pieces of memory that those stores touched.",
     .try_next = "Let neighbouring threads write neighbouring words.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     .simulator = "global_store_sectors"},
    {.name = "global_store_sectors_per_request",
     .label = "Sectors per global store request",
     .unit = "sectors",
     .better = Direction::lower,
     .ideal = 4,
     .meaning = "32-byte pieces that one store of a warp touches: 4 if its 32 threads write "
                "neighbouring 4-byte words, 32 if each writes elsewhere.",
     .try_next =
         "Let neighbouring threads write neighbouring words; where the layout forbids it, stage a "
         "tile in shared memory first.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum / "
              "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     .simulator = "global_store_sectors / global_store_requests"},
    {.name = "global_load_efficiency_pct",
     .label = "Used bytes of loaded sectors",
     .unit = "%",
     .better = Direction::higher,
     .ideal = 100,
     .meaning =
         "Bytes that the warps asked for as a share of the bytes of the sectors touched; a word "
         "that several threads of a warp ask for at once counts once.",
     .try_next = "Let neighbouring threads read neighbouring words.",
     .cupti = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
    {.name = "global_store_efficiency_pct",
     .label = "Used bytes of stored sectors",
     .unit = "%",
     .better = Direction::higher,
     .ideal = 100,
     .meaning = "Bytes that the warps wrote as a share of the bytes of the sectors touched.",
     .try_next = "Let neighbouring threads write neighbouring words.",
     .cupti = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"},
    {.name = "global_load_excess_pct",
     .label = "Loaded sectors beyond need",
     .unit = "%",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Share of the load sectors that would not be needed if every byte asked for lay "
                "side by side.",
     .try_next = "Let neighbouring threads read neighbouring words; align rows to 32 bytes.",
     .cupti = "100 * max(0, 1 - smsp__sass_data_bytes_mem_global_op_ld.sum / 32 / "
              "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum)"},
    {.name = "global_store_excess_pct",
     .label = "Stored sectors beyond need",
     .unit = "%",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Share of the store sectors that would not be needed if every byte written lay "
                "side by side.",
     .try_next =
         "Let neighbouring threads write neighbouring words; where the layout forbids it, stage a "
         "tile in shared memory first.",
     .cupti = "100 * max(0, 1 - smsp__sass_data_bytes_mem_global_op_st.sum / 32 / "
              "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum)"},
};

// What the requests of warps ask for: of each the different bytes.
constexpr Metric request_rows[] = {
    {.name = "global_load_bytes",
     .label = "Bytes that threads load from global memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' loads ask for; what threads of a warp ask for at once "
                "counts once. Those of cp.async are not among them.",
     .cupti = "smsp__sass_data_bytes_mem_global_op_ld.sum",
     .simulator = "global_load_bytes"},
    {.name = "global_store_bytes",
     .label = "Bytes that threads store to global memory",
     .unit = "byte",
     .meaning =
         "Bytes that the threads' stores write; what threads of a warp write at once counts once.",
     .cupti = "smsp__sass_data_bytes_mem_global_op_st.sum",
     .simulator = "global_store_bytes"},
    {.name = "global_atomic_bytes",
     .label = "Bytes of atomic operations on global memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' atomic operations work on; what threads of a warp work on "
                "at once counts once.",
     .cupti = "smsp__sass_data_bytes_mem_global_op_atom.sum + "
              "smsp__sass_data_bytes_mem_global_op_red.sum",
     .simulator = "global_atomic_bytes"},
    {.name = "local_load_bytes",
     .label = "Bytes that threads load from local memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' loads ask for; what threads of a warp ask for at once "
                "counts once.",
     .cupti = "smsp__sass_data_bytes_mem_local_op_ld.sum",
     .simulator = "local_load_bytes"},
    {.name = "local_store_bytes",
     .label = "Bytes that threads store to local memory",
     .unit = "byte",
     .meaning =
         "Bytes that the threads' stores write; what threads of a warp write at once counts once.",
     .cupti = "smsp__sass_data_bytes_mem_local_op_st.sum",
     .simulator = "local_store_bytes"},
    {.name = "shared_load_bytes",
     .label = "Bytes that threads load from shared memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' loads ask for; what threads of a warp ask for at once "
                "counts once. Those of ldmatrix are not among them.",
     .cupti = "smsp__sass_data_bytes_mem_shared_op_ld.sum",
     .simulator = "shared_load_bytes"},
    {.name = "shared_store_bytes",
     .label = "Bytes that threads store to shared memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' stores write; what threads of a warp write at once counts "
                "once. Those of stmatrix and cp.async are not among them.",
     .cupti = "smsp__sass_data_bytes_mem_shared_op_st.sum",
     .simulator = "shared_store_bytes"},
    {.name = "shared_atomic_bytes",
     .label = "Bytes of atomic operations on shared memory",
     .unit = "byte",
     .meaning = "Bytes that the threads' atomic operations work on; what threads of a warp work on "
                "at once counts once.",
     .cupti = "smsp__sass_data_bytes_mem_shared_op_atom.sum",
     .simulator = "shared_atomic_bytes"},
};

constexpr Metric memory_rows[] = {
    {.name = "sectors_of_minimum",
     .label = "Sectors moved, of the least possible",
     .unit = "x",
     .better = Direction::lower,
     .ideal = 1,
     .meaning = "All 32-byte pieces that loads, stores and atomics of global and local memory "
                "touched, on whatever way, over the bytes that the task must read and write. 1 if "
                "every byte of every piece is used, once.",
     .try_next = "Let neighbouring threads use neighbouring words; read each value once and keep "
                 "it in a register.",
     // Copies by TMA pass the tag stage by, so they are added; what else passes it by still
     // crosses between L2 and the multiprocessor, so that the total is never below that.
     .cupti = "32 * max(l1tex__t_sectors_pipe_lsu_mem_lg.sum + l1tex__t_sectors_pipe_tex.sum + "
              "l1tex__m_xbar2l1tex_read_sectors_pipe_tma.sum + "
              "l1tex__m_l1tex2xbar_write_sectors_pipe_tma.sum, "
              "l1tex__m_xbar2l1tex_read_sectors.sum + l1tex__m_l1tex2xbar_write_sectors.sum) / "
              "least_bytes",
     .simulator = "32 * (global_load_sectors + global_store_sectors + global_atomic_sectors + "
                  "local_load_sectors + local_store_sectors + bulk_sectors + texture_sectors) / "
                  "least_bytes"},
    {.name = "requests_of_minimum",
     .label = "Memory instructions, of the least possible",
     .unit = "x",
     .better = Direction::lower,
     .ideal = 1,
     .meaning =
         "Loads, stores and atomics of global memory, through textures and surfaces as well, "
         "one for each warp that executed them, over those that the bytes of the task take "
         "at 16 bytes a thread, the most that one instruction moves. On the simulator bulk copies "
         "count as well, one for each thread that asked for one.",
     .try_next = "Load and store 8 or 16 bytes per thread; read each value once.",
     .cupti = "512 * (l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum + "
              "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum + "
              "smsp__sass_inst_executed_op_ldgsts.sum + "
              "smsp__sass_inst_executed_op_global_atom.sum + "
              "smsp__sass_inst_executed_op_global_red.sum + smsp__inst_executed_pipe_tex.sum) / "
              "least_bytes",
     .simulator = "512 * (global_load_requests + global_store_requests + global_atomics + "
                  "texture_requests + bulk_requests) / least_bytes"},
    {.name = "global_atomics",
     .label = "Global atomic instructions",
     .unit = "instructions",
     .better = Direction::lower,
     .meaning = "Atomic and reduction instructions to global memory, one for each warp.",
     .try_next = "Combine within the warp or in shared memory first, then once per block.",
     .cupti = "smsp__sass_inst_executed_op_global_atom.sum + "
              "smsp__sass_inst_executed_op_global_red.sum",
     .simulator = "global_atomics"},
    {.name = "global_atomics_per_kib",
     .label = "Global atomic instructions for each KiB of the task",
     .unit = "instructions",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Atomic and reduction instructions to global memory, one for each warp, for each "
                "1,024 bytes that the task must read and write.",
     .try_next = "Combine within the block in shared memory first, then once per block.",
     .cupti = "1024 * (smsp__sass_inst_executed_op_global_atom.sum + "
              "smsp__sass_inst_executed_op_global_red.sum) / least_bytes",
     .simulator = "1024 * global_atomics / least_bytes"},
};

constexpr Metric shared_rows[] = {
    {.name = "shared_load_wavefronts_per_request",
     .label = "Passes per shared memory load",
     .unit = "wavefronts",
     .better = Direction::lower,
     .ideal = 1,
     .meaning = "Passes through the banks that one load of a warp takes: 1 without conflicts for "
                "4-byte words, 32 if all threads hit one bank; 16-byte loads take 4.",
     .try_next = "Pad the tile by one column, or swizzle its index.",
     .cupti = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum / "
              "smsp__sass_inst_executed_op_shared_ld.sum",
     .simulator = "shared_load_wavefronts / shared_load_requests"},
    {.name = "shared_store_wavefronts_per_request",
     .label = "Passes per shared memory store",
     .unit = "wavefronts",
     .better = Direction::lower,
     .ideal = 1,
     .meaning = "Passes through the banks that one store of a warp takes.",
     .try_next = "Pad the tile by one column, or swizzle its index.",
     .cupti = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum / "
              "smsp__sass_inst_executed_op_shared_st.sum",
     .simulator = "shared_store_wavefronts / shared_store_requests"},
    {.name = "shared_load_wavefronts",
     .label = "Passes of shared memory loads",
     .unit = "wavefronts",
     .better = Direction::lower,
     .meaning = "All passes through the banks for loads.",
     .try_next = "Remove conflicts; keep values in registers; load 16 bytes at a time.",
     .cupti = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
     .simulator = "shared_load_wavefronts"},
    {.name = "shared_store_wavefronts",
     .label = "Passes of shared memory stores",
     .unit = "wavefronts",
     .better = Direction::lower,
     .meaning = "All passes through the banks for stores.",
     .cupti = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
     .simulator = "shared_store_wavefronts"},
    {.name = "shared_wavefronts_of_minimum",
     .label = "Passes of shared memory, of the least possible",
     .unit = "x",
     .better = Direction::lower,
     .ideal = 1,
     .meaning = "All passes through the banks, for loads, stores and atomics, over those that the "
                "bytes of the task take at 128 bytes a pass: what it reads staged once, what it "
                "writes fetched once. What goes to the shared memory of another block of the "
                "cluster or comes from there counts as well, and on the simulator passes that "
                "asynchronous copies take because of conflicts.",
     .try_next = "Pad the tile by one column, or swizzle its index.",
     .cupti = "(128 * (l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum + "
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum + "
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum) + "
              "32 * l1tex__t_sectors_pipe_lsu_mem_dshared.sum) / least_bytes",
     .simulator = "(128 * (shared_load_wavefronts + shared_store_wavefronts + "
                  "shared_atomic_wavefronts + shared_copy_bank_conflicts) + "
                  "32 * cluster_sectors) / least_bytes"},
    {.name = "shared_load_wavefronts_per_fma",
     .label = "Shared memory passes per multiply-add",
     .unit = "wavefronts",
     .better = Direction::lower,
     .meaning = "Passes through the banks for loads, for each fused multiply-add of a whole warp. "
                "Well below 1, arithmetic can keep its pipe busy.",
     .try_next = "Compute a tile per thread in registers, so that each value loaded is used often.",
     .cupti = "32 * l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum / "
              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"},
    {.name = "shared_bank_conflicts",
     .label = "Bank conflicts",
     .unit = "conflicts",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Extra passes because threads of a warp needed different words of one bank. The "
                "hardware also counts passes lost to other traffic, so a few remain.",
     .try_next = "Pad the tile by one column, or swizzle its index.",
     .cupti = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum + "
              "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     .simulator = "shared_load_bank_conflicts + shared_store_bank_conflicts"},
    {.name = "shared_atomics",
     .label = "Shared atomic instructions",
     .unit = "instructions",
     .better = Direction::lower,
     .meaning = "Atomic instructions to shared memory, one for each warp.",
     .try_next = "Combine within the warp first, or give each warp bins of its own.",
     .cupti = "smsp__sass_inst_executed_op_shared_atom.sum",
     .simulator = "shared_atomics"},
    {.name = "shared_atomic_wavefronts_per_kib",
     .label = "Passes of shared atomics for each KiB of the task",
     .unit = "wavefronts",
     .better = Direction::lower,
     .meaning = "Passes through the banks for atomics of shared memory, for each 1,024 bytes that "
                "the task must read and write. The threads of a warp share a pass if they add to "
                "one word or to words in different banks.",
     .try_next = "Give the threads of a warp words in banks of their own.",
     .cupti = "1024 * l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum / least_bytes",
     .simulator = "1024 * shared_atomic_wavefronts / least_bytes"},
};

constexpr Metric local_rows[] = {
    {.name = "local_load_sectors",
     .label = "Local memory load sectors",
     .unit = "sectors",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "32-byte pieces read back from local memory: spilled registers, or arrays with an "
                "index the compiler does not know.",
     .try_next = "Give the kernel more registers (launch bounds), or keep fewer values alive.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
     .simulator = "local_load_sectors"},
    {.name = "local_store_sectors",
     .label = "Local memory store sectors",
     .unit = "sectors",
     .better = Direction::lower,
     .ideal = 0,
     .meaning =
         "32-byte pieces written to local memory: spilled registers, or arrays with an index "
         "the compiler does not know.",
     .try_next = "Give the kernel more registers (launch bounds), or keep fewer values alive.",
     .cupti = "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
     .simulator = "local_store_sectors"},
    {.name = "local_instructions",
     .label = "Local memory instructions",
     .unit = "instructions",
     .better = Direction::lower,
     .ideal = 0,
     .meaning = "Loads from and stores to local memory, one for each warp.",
     .try_next = "The compiler's report tells spills from the stack frame of an array.",
     .cupti = "smsp__sass_inst_executed_op_local_ld.sum + smsp__sass_inst_executed_op_local_st.sum",
     .simulator = "local_load_requests + local_store_requests"},
};

}  // namespace

std::span<const Metric> coalescing_metrics() { return coalescing_rows; }
std::span<const Metric> memory_metrics() { return memory_rows; }
std::span<const Metric> shared_metrics() { return shared_rows; }
std::span<const Metric> local_metrics() { return local_rows; }
std::span<const Metric> thread_metrics() { return request_rows; }

}  // namespace klab::catalogue
