// Running an investigation for a verb: which kernels, with progress and Ctrl-C.
#pragma once

#include <functional>
#include <string>

#include "cli/verbs/verbs.hpp"
#include "core/investigate/investigation.hpp"

namespace klab::cli {

/// The request those options mean. Errors: usage; not_started if "mine" was asked for and is not.
Result<InvestigationRequest> investigation_request(const Context& context,
                                                   const InvestigateOptions& options,
                                                   InvestigationKind kind);

/// The latest of that kind and lab in docs/results; of sweeps, that over the plan's parameter
/// unless it is the size, which stands for any. Errors: usage if there is none.
Result<Investigation> recorded_investigation(const Context& context, const std::string& lab,
                                             InvestigationKind kind, const SweepPlan& sweep = {});

/// Adds it to the recording `path` as a line, in place of an earlier one of the same question.
Result<> keep_investigation(const std::filesystem::path& path, const Investigation& found);

/// What was recorded, if that was asked for; else runs it, with a progress line on standard error.
Result<Investigation> find_investigation(const Context& context, const InvestigateOptions& options,
                                         InvestigationKind kind, const SweepPlan& sweep = {});

/// An investigation in words and tables.
using InvestigationView = std::function<std::string(const Terminal&, const Investigation&)>;

/// Prints it as JSON, or `view` of it; errors go to standard error. Returns the exit code: ok if
/// something was found, else what fits the first error.
int show_investigation(const Context& context, const Result<Investigation>& found,
                       const InvestigateOptions& options, const InvestigationView& view);

}  // namespace klab::cli
