// The simulator's own C API, looked up by name in the runtime that this process has loaded, so that
// the runner compiles and links without the simulator.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/wire/protocol.hpp"
#include "runner/device/record_writer.hpp"

namespace klab::runner {

/// What was not run where blocks_in_part says so.
struct LeftOut {
  std::uint64_t kernels = 0;      ///< that ran some of their blocks
  std::uint64_t copies = 0;       ///< and fills
  std::uint64_t cut_short = 0;    ///< those of as many bytes as the last 32 bits of a size say
  std::uint64_t allocations = 0;  ///< for which there was no room
  std::uint64_t most_bytes = 0;   ///< of one of these
  std::uint64_t uncertain = 0;    ///< kernels that read what others left out
  std::uint64_t most_blocks = 0;  ///< of one kernel
  std::uint64_t deadlocks = 0;    ///< kernels of which a block's threads wait for each other
  /// Of the block or cluster that reached a limit; `ahead`: that had executed at least half as much
  /// as the busiest one.
  std::uint64_t warps = 0, warps_ahead = 0;
  /// Where copies and fills would have written, from an address up to another.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copied_to{};
};

/// What the simulator counted and found since the last begin.
struct SimulatorReport {
  std::vector<BaseValue> counts;         ///< summed over kernels, and the host's
  std::map<std::string, Source> labels;  ///< counted or modelled, by count
  std::vector<LineHeat> lines;           ///< summed over kernels; no variant yet
  std::vector<record::Finding> findings;
  std::vector<std::string> unsupported;  ///< sentences: what it cannot execute
  std::vector<std::string> messages;     ///< sentences: why a launch failed
  std::string first_refusal;             ///< what the first call that failed answered
  std::string faulted_kernel;            ///< its symbol
  std::string faulted_other;             ///< work that is no kernel: "a copy"
  LeftOut left_out;
};

/// Of a report's counts that one; absent where nothing counts it.
std::optional<double> find_count(const SimulatorReport& report, std::string_view name);

/// Reads the JSON text that klab_sim_report writes. Errors: RunnerError with runner_failed for
/// anything else.
SimulatorReport parse_simulator_report(const std::string& text);

/// Errors of each: RunnerError with runner_failed if the loaded runtime is not the simulator, or
/// answers with something else than its report.
struct SimulatorSettings {
  bool full_checks = false;
  bool block_checks = false;  ///< of these, what threads of one block do to each other
  bool deferred = false;
  std::uint64_t budget = 0;                    ///< warp instructions that one launch may execute
  std::uint64_t touched_limit_bytes = 0;       ///< memory one may newly touch; 0: any
  std::uint64_t blocks_in_part = 0;            ///< run so many of a larger grid; 0: all
  std::optional<std::uint64_t> part_begins{};  ///< the first of them; absent: some from both ends
  bool part_of_several = false;                ///< see simulator_api.h
  double share_of_blocks = 1;                  ///< of each grid; their counts stand for all
  std::uint64_t drawn = 0;                     ///< which blocks these are
  std::string device_name{};                   ///< what the device calls itself; empty: stays
  std::uint64_t device_bytes = 0;              ///< that it says to have, with a name
  std::uint32_t multiprocessors = 0;           ///< the same, without one; 0: stays
  std::uint64_t memory_limit_bytes = 0;        ///< 0: stays what it is
  bool quiet = false;                          ///< what it says is for the report alone
  bool counting_clock = false;                 ///< a nanosecond for each instruction and call
};
void configure_simulator(const SimulatorSettings& settings);
/// A kernel file is not told that its launch was given no more time: it might leave for that.
void call_simulated_kernel_file(bool on);
/// Whether addresses of freed memory come back.
void reuse_simulated_addresses(bool on);
/// What this harness sets in memory that begins there means nothing.
void mark_simulated_scratch(const void* memory);
/// Whether the last warp of each block gets the first turn.
void run_simulated_warps_in_reverse(bool on);
/// Bytes of a page, and the numbers of those from `begin` on that were touched since their memory
/// was allocated; the first `most`.
inline constexpr std::size_t simulated_page_bytes = 4096;
std::vector<unsigned long long> touched_pages(const void* begin, std::size_t bytes,
                                              std::size_t most);
/// Allocations since begin_simulation() less what was freed, and objects of the runtime that are
/// not destroyed: what the report says of them, at no cost.
struct Living {
  std::int64_t allocations = 0, objects = 0;
};
Living living();
/// What the counting clock shows.
std::chrono::nanoseconds counted_time();
/// From now on a launch that takes long writes how far it is.
void report_progress(RecordWriter& out);
/// From now on nothing that is found goes to standard error: simulator_report() has it. What host
/// code does is written at once, since the process may die of it, and is_of_host() tells it apart.
void report_host_findings(RecordWriter& out);
/// From now on a call that the simulator lacks is written at once as the phase's failure: the file
/// may not look at what the call returned, and end the process.
void report_lacking(RecordWriter& out);
bool is_of_host(const record::Finding& finding);
void begin_simulation();
/// What findings call the work that is asked for from now on (empty: by what it is), a stream, and
/// memory that begins there.
void name_simulated_work(const std::string& name);
void name_simulated_stream(void* stream, const std::string& name);
void name_simulated_memory(const void* memory, const std::string& name);
/// What is pending ends at once; the next begin_simulation() forgets that it did.
void stop_simulation();
/// The launch at hand, and each later one, once this is true: looked at a few times a second.
void stop_simulation_when(std::function<bool()> over);
SimulatorReport simulator_report();
/// Records the order of calls and work from now on; the step that comes next; what was recorded, as
/// JSON, which ends the recording.
void watch_order();
std::int64_t order_step();
std::string take_order();

}  // namespace klab::runner
