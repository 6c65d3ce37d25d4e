// Running a real check from a test, on a GPU or on the simulator, and skipping by name where there
// is neither.
#pragma once

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

#include "core/base/tree.hpp"
#include "core/check/check.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"

namespace klab::test {

/// The tree under test: this source tree, and the build tree that holds the runners. KLAB_ROOT and
/// KLAB_BUILD in the environment name others, as for a build that was copied to a GPU machine.
inline Tree tree() {
  ::setenv("KLAB_ROOT", KLAB_SOURCE_DIR, 0);
  ::setenv("KLAB_BUILD", KLAB_BINARY_DIR, 0);
  return find_tree();
}

/// Skips the test case unless this backend can run here.
inline void require_backend(Backend backend) {
  if (backend == Backend::gpu) {
    static const auto facts = gpu_facts(tree());
    if (!facts) SKIP("no CUDA device: " + facts.error().what);
  } else if (!std::filesystem::exists(tree().runner(true))) {
    SKIP("the simulator's runner is not built");
  }
}

/// Skips the test case, with the reason, unless the lab can run on this backend here.
inline void require_runnable(const Lab& lab, Backend backend) {
  require_backend(backend);
  const auto chosen = choose_backend(tree(), backend);
  REQUIRE(chosen);
  if (const auto obstacle = obstacle_of(lab, chosen->device)) SKIP(obstacle->error.what);
}

inline CheckResult run_check(const Lab& lab, const Variant& variant, Backend backend,
                             const Tree& here = tree()) {
  const std::atomic<bool> canceled = false;
  return check({.tree = here,
                .lab = lab,
                .variant = variant.name,
                .source = variant.path,
                .backend = backend},
               {}, canceled);
}

/// All gates as text, for the message of a failing test.
inline std::string describe(const CheckResult& result) {
  std::string text = result.lab + " " + result.variant.shown() + ": " + result.conclusion + "\n";
  for (const Gate& gate : result.gates)
    text += "  " + to_string(gate.name) + " (" + gate.subject +
            "): " + std::string(to_string(gate.outcome)) + " — " + gate.detail + " " +
            shell_words(gate.advice) + "\n";
  for (const Error& error : result.errors)
    text += "  error: " + error.what + "\n" + error.detail + "\n";
  return text;
}

/// The worst outcome among the gates of that name.
inline Outcome outcome_of(const CheckResult& result, GateName name) {
  std::vector<Gate> gates;
  std::copy_if(result.gates.begin(), result.gates.end(), std::back_inserter(gates),
               [&](const Gate& gate) { return gate.name == name; });
  return combine(gates);
}

}  // namespace klab::test
