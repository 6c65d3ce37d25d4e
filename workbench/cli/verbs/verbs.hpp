// The verbs of klab: for each, what the command line can ask of it and the function that does it
// and returns the exit code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/context.hpp"
#include "core/build/toolchain.hpp"
#include "core/investigate/sweep.hpp"
#include "core/record/agreement.hpp"

namespace klab::cli {

/// Of a verb that takes a lab and nothing else.
struct LabOptions {
  std::string lab;
};
/// Of a verb whose only choice is how it is shown.
struct ShownOptions {
  bool json = false;
};

// --- The learner's path (learn.cpp, predict.cpp) -------------------------------------------------
int list(const Context& context, const ShownOptions& options);
int start(const Context& context, const LabOptions& options);
int lesson(const Context& context, const LabOptions& options);
int hint(const Context& context, const LabOptions& options);
int reset(const Context& context, const LabOptions& options);
struct SolutionOptions {
  std::string lab;
  bool give_up = false;
};
int solution(const Context& context, const SolutionOptions& options);
struct PredictOptions {
  std::string lab;
  std::vector<int> answers;  ///< numbers of choices from 1 on, one a question; empty: they are
                             ///< asked for
};
int predict(const Context& context, const PredictOptions& options);
/// The counters there are: name, unit, meaning and where each can be had (metrics.cpp).
int metrics(const Context& context, const ShownOptions& options);

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
int watch(const Context& context, const CheckOptions& options);
struct CompareOptions : CheckOptions {
  bool all = false;       ///< every counter, also those that no kernel changes
  bool recorded = false;  ///< from docs/results; runs nothing
};
int compare(const Context& context, const CompareOptions& options);

// --- The machine (device.cpp, doctor.cpp, occupancy.cpp, profile.cpp) ----------------------------
struct DeviceOptions {
  std::string backend = "auto";
  bool measure = false;           ///< the ceilings, now
  bool live = false;              ///< what the driver reports, until Ctrl-C
  std::optional<double> seconds;  ///< with `live`: for how long; an hour if absent
  bool json = false;              ///< with `live`: one object a line
};
int device(const Context& context, const DeviceOptions& options);
int device_live(const Context& context, const DeviceOptions& options);
int doctor(const Context& context, const ShownOptions& options);
struct OccupancyOptions {
  std::string lab;  ///< registers and shared memory from its compiled kernel; empty: from below
  std::string variant;
  std::optional<int> block;
  std::optional<int> registers;
  std::optional<std::int64_t> shared_bytes;
  std::optional<ComputeCapability> compute_capability;
  bool json = false;
};
int occupancy(const Context& context, const OccupancyOptions& options);
/// What the compiler says of a kernel file at once, without building it.
int facts(const Context& context, const CheckOptions& options);
struct CodeOptions : CheckOptions {
  bool ptx = false;   ///< the default
  bool sass = false;  ///< machine code instead
};
/// What a kernel file becomes: PTX, or machine code.
int code(const Context& context, const CodeOptions& options);
struct ProfileOptions {
  std::string lab;
  std::string variant;
  std::string tool = "nsys";  ///< "nsys" or "ncu"
  bool print_only = false;
};
int profile(const Context& context, const ProfileOptions& options);

// --- Investigations (one file each) --------------------------------------------------------------
struct InvestigateOptions {
  std::string lab;
  std::vector<std::string> variants;  ///< empty: flawed, mine where it is started, optimized once
                                      ///< passed
  std::string file;                   ///< a kernel file instead of "mine"
  std::string backend = "auto";
  bool recorded = false;  ///< from docs/results, where the verb can; runs nothing
  std::string output;     ///< a recording that what was found is added to; empty: none
  bool json = false;
};
int stalls(const Context& context, const InvestigateOptions& options);
int diagnose(const Context& context, const InvestigateOptions& options);
int roofline(const Context& context, const InvestigateOptions& options);
struct SweepOptions : InvestigateOptions {
  SweepPlan plan;
};
int sweep(const Context& context, const SweepOptions& options);
struct TraceOptions : InvestigateOptions {
  std::string chrome;  ///< a file for the Chrome trace; empty: none
};
int trace(const Context& context, const TraceOptions& options);

struct SimOptions {
  std::vector<std::string> command;  ///< the program and its arguments
  bool check = false;                ///< races and reads of what nothing wrote, too
  std::uint64_t budget = 250'000'000;
  unsigned threads = 0;  ///< of the machine; 0: one a core
  bool json = false;
};
/// Runs a program built with `nvcc -cudart shared` on the simulated GPU.
int sim(const Context& context, const SimOptions& options);

// --- The window (window.cpp) ---------------------------------------------------------------------
/// Becomes klab-workbench with these options, or with `present [LAB]` for present(); returns only
/// where it cannot be started.
int window(const Context& context, const std::vector<std::string>& arguments);
/// The window in present mode, at a lab; empty for the one the learner is at.
int present(const Context& context, const LabOptions& options);

// --- The course (folder course) ------------------------------------------------------------------
struct CourseNewOptions {
  int number = 0;
  std::string slug;
  std::string like;  ///< the lab to begin from
};
/// The three folders of a lab that is about to be written.
int course_new(const Context& context, const CourseNewOptions& options);
struct CourseCheckOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::string backend = "auto";
  bool files_only = false;  ///< only what the files alone show
};
/// Whether a lab is fit for the course: what its files hold, and what every kernel file does here.
int course_check(const Context& context, const CourseCheckOptions& options);
struct BuildOptions {
  bool needed = false;  ///< the default
  bool all = false;     ///< galleries and the ends of sweeps too
  bool json = false;
};
int build(const Context& context, const BuildOptions& options);
struct RecordOptions {
  std::vector<std::string> labs;  ///< empty: all
  bool solutions_only = false;    ///< not the gallery
  bool changed_only = false;      ///< not what was recorded as it is
  bool judge_again = false;       ///< runs nothing: what is recorded, under today's rules
  std::string output;             ///< empty: docs/results/<gpu>.json
};
int record(const Context& context, const RecordOptions& options);
struct RepeatOptions {
  std::vector<std::string> labs;  ///< empty: all
  std::uint64_t times = 20;       ///< checks that each kernel is to have had that must pass
  std::uint64_t refused = 1;      ///< and each other one
  bool mended = false;            ///< what failed before is checked as if it never had been
  std::string output;             ///< empty: docs/results/repeats/<gpu>.json
  std::string join;               ///< a recording to add instead
};
int repeat(const Context& context, const RepeatOptions& options);
struct ReportOptions {
  bool check_only = false;
};
int report(const Context& context, const ReportOptions& options);
struct RandomOptions {
  int kernels = 0;
  std::uint64_t seed = 1;  ///< of the first; the others follow
  std::string kind = "usual";
};
struct AgreeOptions {
  std::string backend = "auto";
  std::string output;    ///< empty: docs/results/agreement/<gpu>.json
  bool report = false;   ///< only bring the recordings into docs/agreement.md
  RandomOptions random;  ///< kernels made from seeds instead of the recorded ones
};
int agree(const Context& context, const AgreeOptions& options);
int agree_random(const Context& context, const AgreementPlan& plan, const Toolchain& toolchain,
                 const DeviceFacts* gpu, const AgreeOptions& options);
struct BenchOptions {
  std::vector<std::string> labs;  ///< empty: all
  int repeats = 3;
  bool against_ncu = false;  ///< compare our counters and clock with ncu's instead
  bool simulator = false;    ///< time the simulator instead
  bool window = false;       ///< time the window instead
  bool peers = false;        ///< time libraries beside our solutions instead
  bool guards = false;       ///< time what keeps a verdict true instead
  std::string output;        ///< empty: the simulator's where such are kept, others nowhere
  bool json = false;
};
int bench(const Context& context, const BenchOptions& options);
int bench_simulator(const Context& context, const BenchOptions& options);
int bench_window(const Context& context, const BenchOptions& options);
int bench_peers(const Context& context, const BenchOptions& options, const DeviceFacts& device,
                const std::vector<Lab>& labs);

// --- The journal (journal.cpp, journal_export.cpp) -----------------------------------------------
struct JournalListOptions {
  std::string lab;  ///< empty: all
  bool json = false;
};
int journal_list(const Context& context, const JournalListOptions& options);
struct EntryOptions {
  std::int64_t number = 0;
};
int journal_show(const Context& context, const EntryOptions& options);
int journal_restore(const Context& context, const EntryOptions& options);
struct NoteOptions {
  std::string lab;
  std::string text;
};
int journal_note(const Context& context, const NoteOptions& options);
struct JournalExportOptions {
  std::string output;  ///< a file for Markdown; standard output if empty or "-"
  std::string html;    ///< a file for the page instead
};
int journal_export(const Context& context, const JournalExportOptions& options);
int journal_calibration(const Context& context, const ShownOptions& options);

}  // namespace klab::cli
