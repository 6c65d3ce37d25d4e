// One check as the verbs run it: which kernel, what to show meanwhile, what to note afterwards.
#pragma once

#include <atomic>
#include <string>

#include "cli/verbs/verbs.hpp"
#include "core/check/check.hpp"

namespace klab::cli {

/// The kernel of `lab` called `name` (dashes for underscores allowed), the learner's own excepted.
/// Errors: usage, with the names there are.
Result<Variant> variant_named(const Lab& lab, std::string name);

/// That the learner has no file of the lab's yet.
Error not_started(const Lab& lab);

/// The backend of that name. Errors: usage.
Result<Backend> named_backend(const std::string& name);

/// The same error for a verb that a GPU alone can serve: it recommends no simulator.
Error without_simulator(Error error);

/// What the options ask for, as a request. Errors: usage, bad_lab, not_started, io.
Result<CheckRequest> check_request(const Context& context, const CheckOptions& options);

/// Runs it, with a progress line on an interactive standard error, and notes an attempt in the
/// journal if it was the learner's own file.
CheckResult run_check(const Context& context, const CheckRequest& request,
                      const std::atomic<bool>& canceled);

/// How near the learner's prediction was; empty if there was none.
std::string prediction_text(const Context& context, const Lab& lab, const CheckResult& result);

}  // namespace klab::cli
