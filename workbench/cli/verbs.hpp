// The verbs of klab: what the command line asks for, and one function a verb that returns the exit
// code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "core/sweep.hpp"
#include "core/toolchain.hpp"

namespace klab::cli {

// --- The learner's path (learn.cpp, predict.cpp) -------------------------------------------------
int list(const Context& context, bool json);
int start(const Context& context, const std::string& lab);
int lesson(const Context& context, const std::string& lab);
int hint(const Context& context, const std::string& lab);
int solution(const Context& context, const std::string& lab, bool give_up);
int reset(const Context& context, const std::string& lab);
/// `answers` are numbers of choices from 1 on, one a question; empty: they are asked for.
int predict(const Context& context, const std::string& lab, const std::vector<int>& answers);

// --- Checking (check.cpp, watch.cpp) -------------------------------------------------------------
struct CheckOptions {
  std::string lab;
  std::string file;
  std::string variant;
  std::string backend = "auto";
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> budget;  ///< of warp instructions
  bool quick = false;
  bool json = false;
};
int check(const Context& context, const CheckOptions& options);
int compare(const Context& context, const CheckOptions& options);
int watch(const Context& context, const CheckOptions& options);

// --- The machine (device.cpp, doctor.cpp, occupancy.cpp, profile.cpp) ----------------------------
int device(const Context& context, bool measure, bool json);
/// What the driver reports, until Ctrl-C, for `seconds` or an hour; with `json` one object a line.
int device_live(const Context& context, std::optional<double> seconds, bool json);
int doctor(const Context& context, bool json);
/// Where the program is on PATH; empty if it is not.
std::string program_path(const std::string& name);
struct OccupancyOptions {
  std::string lab;  ///< registers and shared memory from its compiled kernel; empty: from below
  std::string variant;
  std::optional<int> block;
  std::optional<int> registers;
  std::optional<std::int64_t> shared_bytes;
  std::optional<int> compute_capability;
  bool json = false;
};
int occupancy(const Context& context, const OccupancyOptions& options);
/// What the compiler says of a kernel file at once, without building it.
int facts(const Context& context, const CheckOptions& options);
/// What a kernel file becomes: PTX, or machine code.
int code(const Context& context, const CheckOptions& options, bool sass);
struct ProfileOptions {
  std::string lab;
  std::string variant;
  std::string tool = "nsys";  ///< "nsys" or "ncu"
  bool print_only = false;
};
int profile(const Context& context, const ProfileOptions& options);

// --- Investigations (one file each) --------------------------------------------------------------
struct InvestigateOptions;
int stalls(const Context& context, const InvestigateOptions& options);
/// `recorded` judges the counters of docs/results instead of running anything.
int diagnose(const Context& context, const InvestigateOptions& options, bool recorded);

struct TraceOptions {
  std::string lab;
  std::vector<std::string> variants;
  std::string backend = "auto";
  std::string chrome;  ///< a file for the Chrome trace; empty: none
  bool json = false;
};
int trace(const Context& context, const TraceOptions& options);
int roofline(const Context& context, const InvestigateOptions& options);
int sweep(const Context& context, const InvestigateOptions& options, const SweepPlan& plan);

// --- The window (window.cpp) ---------------------------------------------------------------------
/// Becomes klab-workbench with these options, or with `present [LAB]` for present(); returns only
/// where it cannot be started.
int window(const Context& context, const std::vector<std::string>& arguments);
/// The window in present mode, at a lab; empty for the one the learner is at.
int present(const Context& context, const std::string& lab);

// --- The course (build.cpp, record.cpp, agree.cpp, bench.cpp, bench_simulator.cpp) ---------------
int build(const Context& context, bool all, bool json);
struct RecordOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::string output;             ///< empty: docs/results/<gpu>.json
};
int record(const Context& context, const RecordOptions& options);
int report(const Context& context, bool check_only);
struct RandomOptions {
  int kernels = 0;
  std::uint64_t seed = 1;  ///< of the first; the others follow
};
struct AgreeOptions {
  std::string backend = "auto";
  std::string output;    ///< empty: docs/results/agreement/<gpu>.json
  bool report = false;   ///< only bring the recordings into docs/agreement.md
  RandomOptions random;  ///< kernels made from seeds instead of the recorded ones
};
int agree(const Context& context, const AgreeOptions& options);
int agree_random(const Context& context, const Toolchain& toolchain, const DeviceFacts* gpu,
                 const RandomOptions& options);
struct BenchOptions {
  std::vector<std::string> labs;  ///< empty: all
  int repeats = 3;
  bool against_ncu = false;  ///< compare our counters and clock with ncu's instead
  bool simulator = false;    ///< time the simulator instead
  std::string output;        ///< of the simulator's; empty: docs/results/bench/simulator.json
  bool json = false;
};
int bench(const Context& context, const BenchOptions& options);
int bench_simulator(const Context& context, const BenchOptions& options);

// --- The journal (journal.cpp, journal_export.cpp) -----------------------------------------------
int journal_list(const Context& context, const std::string& lab, bool json);
int journal_show(const Context& context, std::int64_t number);
int journal_restore(const Context& context, std::int64_t number);
int journal_note(const Context& context, const std::string& lab, const std::string& text);
/// Markdown to `output` (standard output if empty or "-"), or the page to `html` if that is given.
int journal_export(const Context& context, const std::string& output, const std::string& html);
int journal_calibration(const Context& context, bool json);

}  // namespace klab::cli
