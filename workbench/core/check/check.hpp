// check(): runs every phase of one check in runner processes of its own and judges the outcome.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>

#include "core/base/tree.hpp"
#include "core/check/check_event.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/backend.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// What the user asked for.
struct CheckRequest {
  GivenTree tree;
  Lab lab;
  VariantName variant = VariantName::mine;
  std::filesystem::path source;  ///< the kernel file under test
  Backend backend = Backend::automatic;
  std::optional<std::uint64_t> seed;  ///< fresh if absent
  bool with_optimized = false;        ///< `compare`: time and count the optimized kernel too
  std::optional<std::uint64_t> instruction_budget;  ///< as in Request
  bool quick = false;                               ///< built and correct only
  bool hides_causes = false;  ///< a mystery that is not predicted yet: see hide_causes()
};

/// Runs the whole check and returns what was found; never throws, never hangs: each phase has the
/// lab's time limit. `canceled` may be set from another thread; the running child is then killed.
CheckResult check(const CheckRequest& request, const OnCheckEvent& on_event,
                  const std::atomic<bool>& canceled);

}  // namespace klab
