// The protocol between workbench and runner: one JSON object a line, on a file descriptor of its
// own.
//
// The request is one JSON object on the runner's standard input; the answer is a stream of records.
// The first record is `hello`; the last is `done`, or the stream ends early because the runner
// died. stdout and stderr belong to the learner's code and are captured as text.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/measure/least_work.hpp"
#include "core/timeline/model.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/finding_kind.hpp"
#include "core/verdict/line_heat.hpp"
#include "core/verdict/result_problem.hpp"
#include "core/verdict/stall_samples.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Raised with every change that an older runner or workbench would misread.
inline constexpr int protocol_version = 3;
/// A longer line is not ours: the reader reports it instead of growing without bound.
inline constexpr std::size_t longest_record_bytes = 4u << 20;

/// A lab names at most 64 sizes to check at; a request for more is not ours.
inline constexpr std::size_t most_sizes = 256;
inline constexpr std::size_t most_dimensions = 16;
/// Bounds on other lists of a request.
inline constexpr std::size_t most_plugins = 64, most_metrics = 4096;
inline constexpr int most_launches_in_a_turn = 1024;

enum class Phase {
  verify,
  time,
  agreement,  ///< of what a measurement's kernel file reports with the truth
  counters,
  trace,
  stalls,
  device,
  ceilings,
  timeline,
  live
};
std::string_view to_string(Phase phase);
std::optional<Phase> phase_from(std::string_view name);

/// One loaded kernel file.
struct PluginRequest {
  VariantName variant;
  std::string library;  ///< absolute path of the shared object that exports `launch`
  /// Whether a kernel of it keeps something in local memory: spilled registers, an array.
  bool uses_local_memory = false;
  bool allocates = false;  ///< may take memory of a device while it runs
};

/// What the runner is asked to do. Fields that a phase does not need are ignored by it.
struct Request {
  Phase phase = Phase::device;
  std::string lab;       ///< id, for NVTX ranges and messages
  std::string workload;  ///< absolute path of the workload's shared object
  std::vector<PluginRequest> plugins;
  std::vector<Size> sizes;   ///< verify, counters, trace: each in turn; other phases: the first
  std::vector<Size> beyond;  ///< verify: once each, with usual inputs
  std::vector<Size> huge;    ///< verify: once each, where there is memory for it
  /// Simulator, verify: one after the other in the memory of the first, which is the largest.
  std::vector<Size> alike;
  Size between;  ///< counters of kept memory: launched in between; empty: none
  std::uint64_t seed = 0;
  TimingMode timing = TimingMode::device;
  double time_cap_s = 1.0;        ///< time, live: stop sampling after this long
  std::optional<double> speedup;  ///< time: what the verdict asks of the first one's to the others'
  bool in_turns = false;          ///< time: each launch waits for a Turn on standard input
  int processes = 1;              ///< time: of each kernel file, one a round
  /// Once its device is awake, the runner waits for a line on standard input before it loads
  /// anything; if there is none, it ends.
  bool waits = false;
  /// Time: how many other runners the pages of the problem are given to, and whether they come from
  /// another one, through the descriptor that was handed over.
  int gives_pages_to = 0;
  bool takes_pages = false;
  std::vector<std::string> metrics;  ///< counters: catalogue names
  bool full_checks = true;  ///< simulator, verify: reads of uninitialized memory and races too
  /// Simulator: warp instructions that one launch may execute; 0: without limit. Absent: the
  /// runner's own bound.
  std::optional<std::uint64_t> instruction_budget;
  /// Simulator, verify: how long it may take before it leaves out what is left, so that a slow
  /// kernel is none that never ends. Absent: as long as it takes.
  std::optional<double> patience_s;
  /// Simulator, counters: of each grid run this share of the blocks, whose counts stand for all;
  /// the result is not looked at. Absent: all.
  std::optional<double> share_of_blocks;
  /// Simulator: the device that it calls itself, so that a kernel file finds the one it was timed
  /// on.
  std::optional<DeviceFacts> stands_for;
  /// Simulator: how many multiprocessors the device says to have, so that the grid which a kernel
  /// file sizes by them is a small one. Absent: as many as an H200.
  std::optional<int> multiprocessors;
  bool digest_results = false;  ///< verify: also say what was written, to compare two machines
  ComputeCapability minimum_compute_capability = oldest_compute_capability;
  std::optional<int> gpus;  ///< that a launch is given; absent: one
  /// What each line of the answer begins with, if not empty; see RecordReader.
  std::string secret;
  /// CUDA_VISIBLE_DEVICES of the runner, which it reads for itself: nothing that is sent.
  std::string visible_devices;
  /// The only folder that the runner may write to while it runs kernel files; none if empty.
  std::string scratch;
};

/// What a runner that works in turns is to do next, one line each, behind the request. It answers
/// `sample` with one Sample and `verify` with one Verified of the launches of its last sample, and
/// goes on to its end when standard input ends.
struct Turn {
  enum class Act { sample, verify };
  Act act = Act::sample;
  std::uint64_t seed = 0;          ///< of inputs, scalars, poison and guards
  int launches = 1;                ///< in a row, each on buffers of its own
  std::optional<int> processor{};  ///< on which the host begins; absent: on any
};

namespace record {

struct Hello {
  int protocol = protocol_version;
  std::optional<Backend> backend;  ///< absent if it names one that is not known here
};
struct Device {
  DeviceFacts facts;
};
/// A step began; kept so that a crash can be placed ("crashed in counters, pass 2 of 5").
struct Progress {
  std::string step;
  std::optional<int> index;
  std::optional<int> total;
};
inline constexpr std::string_view zero_of_other_sign = "a zero of the other sign";
/// One verified size. On failure the first wrong element.
struct Verified {
  VariantName variant;
  Size size;
  std::uint64_t seed = 0;
  bool correct = false;
  ResultProblem problem = ResultProblem::none;
  std::string buffer;
  std::optional<std::int64_t> index;
  /// absent also where the value is not finite; then `got_text` holds it
  std::optional<double> got;
  std::optional<double> want;
  std::optional<double> tolerance;
  std::string got_text;    ///< "nan", "inf", zero_of_other_sign, or the poison named as such
  std::int64_t wrong = 0;  ///< how many elements are wrong
  std::int64_t total = 0;
  std::string digest;                  ///< SHA-256 of all outputs; empty unless asked for
  bool unusual = false;                ///< with inputs that are unusual
  bool in_other_memory = false;        ///< than where the same size had just been right
  std::optional<int> multiprocessors;  ///< where the device says to have so few
};
/// One timing sample.
struct Sample {
  VariantName variant;
  double seconds = 0;
  std::optional<double> sm_clock_mhz;
  int launches = 1;  ///< of which `seconds` is the mean: fewer than asked for where memory ends
};
/// How trustworthy the clock of one variant is, as medians of the process that gave it its turns.
struct Watch {
  VariantName variant;
  /// one launch, before any other kernel file was loaded; only of the first variant
  std::optional<double> alone_s;
  /// from a turn's beginning to its end, less the time that was reported for its launches
  double outside_s = 0;
  bool allocates = false;  ///< as its PluginRequest says
};
/// Sampling ended.
struct Timed {
  std::string stopped_because;
  std::vector<std::string> throttle_reasons;
  std::int64_t launches_per_sample = 1;  ///< more than 1 for kernels too short for one event pair
  LeastWork least;                       ///< of the task at this size
  std::vector<Watch> watches;            ///< where variants were timed in processes of their own
};
/// Counters of one variant; a metric that could not be collected carries its reason.
struct CounterSet {
  VariantName variant;
  Counters values;
  std::optional<int> passes;
  LeastWork least;  ///< of the task at the counted size; empty if the runner did not say
  Size size;        ///< that was counted; empty if the runner did not say
  LaunchShape shape;
};
/// Where results were right, the launch of one variant took fewer of the task's steps than there
/// are.
struct FewerSteps {
  VariantName variant;
  Counters values;  ///< of operations
  LeastWork least;  ///< of the task at this size
  Size size;
};
/// What the warps of one variant were seen waiting for.
struct Stalls {
  StallSamples samples;
};
/// What the source lines of one variant cost, several units of one line one after another.
struct LineCosts {
  VariantName variant;
  std::vector<LineHeat> lines;
};
/// A finding of the simulator's checker.
struct Finding {
  VariantName variant;
  FindingKind kind = FindingKind::unknown;
  std::string message;  ///< a sentence
  std::string kernel;
  std::string file;
  std::optional<int> line;
};
/// Ceilings measured on this device, by name (ceilings.hpp), in bytes/s, flop/s or s as the name
/// says.
struct CeilingSet {
  std::map<std::string, double> values;
};
/// How a variant launched its kernel; of several, the last.
struct Launched {
  VariantName variant;
  std::string kernel;  ///< demangled name
  std::int64_t blocks = 0;
  int block_threads = 0;
  std::int64_t dynamic_shared_bytes = 0;
};
/// What the driver reports of the device at one moment (NVML). What it does not report is absent.
struct DeviceSample {
  double at_s = 0;    ///< since the phase began
  bool held = false;  ///< a measurement holds the GPU: nothing was asked, so as not to disturb it
  std::optional<double> sm_clock_mhz;
  std::optional<double> sm_clock_most_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> power_w;
  std::optional<double> power_limit_w;
  std::optional<double> temperature_c;
  std::optional<double> memory_used_bytes;
  std::optional<double> memory_total_bytes;
  std::optional<double> busy_pct;  ///< share of the last moments in which any kernel ran
  std::vector<std::string> throttle_reasons;
};
struct Failure {
  Error error;
  VariantName variant;  ///< empty if no variant is to blame
};
/// Nothing follows.
struct Done {};

}  // namespace record

using Record =
    std::variant<record::Hello, record::Device, record::Progress, record::Verified, record::Sample,
                 record::Timed, record::CounterSet, record::FewerSteps, record::LineCosts,
                 record::Finding, record::CeilingSet, record::Stalls, SpanBatch, TimelineEnd,
                 record::Launched, record::DeviceSample, record::Failure, record::Done>;

/// A record as part of another, and back. Errors: those of decode_record().
nlohmann::json record_json(const Record& record);
Result<Record> record_from(const nlohmann::json& json);

/// One line without its newline. Doubles round-trip; a number that is not finite is never written
/// as one.
std::string encode(const Record& record);
std::string encode(const Request& request);
std::string encode(const Turn& turn);
/// Errors: ErrorCode::protocol_mismatch for anything that is not a record of this version.
Result<Record> decode_record(std::string_view line);
Result<Request> decode_request(std::string_view line);
Result<Turn> decode_turn(std::string_view line);

}  // namespace klab
