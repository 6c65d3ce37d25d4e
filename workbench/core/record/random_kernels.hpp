// Random kernels: CUDA programs made from a seed that compute the same on a device and on the host.
//
// A program holds some kernels, runs each on the device (or the simulator), runs its body on the
// host too, and prints a line a kernel: seed, digest of the results, and whether the host agrees.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/build/toolchain.hpp"

namespace klab {

/// The program of `count` kernels, from the seeds `first`, `first` + 1, ...: to be compiled with
/// tests/simulator/agreement/random on the include path.
std::string random_kernels_source(std::uint64_t first, int count);

/// What one device made of one kernel.
struct RandomResult {
  std::uint64_t seed = 0;
  std::string digest;   ///< "-" if it did not finish
  std::string verdict;  ///< "host" if the host agrees, otherwise where they differ
};

/// The lines of a program's output; others are skipped.
std::vector<RandomResult> parse_random_results(std::string_view output);

/// What ptxas may do between PTX, which the simulator runs, and machine code.
enum class MachineCode { optimized, as_written };

/// Compiles the program of these seeds into `folder`, for the simulator and, if not 0, for a GPU of
/// this compute capability. Errors: build_failed, io, canceled.
Result<std::filesystem::path> build_random_program(
    const Toolchain& toolchain, const std::filesystem::path& root,
    const std::filesystem::path& folder, std::uint64_t first, int count, int compute_capability,
    const std::atomic<bool>* canceled = nullptr, MachineCode machine_code = MachineCode::optimized);

/// Runs it. Kernels that it did not reach are missing from the results. Errors: io, canceled.
Result<std::vector<RandomResult>> run_random_program(const std::filesystem::path& program,
                                                     const std::filesystem::path& runtime_folder,
                                                     const std::atomic<bool>* canceled = nullptr);

/// The folder that holds NVIDIA's own runtime; empty if the toolkit has none.
std::filesystem::path toolkit_runtime_folder(const Toolchain& toolchain);

}  // namespace klab
