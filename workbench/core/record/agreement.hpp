// Agreement: what the simulator counts and computes beside what a GPU does, kernel by kernel.
//
// A plan names the kernels and the metrics; a recording holds both sides for one GPU and is kept in
// docs/results/agreement/, with the digest of every file that went in.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/build/toolchain.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// How near the two sides of a metric are promised to be.
enum class Promise { equal, within_10_pct, none };

/// A difference that is understood.
struct KnownDifference {
  std::optional<std::string> kernel;   ///< absent: every kernel
  std::optional<VariantName> variant;  ///< absent: every variant
  std::string metric;
  std::string reason;  ///< a sentence
};

/// Stands for the variant where a pattern is compared: of these there is one each.
inline const VariantName pattern_variant{"pattern"};

/// What is compared: tests/simulator/agreement/plan.json.
struct AgreementPlan {
  Lab patterns;                    ///< one kernel file with a kernel for each pattern of access
  std::vector<std::string> names;  ///< of the patterns; the first has size 1
  std::vector<std::pair<std::string, Promise>> metrics;  ///< catalogue names
  std::vector<KnownDifference> known;
};

/// Errors: bad_lab, saying what is wrong with the plan.
Result<AgreementPlan> load_agreement_plan(const std::filesystem::path& root);

/// One kernel file at one size.
struct Comparand {
  std::string kernel;  ///< id of a lab, or name of a pattern
  VariantName variant;
  Lab lab;
  std::filesystem::path source;
  Size size;
};

/// Every pattern, and flawed and optimized kernel of every lab at its simulator size.
std::vector<Comparand> comparands(const AgreementPlan& plan, const Course& course);

/// What one backend makes of one comparand.
struct AgreementSide {
  Counters counters;   ///< absent with a reason where a phase failed
  std::string digest;  ///< of the results; empty if the kernel did not finish
  bool correct = false;
};

struct AgreementRow {
  std::string metric;
  Source label = Source::counted;  ///< of the simulator's value
  std::optional<double> simulator;
  std::optional<double> gpu;
  std::string reason;  ///< why they differ, or why one is absent

  std::optional<double> difference() const;  ///< simulator - gpu
};

/// "1234", "31.97", "absent"
std::string exact_text(std::optional<double> value);

struct AgreementKernel {
  std::string kernel;
  VariantName variant;
  Size size;
  std::map<std::string, std::string> sources;  ///< SHA-256 by path from the repository's root
  std::string simulator_digest;
  std::string gpu_digest;
  bool simulator_correct = false;
  bool gpu_correct = false;
  std::vector<AgreementRow> rows;

  std::string name() const;  ///< "01-divergence flawed", or a pattern's name alone
};

struct Agreement {
  DeviceFacts device;  ///< the GPU, with driver and toolkit
  std::string date;    ///< ISO 8601, UTC
  std::vector<AgreementKernel> kernels;
};

/// The same at the sizes at which they were recorded: a lab may count at another one since.
std::vector<Comparand> at_recorded_sizes(std::vector<Comparand> all, const Agreement& recorded);

/// Runs comparands on one backend: results, counters and, on a GPU, the trace of each, in their
/// order. Those of a lab share its processes. Errors: those of building them.
Result<std::vector<AgreementSide>> run_sides(const Tree& tree, const Toolchain& toolchain,
                                             const AgreementPlan& plan,
                                             const std::vector<Comparand>& comparands,
                                             bool simulator, ComputeCapability capability,
                                             const std::atomic<bool>* canceled = nullptr);

/// Both sides of one comparand. Errors: io for a source that cannot be read.
Result<AgreementKernel> compared(const AgreementPlan& plan, const std::filesystem::path& root,
                                 const Comparand& comparand, const AgreementSide& simulator,
                                 const AgreementSide& gpu);

/// Gives every row that differs the reason that the plan knows.
void explain(const AgreementPlan& plan, Agreement& agreement);

/// Whether a row that has both values keeps what the plan promises of its metric.
bool keeps_promise(const AgreementPlan& plan, const AgreementRow& row);

/// A sentence for every row that breaks its promise without a known reason, and for every kernel
/// that one side could not run or got wrong.
std::vector<std::string> unexplained(const AgreementPlan& plan, const Agreement& agreement);

/// A sentence for everything in which the simulator's side of `now` is not that of `recorded`:
/// values, labels, results, kernels; where sources differ, that alone, ending in
/// source_has_changed.
inline constexpr std::string_view source_has_changed = " has changed since it was compared.";
std::vector<std::string> changes(const Agreement& recorded, const Agreement& now);
/// Whether kernels of that lab have been compared.
bool is_recorded(const Agreement& recorded, const std::string& lab);

/// docs/results/agreement/nvidia-h200.json
std::filesystem::path agreement_file(const std::filesystem::path& root, const DeviceFacts& device);
/// Errors: ErrorCode::io for a file that cannot be read or is no such recording.
Result<Agreement> read_agreement(const std::filesystem::path& path);
Result<> write_agreement(const std::filesystem::path& path, const Agreement& agreement);
/// The files of docs/results/agreement/, by name: those of random kernels have names of their own.
enum class Recorded { kernels, random_kernels };
inline constexpr const char* random_recording = "random-";
std::vector<std::filesystem::path> recordings_in(const std::filesystem::path& root, Recorded kind);
/// All recordings, by file name; the first broken one is the error.
Result<std::vector<Agreement>> load_agreements(const std::filesystem::path& root);

/// The tables for docs/agreement.md.
std::string agreement_markdown(const AgreementPlan& plan, const std::vector<Agreement>& recordings);

}  // namespace klab
