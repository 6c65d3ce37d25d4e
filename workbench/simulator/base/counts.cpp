// The table of metrics.
#include "simulator/base/counts.hpp"

namespace klab::sim {

namespace {

constexpr std::array<MetricInfo, metric_count> table{{
    {"warp_instructions", Label::modelled,
     "PTX instructions issued, one per warp; ptxas emits other machine instructions"},
    {"thread_instructions", Label::modelled,
     "PTX instructions times the lanes active in them; over warp_instructions: threads per "
     "instruction"},
    {"branches", Label::modelled, "conditional PTX branches executed by a warp"},
    {"divergent_branches", Label::modelled,
     "conditional PTX branches at which the active lanes of a warp disagreed"},
    {"global_load_requests", Label::counted, "warp-wide loads from global memory"},
    {"global_load_sectors", Label::counted, "distinct 32-byte sectors those loads touch"},
    {"global_store_requests", Label::counted, "warp-wide stores to global memory"},
    {"global_store_sectors", Label::counted, "distinct 32-byte sectors those stores touch"},
    {"local_load_requests", Label::modelled,
     "warp-wide loads from local memory that the PTX states"},
    {"local_load_sectors", Label::modelled,
     "32-byte sectors of those loads, with the words of a warp's lanes interleaved"},
    {"local_store_requests", Label::modelled,
     "warp-wide stores to local memory that the PTX states"},
    {"local_store_sectors", Label::modelled,
     "32-byte sectors of those stores, with the words of a warp's lanes interleaved"},
    {"shared_load_requests", Label::modelled,
     "warp-wide loads from shared memory; ptxas may merge neighbouring ones"},
    {"shared_load_wavefronts", Label::modelled,
     "passes over the 32 banks that those loads need; exact for 4-byte loads that ptxas keeps"},
    {"shared_load_bank_conflicts", Label::modelled, "wavefronts beyond what the width needs"},
    {"shared_store_requests", Label::modelled, "warp-wide stores to shared memory"},
    {"shared_store_wavefronts", Label::modelled, "passes over the 32 banks that those stores need"},
    {"shared_store_bank_conflicts", Label::modelled, "wavefronts beyond what the width needs"},
    {"global_atomics", Label::counted, "warp-wide atomic operations on global memory"},
    {"global_atomic_sectors", Label::counted, "distinct 32-byte sectors those operations touch"},
    {"shared_atomics", Label::counted, "warp-wide atomic operations on shared memory"},
    {"shared_atomic_wavefronts", Label::modelled,
     "passes over the 32 banks that those operations need if lanes with one address share one"},
    {"shared_copy_bank_conflicts", Label::modelled,
     "wavefronts of asynchronous copies (cp.async) into shared memory beyond what the width needs"},
    {"cluster_sectors", Label::modelled,
     "distinct 32-byte sectors of loads from and stores to shared memory of other blocks of the "
     "cluster"},
    {"bulk_requests", Label::counted,
     "bulk copies (cp.async.bulk) from or to global memory, one for each thread that asked for "
     "one"},
    {"bulk_sectors", Label::counted,
     "32-byte sectors of global memory that bulk copies (cp.async.bulk) touch"},
    {"texture_requests", Label::modelled,
     "warp-wide texture fetches, and loads from and stores to surfaces"},
    {"texture_sectors", Label::modelled,
     "distinct 32-byte sectors that texture fetches, and loads from and stores to surfaces, touch, "
     "as if an array lay row by row"},
    {"global_load_bytes", Label::modelled,
     "bytes that the threads' loads from global memory ask for; what lanes of a warp ask for "
     "together counts once"},
    {"global_store_bytes", Label::modelled,
     "bytes that the threads' stores to global memory write; what lanes of a warp write together "
     "counts once"},
    {"global_atomic_bytes", Label::modelled,
     "bytes that the threads' atomic operations on global memory work on; what lanes of a warp "
     "work on together counts once"},
    {"local_load_bytes", Label::modelled,
     "bytes that the threads' loads from local memory ask for; what lanes of a warp ask for "
     "together counts once"},
    {"local_store_bytes", Label::modelled,
     "bytes that the threads' stores to local memory write; what lanes of a warp write together "
     "counts once"},
    {"shared_load_bytes", Label::modelled,
     "bytes that the threads' loads from shared memory ask for; what lanes of a warp ask for "
     "together counts once"},
    {"shared_store_bytes", Label::modelled,
     "bytes that the threads' stores to shared memory write; what lanes of a warp write together "
     "counts once"},
    {"shared_atomic_bytes", Label::modelled,
     "bytes that the threads' atomic operations on shared memory work on; what lanes of a warp "
     "work on together counts once"},
    {"barriers", Label::counted, "block barriers, counted once per arriving warp"},
    {"flop_fp16", Label::modelled,
     "half and bfloat16 operations, a fused multiply-add as two; ptxas also makes constants by "
     "them"},
    {"flop_fp32", Label::modelled,
     "single-precision operations, a fused multiply-add as two; ptxas makes many of a division"},
    {"flop_fp64", Label::modelled,
     "double-precision operations, a fused multiply-add as two; ptxas makes many of a division"},
    {"tensor_flop_half", Label::counted,
     "operations of matrix instructions on FP16, a multiply-add as two"},
    {"tensor_flop_other", Label::counted,
     "operations of matrix instructions on other types, a multiply-add as two"},
}};

}  // namespace

const MetricInfo& describe(Metric metric) { return table[static_cast<std::size_t>(metric)]; }

Counts& Counts::operator+=(const Counts& other) {
  for (std::size_t i = 0; i < metric_count; ++i) values[i] += other.values[i];
  return *this;
}

}  // namespace klab::sim
