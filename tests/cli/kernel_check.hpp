// A check of a kernel file's text, with the real compiler and the simulator.
#pragma once

#include <filesystem>

#include "cli/program.hpp"
#include "core/build/toolchain.hpp"

namespace klab::test {

/// Skips the test where a check on the simulator cannot be made.
inline void require_simulated_checks() {
  if (!std::filesystem::exists(std::string(KLAB_BINARY_DIR) + "/bin/klab-runner-sim"))
    SKIP("the simulator's runner is not built");
  if (const auto toolchain = find_toolchain({}); !toolchain) SKIP(toolchain.error().what);
}

/// A check of this kernel file for the lab 01_scale of the fixtures, on the simulator.
inline ProcessResult check_source(const Program& klab, const std::string& verb,
                                  const std::string& source,
                                  std::vector<std::string> more = {"--backend", "sim"}) {
  const auto file = klab.folder.write("own/kernel.cu", source);
  std::vector<std::string> command = {Program::program(),
                                      "--root",
                                      std::string(KLAB_SOURCE_DIR) + "/tests/fixtures",
                                      verb,
                                      "scale",
                                      "--file",
                                      file.string()};
  command.insert(command.end(), more.begin(), more.end());
  auto result = run_process({.command = command, .time_limit_s = 300});
  REQUIRE(result);
  return *result;
}

}  // namespace klab::test
