// CompileFacts: what the compiler says of a kernel file while it is being written, and how
// klab-compile-facts, a program that stays alive between files, is asked.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/measure/occupancy.hpp"

namespace klab {

/// A kernel file as it stands in an editor, saved or not.
struct FactsRequest {
  std::int64_t number = 0;                     ///< comes back with the answer
  std::string name;                            ///< the file's name, as messages show it
  std::string source;                          ///< its text
  std::string contract;                        ///< text of the header it includes
  std::vector<std::filesystem::path> include;  ///< folders, the contract's first
  ComputeCapability compute_capability = default_compute_capability;
  Architecture architecture{default_compute_capability};  ///< see architecture_for()
};

/// One kernel as the file launches it.
struct DraftKernel {
  KernelReport report;
  /// Of the first launch in the file; absent where they are known only when it runs.
  std::optional<int> block_threads;
  std::optional<std::int64_t> dynamic_shared_bytes;
  /// Absent if the block is not known, or if no such block can be launched.
  std::optional<Occupancy> occupancy;
};

/// What the compiler found. With an error there are no kernels; messages may say why.
struct CompileFacts {
  std::int64_t number = 0;
  std::optional<ComputeCapability> compute_capability;
  std::vector<DraftKernel> kernels;
  std::vector<CompilerMessage> messages;  ///< in the file's own lines
  std::optional<Error> error;             ///< build_failed: the messages are the learner's to mend;
                               ///< unsupported: NVRTC cannot take this file, though nvcc might
  std::vector<std::string> left_out;  ///< kernels that it could not compile by themselves
  std::chrono::duration<double, std::milli> compile_time{};  ///< of the compiler alone
  /// From nvcc's own passes, as a build would say; else from NVRTC, which is sooner, but addresses
  /// shared memory with 64 bits where nvcc needs 32, so that registers may differ by a few.
  bool exact = false;
};

/// One line without its newline.
std::string encode(const FactsRequest& request);
std::string encode(const CompileFacts& facts);
/// Errors: ErrorCode::protocol_mismatch.
Result<FactsRequest> decode_facts_request(std::string_view line);
Result<CompileFacts> decode_compile_facts(std::string_view line);

/// Fills in the occupancy of each kernel whose block is known.
void add_occupancy(CompileFacts& facts);

/// The request for `source` of `lab`. Errors: ErrorCode::io if the contract cannot be read.
Result<FactsRequest> facts_request(const Toolchain& toolchain, const Lab& lab, std::string name,
                                   std::string source, ComputeCapability capability);

}  // namespace klab
