// Thresholds of the diagnosis: every number that a rule compares with, with its source and reason.
#pragma once

#include "core/measure/measure_policy.hpp"

namespace klab::thresholds {

// --- What limits ---------------------------------------------------------------------------------

/// A unit used this much of its peak decides the class; only from `saturated_pct` on it is called
/// the limit.
inline constexpr double busy_pct = policy::busy_pct;
inline constexpr double saturated_pct = policy::saturated_pct;
/// Two units whose use differs by less than this limit the kernel together (the same source).
inline constexpr double balanced_points = 10;

/// The launch-cost test: a kernel shorter than this many empty launches costs mostly its start.
inline constexpr double overhead_launches = policy::overhead_bound_launches;
/// A device idle for more of a run than this waits for the host. Kernels queued back to back leave
/// about a microsecond between them, far less than this for any but the shortest kernels.
inline constexpr double idle_pct = 20;
/// Where multiprocessors have work for less than half of the time, no unit within them is the
/// limit.
inline constexpr double active_multiprocessors_pct = 50;

/// Traffic that is mostly waste limits a kernel below `busy_pct` already, because scattered
/// accesses keep memory from reaching its peak: then half or more of the sectors are not asked for,
/// ...
inline constexpr double wasted_sectors_pct = 50;
/// ... or device memory moves at least twice what the task needs; ...
inline constexpr double repeated_traffic_times = 2;
/// ... but only where memory does enough at all for its traffic to be the time.
inline constexpr double least_memory_pct = 20;

// --- Waste ---------------------------------------------------------------------------------------

/// Sectors beyond need that are worth a word: below a quarter they come from edges and alignment.
inline constexpr double excess_sectors_pct = 25;
/// Bytes that a thread's code spills and fetches before it is worth a word: a few values stay in
/// the L1. Lab 03's kernel takes the same time on an H200 with 68 bytes as without any, and several
/// times as long with 436.
inline constexpr double spilled_bytes = 100;
/// Memory used less than this is not what excess sectors would slow down.
inline constexpr double memory_matters_pct = 10;
/// More sectors for a request than 16-byte accesses of a whole warp need: some are wasted whatever
/// the width. A sector is 32 bytes (CUDA C++ Programming Guide, "Device Memory Accesses").
inline constexpr double most_useful_sectors = 16;
/// Sectors that 32 neighbouring words of 4 bytes lie in. Below, a warp asked for one word or for
/// few, and no arrangement of its addresses would move less (the same section of the guide).
inline constexpr double full_warp_sectors = 4;
/// Bank conflicts as a share of all passes through shared memory (Nsight Compute warns from 10 %).
inline constexpr double bank_conflicts_pct = 10;
/// Threads of 32 that take part in an average instruction (Nsight Compute warns below 24).
inline constexpr double least_threads = 24;
/// Device memory traffic over the least that the task needs. Below, it is cold caches and tails.
inline constexpr double traffic_worth_a_word = 1.5;
/// FP64 arithmetic beside FP32 that takes this much of the FP64 peak (Nsight Compute: 15 %).
inline constexpr double fp64_pct = 15;
/// How much shorter the average multiprocessor is busy than the busiest (Nsight Compute: 5 %; twice
/// that, so that the tail of a well-filled grid is not reported).
inline constexpr double imbalance_pct = 10;
/// Waits of the host in one run that are worth a word, and at least so many for each kernel: a run
/// needs one at its end.
inline constexpr double least_host_waits = 10;
inline constexpr double host_waits_per_kernel = 0.25;

// --- Latency -------------------------------------------------------------------------------------

/// Resident warps below this share can be too few to hide waiting; above it, more seldom help.
inline constexpr double few_warps_pct = 50;
/// A stall reason with this share of the samples is named first.
inline constexpr double leading_stall_pct = 25;

// --- Confidence ----------------------------------------------------------------------------------

/// Distance from the threshold, in points of a percentage, for high and for medium confidence:
/// counters of repeated runs differ by one or two points.
inline constexpr double high_points = 15;
inline constexpr double medium_points = 5;

}  // namespace klab::thresholds
