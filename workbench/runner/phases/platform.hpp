// What differs between a real GPU and the simulator. A runner links platform_gpu.cpp or
// platform_simulator.cpp.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/variant_name.hpp"
#include "runner/phases/counter_source.hpp"
#include "runner/phases/phase_setup.hpp"
#include "runner/phases/timeline_source.hpp"
#include "runner/problem/leak_watch.hpp"
#include "runner/problem/problem_memory.hpp"

namespace klab::runner {

/// Called before any CUDA call and any NVTX range; what takes long may be reported to `out`, which
/// must outlive the process's last launch. Errors: RunnerError if the platform cannot work.
void prepare_platform(const Request& request, RecordWriter& out);

/// What the platform itself says about the fault that just happened, as a sentence; empty if it
/// knows no more than CUDA's status.
std::string fault_sentence();
/// The same of the first call since launch() was called that did not do what it was asked for:
/// those that follow often fail for it alone.
std::string refusal_sentence();
/// The work that faulted, as far as the platform knows.
struct FaultedWork {
  std::string kernel;  ///< "scale(float*)"; empty: other work, or not known
  std::string other;   ///< "a copy", "a memset"; empty: a kernel, or not known
};
FaultedWork faulted_work();

/// Facts that the CUDA runtime does not know: chip, driver, whether it is simulated. The chip may
/// be left out in phases that it would disturb.
void add_platform_facts(DeviceFacts& facts, Phase phase);

/// Why hardware counters will be refused, if that can be known without trying.
std::optional<Error> counter_obstacle();

/// Whether kernels are interpreted. Workload code then runs on the host at every size, and nothing
/// is learnt from clocks or from what runs at the same time.
bool is_simulated();

/// What ProblemMemory puts around buffers: the simulator checks every access against the buffer
/// itself, and names the line.
inline std::size_t guard_around_buffers() { return is_simulated() ? 0 : guard_bytes; }

/// Makes the device current and its settings what they were at the start, whatever a kernel file
/// changed: limits, the preferred cache, lines kept in the L2, the stream's own. Errors:
/// RunnerError.
void reset_device_state(int device, cudaStream_t stream);

/// Of this process, whoever made it. Absent where nobody counts.
std::optional<Held> held();
/// Bytes of the largest piece of the host's memory that kernel files took while they launched,
/// since this was last asked; 0 where nobody sees it.
std::uint64_t largest_host_piece();

/// Around the call of a kernel file's `launch`.
class InKernelFile {
 public:
  InKernelFile();
  ~InKernelFile();
  InKernelFile(const InKernelFile&) = delete;
  InKernelFile& operator=(const InKernelFile&) = delete;
};

/// What has been executed since take_findings(), as a share of what one launch may execute; absent
/// where only time limits a launch.
std::optional<double> share_of_budget(const Request& request);
/// Whether the launch that did not end has a block whose threads wait for each other.
bool has_deadlocked();

/// The operations that have been executed since take_findings(), as the catalogue names them; empty
/// where nobody counts them.
Counters executed_operations();

/// What a checker calls the work that is asked for from now on (empty: by what it is), a stream,
/// and memory that begins there.
void name_work(const std::string& name);
void name_stream(cudaStream_t stream, const std::string& name);
void name_memory(const void* memory, const std::string& name);

/// What the platform's checker found since the last call; a GPU has none.
std::vector<record::Finding> take_findings(const VariantName& variant);
/// Whether there are any.
bool has_findings();

/// Whether freed memory's addresses come back with the next allocation that fits: on a GPU that is
/// the driver's to say, so there it does nothing. Errors: RunnerError.
void reuse_addresses(bool on);

/// What is set in the device's memory that begins there, other than by a kernel file, means
/// nothing: a checker tells who reads it. A GPU has none.
void mark_scratch(const void* memory);

/// Whether the last warp of each block gets the first turn, as it may on a GPU, which nobody asks.
/// Errors: RunnerError.
void run_warps_in_reverse(bool on);

/// On the simulator: ends a launch that is under way, and each later one, once this is true.
void end_launch_when(std::function<bool()> over);

/// On the simulator: a launch at a size of which only a part can be run, to see whether its
/// addresses are right; nullopt where that tells nothing. Errors: RunnerError. On a GPU, which can
/// run all of it, always nullopt.
std::optional<record::Verified> try_addresses(PhaseSetup& setup, const Plugin& plugin,
                                              const Size& size);

/// Sources for the phases counters and trace. Errors: RunnerError.
std::unique_ptr<CounterSource> make_counter_source(const Request& request);
std::unique_ptr<CounterSource> make_trace_source(const Request& request);

/// For the phase stalls. Errors: RunnerError; `unsupported` on the simulator.
std::unique_ptr<StallSource> make_stall_source();

/// For the phase timeline. Errors: RunnerError.
std::unique_ptr<TimelineSource> make_timeline_source();

/// On the simulator, where a clock of a measurement's kernel file counts what was executed; on a
/// GPU nullopt: time is time.
std::optional<std::chrono::nanoseconds> counted_clock();

/// Phases that need a clock. `begin` is called once memory is there, and loads the kernel files;
/// false: nobody has need of it any more. Errors: RunnerError; `unsupported` on the simulator.
void time_launches(PhaseSetup& setup, const std::function<bool()>& begin);
void measure_ceilings(RecordWriter& out);

/// Writes a DeviceSample five times a second for `time_cap_s`, without ever touching the device: it
/// asks the driver only. While a measurement holds the GPU it asks nothing and says so. Errors:
/// RunnerError; `unsupported` on the simulator or where NVML is missing.
void watch_device(const Request& request, RecordWriter& out);

}  // namespace klab::runner
