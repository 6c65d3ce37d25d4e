// CompileFacts: what nvcc's device passes say of a kernel file while it is being written.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/course/lab.hpp"
#include "core/measure/occupancy.hpp"

namespace klab {

/// A kernel file as it stands in an editor, saved or not.
struct FactsQuestion {
  Lab lab;
  std::string name;    ///< the file's name, as messages show it
  std::string source;  ///< its text
  ComputeCapability compute_capability = default_compute_capability;
  std::int64_t number = 0;  ///< comes back with the answer
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
  std::optional<Error> error;             ///< build_failed: the messages are the learner's to mend
  std::chrono::duration<double> compile_time{};  ///< of the compiler alone
};

/// Fills in the occupancy of each kernel whose block is known.
void add_occupancy(CompileFacts& facts);

CompileFacts compile_facts(const Tree& tree, const FactsQuestion& question,
                           const std::atomic<bool>* canceled = nullptr);

}  // namespace klab
