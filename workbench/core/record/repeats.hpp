// Repeats: how often kernels that must pass did, check after check on one GPU, with the digest of
// each. Kept in docs/results/repeats/.
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
  int passes = 0;
  std::vector<std::string> others;  ///< how those concluded that did not pass, and why
};

struct Repeats {
  DeviceFacts device;  ///< with driver and toolkit
  std::string date;    ///< ISO 8601, UTC; of the last check
  std::vector<RepeatedKernel> kernels;

  /// Adds a check to those of the same text; those of an older text are forgotten.
  void add(const CheckResult& run);
  /// Checks that the kernel has had with the text of this digest.
  int checks_of(const std::string& lab, const VariantName& variant,
                const std::string& source_digest) const;
};

/// Whether a kernel must pass whenever it is checked on a GPU that can check it: the optimized one
/// and the fair ones.
bool must_pass(const Variant& variant);

/// docs/results/repeats/nvidia-h200.json
std::filesystem::path repeats_file(const std::filesystem::path& root, const DeviceFacts& device);

/// Nothing where there is no file. Errors: ErrorCode::io for a file that cannot be read or is no
/// such record.
Result<Repeats> read_repeats(const std::filesystem::path& path);
/// Adds a check of now to the record at `path`, whoever else adds to it at the same time: each GPU
/// of a machine can have a process of its own. Errors: those of read_repeats(); io.
Result<> add_repeat(const std::filesystem::path& path, const CheckResult& run);

}  // namespace klab
