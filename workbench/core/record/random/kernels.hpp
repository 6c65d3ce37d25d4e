// Random kernels: CUDA kernels made from seeds that compute the same on a device and on the host.
//
// Linked twice from the same objects: as a program, which runs each kernel on the device (or the
// simulator) and on the host and prints a line a kernel; and as a kernel file, whose launches the
// runner counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/build/plugin_builder.hpp"
#include "core/build/toolchain.hpp"
#include "core/record/random/write/kinds.hpp"
#include "core/verdict/check_result.hpp"

namespace klab {

using Seeds = std::vector<std::uint64_t>;

/// The source of the kernels of these seeds: to be compiled with tests/simulator/agreement/random
/// and the contract beside it on the include path, and linked with program.cu.
std::string random_kernels_source(const Seeds& seeds, RandomKind kind = RandomKind::usual);
/// Whether the kernel of this seed may divide or take roots: of the usual kind, one in three does.
bool random_kernel_divides(std::uint64_t seed, RandomKind kind = RandomKind::usual);

/// What one device made of one kernel.
struct RandomResult {
  std::uint64_t seed = 0;
  std::string digest;   ///< "-" if it did not finish
  std::string verdict;  ///< "host" if the host agrees, otherwise where they differ

  bool agrees() const { return verdict == "host"; }
};

/// The lines of a program's output; others are skipped.
std::vector<RandomResult> parse_random_results(std::string_view output);

/// Which kernels seeds mean; and how the same kernels are built, to see what makes a difference.
struct RandomForm {
  RandomKind kind = RandomKind::usual;
  bool optimized = true;  ///< by ptxas, between PTX, which the simulator runs, and machine code
  bool divides = true;    ///< else divisions and square roots are replaced by simpler arithmetic

  /// "_memory_as_written"; nothing of the usual form.
  std::string suffix() const;
};

struct RandomBuild {
  std::filesystem::path folder;  ///< of its own; holds the sources, too
  std::filesystem::path program;
  std::filesystem::path library;           ///< exports `launch`
  std::map<std::uint64_t, bool> spilling;  ///< by seed: whether ptxas spills its registers
};

/// Compiles the kernels of these seeds, on all processors, into a folder in `folder`: for the
/// simulator and, where there is one, for a `gpu` of this compute
/// capability. Errors: build_failed, io,
/// canceled.
Result<RandomBuild> build_random_kernels(const Toolchain& toolchain,
                                         const std::filesystem::path& root,
                                         const std::filesystem::path& folder, const Seeds& seeds,
                                         std::optional<ComputeCapability> gpu,
                                         const RandomForm& form = {},
                                         const std::atomic<bool>* canceled = nullptr);

/// Runs the program, behind a kernel that faults once more. Kernels that it did not reach are
/// missing from the results. Errors: io, canceled.
Result<std::vector<RandomResult>> run_random_program(const std::filesystem::path& program,
                                                     const std::filesystem::path& runtime_folder,
                                                     const std::atomic<bool>* canceled = nullptr);

/// The folder that holds NVIDIA's own runtime; empty if the toolkit has none.
std::filesystem::path toolkit_runtime_folder(const Toolchain& toolchain);

/// The workload that gives random kernels their inputs where they are counted. Errors: those of
/// build_workload().
Result<BuiltPlugin> build_random_workload(const Tree& tree, const Toolchain& toolchain,
                                          std::optional<ComputeCapability> gpu,
                                          const std::atomic<bool>* canceled = nullptr);

/// What one backend counts of each kernel, by seed; of one that was not reached, why. Local
/// memory of a kernel that spills is absent on the simulator, which cannot see it. Errors: those of
/// the phase, where it counted nothing.
Result<std::map<std::uint64_t, Counters>> count_random_kernels(
    const Tree& tree, bool simulator, const std::filesystem::path& workload,
    const RandomBuild& build, const Seeds& seeds, const std::vector<std::string>& metrics,
    const std::atomic<bool>* canceled = nullptr);

}  // namespace klab
