// Lab: the facts of one lab as written in its lab.toml, and where its files are.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"
#include "core/verdict/bound.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// Extents of one problem, slowest first, in the order of Lab::dimensions.
using Size = std::vector<std::int64_t>;
inline constexpr std::int64_t longest_extent = std::int64_t{1} << 40;

/// A counter that proves the reason, with the bound that a fix must reach.
struct CauseTarget {
  std::string metric;           ///< a name from the metric catalogue
  Bound target;                 ///< what the fixed kernel must reach
  std::optional<Bound> flawed;  ///< flaw-liveness: what the flawed kernel must still show
  std::string why;              ///< one sentence
};

/// A share of a ceiling that was measured on this device.
struct CeilingTarget {
  std::string of;       ///< a name from ceilings.hpp, e.g. "dram_copy"
  double at_least = 0;  ///< fraction, 0..1
};

/// Any may be missing.
struct TimeTarget {
  /// Against the flawed kernel of the same run; the interval's lower end must reach it.
  std::optional<double> speedup;
  std::optional<CeilingTarget> ceiling;
  std::optional<double> at_most_s;  ///< of a measurement: one launch, by the host's clock
};

/// A goal of a lab: the first one is the pass, further ones are stretch goals.
struct Rung {
  std::string name;  ///< "coalesced"
  std::vector<CauseTarget> causes;
  TimeTarget time;
};

/// What the learner's file is.
enum class LabKind {
  kernel,       ///< a kernel to mend
  measurement,  ///< a benchmark to mend: what it measures is held against the truth
  mystery       ///< a kernel whose causes are hidden until they are predicted
};

/// What building the lab takes beyond the GPU present and the CUDA runtime.
struct BuildNeeds {
  /// "90a": features that no other generation has. A GPU of that compute capability gets them,
  /// another one is built for without.
  std::optional<Architecture> architecture;
  std::vector<std::string> link;  ///< libraries of the toolkit: "cublas"
};

/// How a sample is taken: GPU events, or the host's clock around a device synchronization.
enum class TimingMode { device, wall };

/// A range of speed-ups, low < high.
struct RatioBand {
  double low = 0;
  double high = 0;
};

/// A question asked before the first run.
struct Prediction {
  std::string question;
  std::vector<std::string> choices;
  int answer = 0;                ///< index into choices
  std::vector<RatioBand> bands;  ///< a question about the speed-up: one for each choice; else empty
  std::string because;
};

/// A constant of the kernel files that a sweep may vary: passed to nvcc as -D`define`=value.
struct Parameter {
  std::string name;    ///< "block size"
  std::string define;  ///< "BLOCK"
  std::vector<std::int64_t> values;
  std::int64_t fallback = 0;  ///< what the files take where nothing is passed
};

/// From where to where each check draws sizes of its own.
struct SizeRange {
  Size lowest, highest;
  bool holds(const Size& size) const {
    for (std::size_t i = 0; i < size.size(); ++i)
      if (size[i] < lowest[i] || size[i] > highest[i]) return false;
    return true;
  }
  std::int64_t most_elements = 0;  ///< product of the extents of any size that is drawn
  std::optional<std::int64_t> most_simulated_elements;  ///< the same, on the simulator
};

/// A version on the road from the flawed kernel to the optimized one.
struct Step {
  VariantName file;  ///< of the gallery: fair_tile
  std::string name;  ///< "A tile in shared memory"
  std::string why;   ///< one sentence: what it changes, and what that is good for
};

struct LabSizes {
  Size timing;
  std::vector<Size> checking;  ///< odd, 1, below one block
  std::optional<SizeRange> drawn;
  /// At which numbers of 16 bits, counts in floats, rooms of a fixed size and grids come to their
  /// end; each is tried once, with usual inputs.
  std::vector<Size> beyond;
  /// More elements than a 32-bit index can tell apart.
  std::vector<Size> huge;
  std::optional<Size> simulator;  ///< absent: only GPUs can run the lab

  /// What is timed on a GPU, or counted on the simulator.
  const Size& large(bool simulated) const { return simulated && simulator ? *simulator : timing; }
};

struct Lab {
  int number = 0;    ///< 2
  std::string slug;  ///< "coalescing"
  /// "02_coalescing": the name under labs/, kernels/, solutions/ and workbook/
  std::string folder;
  std::string id;  ///< "02-coalescing"
  LabKind kind = LabKind::kernel;
  std::string title;
  std::string category;  ///< compute, memory, overhead or communication
  std::string summary;   ///< one sentence: symptom, not cause
  std::vector<std::string> concepts;
  std::vector<int> builds_on;  ///< numbers of the labs whose words and tools it takes as known
  ComputeCapability minimum_compute_capability = oldest_compute_capability;
  int gpus = 1;
  BuildNeeds build;
  double time_limit_s = 20;  ///< a phase running longer is killed
  TimingMode timing = TimingMode::device;
  int processes = 1;                    ///< of each side that is timed by the host's clock
  std::vector<std::string> dimensions;  ///< names of the extents of a Size
  LabSizes sizes;
  std::vector<std::string> hints;
  std::vector<Prediction> predictions;
  std::vector<Rung> rungs = std::vector<Rung>(1);  ///< in order of difficulty, never empty
  std::vector<Step> steps;                         ///< in order; empty where the road is short
  std::vector<Parameter> parameters;

  const Rung& pass() const { return rungs.front(); }
  Rung& pass() { return rungs.front(); }

  std::filesystem::path root;  ///< the repository

  std::filesystem::path lab_folder() const { return root / "labs" / folder; }
  std::filesystem::path contract() const { return lab_folder() / "contract.cuh"; }
  std::filesystem::path workload() const { return lab_folder() / "workload.cu"; }
  std::filesystem::path lesson() const { return lab_folder() / "lesson.md"; }
  std::filesystem::path flawed() const { return root / "kernels" / folder / "flawed.cu"; }
  std::filesystem::path solutions() const { return root / "solutions" / folder; }
  std::filesystem::path optimized() const { return solutions() / "optimized.cu"; }
  std::filesystem::path explanation() const { return solutions() / "explanation.md"; }
};

/// The counters that any rung of the lab asks for.
std::set<std::string> cause_metrics(const Lab& lab);

/// Reads labs/<folder>/lab.toml. Every unknown key, missing key, wrong type or impossible value is
/// an ErrorCode::bad_lab that names file, line, key and what was expected.
Result<Lab> load_lab(const std::filesystem::path& root, const std::string& folder);

/// All labs under root/labs in order of their number. Broken ones are reported beside the good
/// ones.
struct Course {
  std::vector<Lab> labs;
  std::vector<Error> broken;
};
Course load_course(const std::filesystem::path& root);

/// The categories of its labs, in the order in which the course first meets them.
std::vector<std::string> categories(const Course& course);

/// The lab named by number ("2", "02"), slug, id, folder or unique prefix of a slug. A wrong name
/// is ErrorCode::usage whose remedy lists the near ones.
Result<Lab> find_lab(const Course& course, const std::string& name);

/// Every kernel file of a lab: flawed, optimized, wrong_*, slow_*, deceit_*, fair_*, stretch_*, as
/// (variant name, path).
struct Variant {
  VariantName name;
  std::filesystem::path path;
};
std::vector<Variant> variants(const Lab& lab);

/// "labs 02, 06": those that it builds on; empty if there is none.
std::string foundations(const Lab& lab);

/// "65536 x 1024"
std::string to_string(const Size& size);

}  // namespace klab
