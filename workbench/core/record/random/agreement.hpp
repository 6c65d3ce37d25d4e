// The agreement on random kernels: what the simulator and a GPU make and count of each, and why
// they differ where they do.
//
// No reason is written by hand. Where the two differ, the same kernel is built in other forms
// (RandomForm) and looked at again on both sides: the form in which they agree says what made the
// difference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/record/agreement.hpp"
#include "core/record/random/kernels.hpp"

namespace klab {

/// What the two sides make of the results, as a subject of a difference beside the metrics.
inline constexpr const char* random_results = "results";

/// In one comparison.
inline constexpr std::uint64_t most_random_kernels = 1'000'000;

/// What of the plan is compared for kernels of this kind: what is promised and one launch can show,
/// and more where the kind says exactly what is to be counted. Promise::none: only shown.
AgreementPlan random_plan(const AgreementPlan& plan, RandomKind kind);

/// The bytes of the accesses that this counts by warps; empty for other subjects. Where they are
/// the same, warps only took other threads together.
std::vector<std::string> bytes_behind(const std::string& subject);

/// What one side made of a kernel.
struct RandomSide {
  std::optional<RandomResult> result;  ///< absent if the program did not reach it
  Counters counters;                   ///< empty if it was not counted
};

/// What a side has of the subject of a difference.
struct RandomFigure {
  std::optional<double> count;
  MissingReason missing = {};  ///< of a count: why there is none
  std::string result;          ///< of results: their digest, or where they differ from the host's

  /// "12", "absent: The runner ended.", "00ff"
  std::string text() const;
};

/// Why both sides differ, as far as it was found.
enum class RandomReason {
  none,
  unseen_spills,              ///< the simulator has no value: ptxas spills
  optimizer,                  ///< gone without ptxas's optimizer
  division,                   ///< gone without divisions and roots
  division_behind_optimizer,  ///< gone without both
  grouping,                   ///< each thread does the same, together with others of its warp
  grouping_behind_optimizer,  ///< the same without ptxas's optimizer, or without the others
  grouping_behind_division,
  grouping_behind_both,
  translation  ///< the same threads together at each access; in between, more or fewer instructions
};
/// A sentence; empty for none.
std::string words_of(RandomReason reason);

/// One respect in which a kernel is not the same on both sides.
struct RandomDifference {
  std::uint64_t seed = 0;
  std::string subject;  ///< a metric, or random_results
  RandomFigure simulator, gpu;
  RandomReason reason = RandomReason::none;
};

/// What both sides count of a kernel that has a difference without a reason, in one form.
struct RandomLook {
  std::uint64_t seed = 0;
  std::string form;  ///< its suffix; empty: as usual
  std::string metric;
  RandomFigure simulator, gpu;
};

/// How one promised metric fared.
struct RandomTally {
  std::string metric;
  int compared = 0;  ///< kernels
  int counted = 0;   ///< of those, where either side counts anything
  int kept = 0;      ///< of those counted, in how many the promise is kept; if none, are equal
};

/// docs/results/agreement/random-<gpu>.json, of one kind.
struct RandomAgreement {
  DeviceFacts device;  ///< the GPU, with driver and toolkit
  std::string date;    ///< ISO 8601, UTC
  RandomKind kind = RandomKind::usual;
  std::uint64_t first_seed = 1;
  std::uint64_t last_seed = 0;  ///< and all between
  int kernels = 0;              ///< compared
  int same_results = 0;         ///< host, simulator and GPU alike
  std::string generator;        ///< SHA-256 of the kernels' source and what it includes
  std::string simulator;        ///< SHA-256 of the simulator's library
  std::vector<RandomTally> metrics;
  std::vector<RandomDifference> differences;
  std::vector<RandomLook> looks;  ///< at kernels with differences that have no reason

  Seeds seeds() const;
  /// Adds what another part of the seeds showed.
  void add(const RandomAgreement& other);
};

/// The metrics of a random_plan().
std::vector<std::string> random_metrics(const AgreementPlan& plan);

/// How many differences in this subject have a reason, and how many have none.
struct RandomReasons {
  int known = 0, none = 0;
};
RandomReasons reasons_of(const RandomAgreement& agreement, const std::string& subject);

/// Compares both sides of one kernel by a random_plan(), whose differences have no reason yet, and
/// adds what it finds. Without a GPU's side only the results are compared, with the host's.
void compare_random(const AgreementPlan& plan, std::uint64_t seed, const RandomSide& simulator,
                    const RandomSide* gpu, RandomAgreement& agreement);

/// Gives a difference the reason that a form is, if both sides agree on its subject in that form,
/// or if each thread does the same on both sides and warps only take others of them together.
void explain_random(const AgreementPlan& plan, const RandomForm& form, const RandomSide& simulator,
                    const RandomSide& gpu, RandomDifference& difference);

/// Notes what both sides count of a kernel in a form; forget_explained() drops it again where all
/// its differences have a reason.
void note_look(const RandomForm& form, std::uint64_t seed, const RandomSide& simulator,
               const RandomSide& gpu, RandomAgreement& agreement);
void forget_explained(RandomAgreement& agreement);

/// A sentence for every difference that has no reason.
std::vector<std::string> unexplained(const RandomAgreement& agreement);

/// The digest of what the kernels of these seeds are made of. Errors: io.
Result<std::string> generator_digest(const std::filesystem::path& root, const Seeds& seeds,
                                     RandomKind kind = RandomKind::usual);

/// docs/results/agreement/random-memory-<gpu>.json; the usual kind is not named.
std::filesystem::path random_agreement_file(const std::filesystem::path& root,
                                            const DeviceFacts& device,
                                            RandomKind kind = RandomKind::usual);
/// Errors: ErrorCode::io for a file that cannot be read or is no such recording.
Result<RandomAgreement> read_random_agreement(const std::filesystem::path& path);
Result<> write_random_agreement(const std::filesystem::path& path,
                                const RandomAgreement& agreement);
/// What an earlier call left in `path` of the comparison that `fresh` begins and that ends with
/// `last_seed`: of the same kernels and metrics, on the same device, by the same simulator. Nothing
/// if there is no such file, or if it is complete: then all is compared anew.
std::optional<RandomAgreement> begun_random_agreement(const std::filesystem::path& root,
                                                      const AgreementPlan& plan,
                                                      const std::filesystem::path& path,
                                                      const RandomAgreement& fresh,
                                                      std::uint64_t last_seed);
/// All recordings, by file name; the first broken one is the error.
Result<std::vector<RandomAgreement>> load_random_agreements(const std::filesystem::path& root);

/// The tables for docs/agreement.md.
std::string random_agreement_markdown(const AgreementPlan& plan,
                                      const std::vector<RandomAgreement>& recordings);

}  // namespace klab
