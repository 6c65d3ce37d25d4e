// A runner that a shell script stands in for.
#pragma once

#include <filesystem>
#include <string>

#include "core/wire/protocol.hpp"
#include "support/temporary_folder.hpp"

namespace klab::test {

/// Longer than any test may take.
constexpr double long_s = 100;

/// Reads its request, greets, and then does `script`; there `say RECORD` writes a record.
struct ScriptedRunner {
  TemporaryFolder folder;
  std::filesystem::path program;

  explicit ScriptedRunner(const std::string& script)
      : program(folder.write(
            "runner",
            "#!/bin/sh\nread -r request\n"
            "secret=$(echo \"$request\" | sed 's/.*\"secret\":\"\\([0-9a-f]*\\)\".*/\\1/')\n"
            "say() { printf '%s%s\\n' \"$secret\" \"$1\" >&3; }\n"
            "say '{\"type\":\"hello\",\"protocol\":" +
                std::to_string(protocol_version) + ",\"backend\":\"gpu\"}'\n" + script + "\n")) {
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }
};

}  // namespace klab::test
