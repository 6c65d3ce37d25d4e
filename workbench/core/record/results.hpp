// Recorded results: real runs of the course, with the digest of every kernel, kept in
// docs/results/.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// One recording of the course on one machine.
struct RecordedResults {
  DeviceFacts device;  ///< with driver and toolkit
  std::string date;    ///< ISO 8601, UTC
  std::vector<CheckResult> runs;
};

/// docs/results/nvidia-h200.json
std::filesystem::path results_file(const std::filesystem::path& root, const DeviceFacts& device);

/// Errors: ErrorCode::io for a file that cannot be read or is not such a record, saying why.
Result<RecordedResults> read_results(const std::filesystem::path& path);
/// Samples are thinned to at most most_recorded_samples a variant: the record is kept in the tree.
Result<> write_results(const std::filesystem::path& path, const RecordedResults& results);
inline constexpr std::size_t most_recorded_samples = 128;
/// A course of a hundred labs with a hundred kernel files each.
inline constexpr std::size_t most_recorded_runs = 10'000;

/// The lessons' sentences were written, and read by others, beside the figures of this GPU.
inline constexpr std::string_view gpu_of_the_lessons = "NVIDIA H200";

/// All recordings under root/docs/results, that of the lessons' GPU first, then the fullest, then
/// by file name: what shows one shows the first that has it. Unreadable ones are reported beside
/// them.
struct AllResults {
  std::vector<RecordedResults> good;
  std::vector<Error> broken;
};
AllResults load_results(const std::filesystem::path& root);

/// Whether any kernel of the lab was recorded.
bool is_recorded(const RecordedResults& results, const Lab& lab);

/// A sentence for every kernel of a recorded lab whose recorded digest is not its present one, or
/// that was not recorded itself, or is recorded but gone.
std::vector<std::string> stale_runs(const RecordedResults& results, const Course& course);

/// Whether the kernel was recorded as it is now.
bool is_current(const RecordedResults& results, const Lab& lab, const Variant& variant);

/// The run under today's rule of what its counters can tell of its work; its figures stay.
CheckResult judged_again(CheckResult run);

/// The recorded run of a variant, or nullptr.
const CheckResult* find_run(const RecordedResults& results, const std::string& lab,
                            const VariantName& variant);

/// The day on which it was recorded, as "2026-11-21"; of a run that does not say, the file's.
std::string recorded_day(const RecordedResults& results, const CheckResult& run);

/// For README.md: the labs by their symptoms, then each recording, flawed against optimized. Causes
/// are for a learner to find, so none is told.
std::string results_markdown(const std::vector<RecordedResults>& recordings, const Course& course);

inline constexpr std::string_view results_begin = "<!-- results:begin -->";
inline constexpr std::string_view results_end = "<!-- results:end -->";
/// `document` with the text between the markers replaced. Errors: ErrorCode::io if there are none.
Result<std::string> with_results(std::string_view document, std::string_view markdown);

}  // namespace klab
