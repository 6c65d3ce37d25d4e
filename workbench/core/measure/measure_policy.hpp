// The policy of measuring: every constant that decides how a number is taken and judged.
#pragma once

#include <cstdint>

namespace klab::policy {

// --- Samples -------------------------------------------------------------------------------------

/// Launches of each variant before the first sample: the first loads the module, the others let
/// caches of translations and clocks settle.
inline constexpr int warm_up_launches = 3;
/// A launch this long is warm-up enough by itself, in seconds.
inline constexpr double warm_up_s = 0.05;
/// Pairs before sampling may stop: with fewer, a bootstrap interval of a median rests on too few
/// distinct values to be trusted.
inline constexpr int least_samples = 20;
/// By the host's clock, whose samples scatter more, an interval of fewer is narrow by luck too
/// often; a ratio far beyond its line needs no more than above.
inline constexpr int least_samples_wall = 40;
/// Pairs that are enough if they took this share of the time cap: long kernels repeat better, and a
/// ratio of hundreds needs no fourth digit.
inline constexpr int few_samples = 7;
inline constexpr double few_share_of_cap = 0.4;
/// Pairs after which sampling stops whatever the interval: bounds memory and the length of records.
inline constexpr int most_samples = 2000;
/// Seconds of sampling after which a run stops as it is: with build and other phases a check is to
/// end within 3 s.
inline constexpr double time_cap_s = 1.0;
/// By the host's clock, whose sides wake behind all other runners.
inline constexpr double time_cap_wall_s = 0.8;
/// Kernels so long that the cap leaves too few pairs for any interval are given this many caps for
/// them: a slow GPU takes seconds a launch where a fast one takes a tenth.
inline constexpr double caps_for_few_pairs = 20;
/// And this many where it cannot tell yet whether the ratio reaches its target.
inline constexpr double caps_for_undecided = 4;
/// The interval is computed anew after this growth of the number of samples, so that all
/// evaluations of a run together cost a small multiple of the last one.
inline constexpr double evaluation_growth = 1.15;

// --- Statistics ----------------------------------------------------------------------------------

/// Probability with which an interval covers the true value.
inline constexpr double confidence = 0.95;
/// Bootstrap resamples. Each 2.5 % tail then holds 50 values, and other resamples move the ends of
/// an interval by about a fortieth of its width (tests/core/measure/statistics.tests.cpp).
inline constexpr int bootstrap_resamples = 2000;
/// Seed of the resampling: equal samples give equal intervals, everywhere and always.
inline constexpr std::uint64_t bootstrap_seed = 0x6b6c6162;
/// Fewer samples than this give no interval at all.
inline constexpr int least_samples_for_interval = 5;
/// Half-width of the ratio's interval, as a share of the ratio, at which sampling stops. Below the
/// 0.5 % that flawed against flawed has to reach, so that the next run reaches it too.
inline constexpr double target_half_width = 0.004;
/// The same for labs timed by the host's clock, half of the 2 % that these have to reach: each
/// process has a pace of its own besides, which no number of samples evens out.
inline constexpr double target_half_width_wall = 0.01;
/// A lab whose launches are little else than that has several processes a side, up to so many: each
/// takes memory, and a device a while to wake.
inline constexpr int most_processes = 4;
/// And these 2 % for a ratio far beyond its line, however soon it is known so well.
inline constexpr double far_beyond_half_width_wall = 0.02;
/// Once few samples are enough, a ratio of so many times what the verdict asks is known well enough
/// with intervals so many times wider, though no wider than this.
inline constexpr double far_beyond_line = 1.5, wider_far_beyond = 5, widest_far_beyond = 0.05;

// --- One sample ----------------------------------------------------------------------------------

/// A shorter kernel is launched several times per sample: events tick about every 0.5 us, which is
/// 5 % of 10 us (cudaEventElapsedTime, CUDA Runtime API).
inline constexpr double batching_threshold_s = 10e-6;
/// What a batch is made to last, so that one tick of the events is at most 0.5 % of it.
inline constexpr double batch_target_s = 100e-6;
/// Launches in one batch at most. Each has buffers of its own, filled anew; the shortest launch
/// takes about 2 us, so more are not needed.
inline constexpr int most_launches_per_sample = 64;
/// Bytes read between cold samples, as a multiple of the L2's size: its replacement is not
/// strictly least-recently-used, so reading just its size leaves old lines behind.
inline constexpr double l2_flush_factor = 2.0;
/// A sample taken at less than this share of the median SM clock of its run is taken again: the GPU
/// was throttled or waking up.
inline constexpr double least_clock_share = 0.90;
/// Samples taken again at most, as a share of the samples wanted; after that the run goes on and
/// its throttle reasons are reported.
inline constexpr double most_retaken_share = 0.25;
/// Pause before a throttled sample is taken again, in seconds.
inline constexpr double throttle_pause_s = 0.05;

// --- Trusting the clock
// ----------------------------------------------------------------------------

/// Samples of the flawed kernel before any other kernel file is loaded: enough for a median that
/// repeats within a small part of `slower_beside`. Long kernels, whose times repeat better, are
/// content with the least once they took this share of the time cap.
inline constexpr int samples_alone = 12, least_samples_alone = 5;
inline constexpr double alone_share_of_cap = 0.125;
/// Share of the time cap for which processors are tried, by the host's clock: of launches that take
/// milliseconds some dozen.
inline constexpr double choosing_share_of_cap = 0.06;
/// How much slower the flawed kernel may be beside the candidate than alone, as a share: more than
/// clocks drift within a second, and less than it takes to lift a kernel over a target unnoticed.
inline constexpr double slower_beside = 0.05;
/// The same for labs timed by the host's clock, whose spread is larger.
inline constexpr double slower_beside_wall = 0.15;
/// Share of the samples that are verified in full once they were taken: of 20 that are wrong, all
/// escape once in 300 runs; and the last sample always is. Of fewer samples, so many are verified
/// on average.
inline constexpr double verified_share = 0.25, verified_samples = 5;
/// By how much more a turn of the candidate may last outside of its reported time than one of the
/// flawed kernel, in seconds and as a share of the flawed kernel's time: the processes have equal
/// work there, whose median varies by less than this.
inline constexpr double longer_outside_s = 1e-3, longer_outside_share = 0.25;
/// And by how much more where a kernel file takes memory of its own: a pool gives back at each wait
/// what was freed, and gets it anew at the next launch (an estimate).
inline constexpr double allocating_outside_s = 2e-3;

// --- Judging -------------------------------------------------------------------------------------

/// What an interval's half-width may be, as a share of its median, for times below a target to
/// fail: beyond it the machine was busy with something else, and nobody can tell what the kernel
/// takes. Of what was recorded on idle GPUs none is above a fifth.
inline constexpr double most_scatter = 0.25;
/// A result is rejected as physically impossible only if it is faster than the measured ceiling
/// allows by more than this share: ceilings themselves repeat within about 2 %.
inline constexpr double physics_floor_slack = 0.05;
/// A launch that was counted to do less than the task's least work by more than this share left
/// some of it out. Where the least follows from random inputs, it is the mean of them.
inline constexpr double work_slack = 0.05;
/// Durations under the profiler and without it agree within this factor and this allowance: clocks
/// differ, and a profiler adds some microseconds to each kernel.
inline constexpr double duration_factor = 2.0, duration_allowance_s = 50e-6;
/// What a counted launch may take longer for each gap between two of its pieces: the stream is not
/// held there, and a host that is watched takes its time to ask for the next. Of the launches of
/// lab 12 recorded on an H200, those of a fill and a kernel took 0.08 to 0.12 ms longer, the one of
/// a kernel alone no longer. For more gaps than these no more is allowed: it would hide other work.
inline constexpr double gap_allowance_s = 0.15e-3;
inline constexpr int most_gaps = 2;
/// One kernel alone is counted from its own start to its end: of what was recorded on an H200, none
/// that passed took 3 % more or less than when it was timed.
inline constexpr double one_kernel_factor = 1.25, one_kernel_allowance_s = 20e-6;
/// What a launch that allocates may take longer when timed or when counted, in seconds (an
/// estimate): a pool that gave its memory back at the last wait gets it anew, and no kernel runs
/// meanwhile. A profiler waits at each of its passes.
inline constexpr double allocation_allowance_s = 0.5e-3;
/// From this share of a unit's peak on, the kernel leans on that unit more than on others; below it
/// at every unit, it waits. From `saturated_pct` on the unit is the limit. Both are the lines of
/// Nsight Compute's "Speed of Light", and every sentence about a share of a peak uses them.
inline constexpr double busy_pct = 60, saturated_pct = 80;
/// A kernel shorter than this many empty launches is bound by launch overhead, not by the GPU.
inline constexpr double overhead_bound_launches = 3.0;

}  // namespace klab::policy
