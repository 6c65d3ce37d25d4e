// Repeats: how often each kernel of the course did what it is there for, check after check on one
// GPU, with the digest of each. Kept in docs/results/repeats/.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// The checks of one kernel file, as long as its text stayed the same.
struct RepeatedKernel {
  std::string lab;
  VariantName variant = VariantName::optimized;
  std::string source_digest;
  int checks = 0;
  int as_due = 0;                   ///< of them, those that ended as they have to
  std::vector<std::string> others;  ///< how the others ended, and why
};

struct Repeats {
  DeviceFacts device;  ///< with driver and toolkit
  std::string date;    ///< ISO 8601, UTC; of the last check
  std::vector<RepeatedKernel> kernels;

  /// Adds a check to those of the same text; those of an older text are forgotten. `faults`: why
  /// it did not end as it has to.
  void add(const CheckResult& run, const std::vector<std::string>& faults);
  /// Adds checks that were recorded elsewhere: those of texts that are here, or of kernels that are
  /// not here at all.
  void join(const Repeats& other);
  /// Checks that the kernel has had with the text of this digest.
  int checks_of(const std::string& lab, const VariantName& variant,
                const std::string& source_digest) const;
};

/// docs/results/repeats/nvidia-h200.json
std::filesystem::path repeats_file(const std::filesystem::path& root, const DeviceFacts& device);

/// Nothing where there is no file. Errors: ErrorCode::io for a file that cannot be read or is no
/// such record.
Result<Repeats> read_repeats(const std::filesystem::path& path);
/// Adds a check of now to the record at `path`, whoever else adds to it at the same time: each GPU
/// of a machine can have a process of its own. Errors: those of read_repeats(); io.
Result<> add_repeat(const std::filesystem::path& path, const CheckResult& run,
                    const std::vector<std::string>& faults);
/// Forgets the checks of one kernel if not all of them ended as they have to: after what they found
/// was mended, others take their place. Errors: those of read_repeats(); io.
Result<> forget_failed_repeats(const std::filesystem::path& path, const std::string& lab,
                               const VariantName& variant);

/// Adds to the record of such a GPU what another recording holds, and returns where it is. They are
/// joined in the order of their dates, so that none counts twice. Errors: those of read_repeats();
/// usage for a recording that is empty, of another GPU, or no later than what is there; io.
Result<std::filesystem::path> join_repeats(const std::filesystem::path& root,
                                           const std::filesystem::path& other);

}  // namespace klab
