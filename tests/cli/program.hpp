// Runs the real klab on a course in a temporary folder.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/process/process.hpp"
#include "support/example_lab.hpp"

namespace klab::test {

/// A course of two labs, and klab with a build tree of its own: no runner, no cache of others.
class Program {
 public:
  Program() {
    write_lab(folder, "01_divergence",
              replaced(example_lab_toml, "category = \"memory\"", "category = \"compute\""));
    write_lab(folder, "02_coalescing");
  }

  ProcessResult run(const std::vector<std::string>& arguments,
                    const std::string& input = {}) const {
    return run_command(with_program(arguments), input);
  }

  ProcessResult run_command(const std::vector<std::string>& command,
                            const std::string& input = {}) const {
    auto result = run_process({.command = command,
                               .input = input,
                               .environment = {{"KLAB_BUILD", build}, {"TERM", "xterm"}},
                               .time_limit_s = 300});
    REQUIRE(result);
    CAPTURE(command.back(), result->out, result->err);
    REQUIRE(result->signal == 0);
    REQUIRE_FALSE(result->timed_out);
    return *result;
  }

  std::vector<std::string> with_program(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {program(), "--root", folder.path().string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
  }

  static std::string program() { return std::string(KLAB_BINARY_DIR) + "/bin/klab"; }

  TemporaryFolder folder;
  std::string build = (folder.path() / "build").string();
};

inline nlohmann::json parse(const std::string& text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  CAPTURE(text);
  REQUIRE_FALSE(json.is_discarded());
  return json;
}

/// An attempt as the journal holds it.
inline std::string attempt_line(int number, const std::string& lab, const std::string& verdict,
                                const std::string& source, const std::string& digest) {
  return nlohmann::json{{"kind", "attempt"},
                        {"number", number},
                        {"lab", lab},
                        {"variant", "mine"},
                        {"verdict", verdict},
                        {"source", source},
                        {"source_digest", digest},
                        {"date", "2026-11-21T03:00:00Z"}}
             .dump() +
         "\n";
}

}  // namespace klab::test
