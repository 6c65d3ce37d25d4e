// Running nvcc over one file, bounded, and what it says when it fails.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/build/toolchain.hpp"
#include "core/process/process.hpp"

namespace klab {

/// Runs nvcc to its end; an error if there is no output afterwards, as build_plugin() tells it.
/// What it leaves on its way stays in the output's folder, which is the build's own. Lambdas for
/// the device are known where the source has them; a name that nvcc lacks since it reads less than
/// it could makes it run again.
Result<ProcessResult> run_nvcc(const Toolchain& toolchain, const std::filesystem::path& source,
                               const std::vector<std::filesystem::path>& include_folders,
                               const std::vector<std::string>& flags,
                               const std::filesystem::path& output,
                               const std::atomic<bool>* canceled);

/// Where a build puts its files, and the bytes left there.
struct BuildRoom {
  std::filesystem::path folder;
  std::uintmax_t free_bytes = UINTMAX_MAX;
};

/// Why a run of nvcc failed: build_failed where the file is to blame, io where the machine is.
Error build_error(const std::filesystem::path& source, const ProcessResult& run,
                  const BuildRoom& room);

}  // namespace klab
