// Running an investigation for a verb: which kernels, with progress and Ctrl-C.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/terminal/context.hpp"
#include "core/investigate/investigation.hpp"

namespace klab::cli {

struct InvestigateOptions {
  std::string lab;
  std::vector<std::string> variants;  ///< empty: flawed, mine where it is started, optimized once
                                      ///< passed
  std::string file;                   ///< a kernel file instead of "mine"
  std::string backend = "auto";
  bool json = false;
};

/// The request those options mean. Errors: usage; not_started if "mine" was asked for and is not.
Result<InvestigationRequest> investigation_request(const Context& context,
                                                   const InvestigateOptions& options,
                                                   InvestigationKind kind);

/// The variant's name as the learner knows it: "mine" for the runner's "candidate".
std::string shown_name(const std::string& variant);

/// Runs it with a progress line on standard error.
Investigation run_investigation(const Context& context, const InvestigationRequest& request);

/// An investigation in words and tables.
using InvestigationView = std::function<std::string(const Terminal&, const Investigation&)>;

/// Prints it as JSON, or `view` of it; errors go to standard error. Returns the exit code: ok if
/// something was found, else what fits the first error.
int show_investigation(const Context& context, const Investigation& found, bool json,
                       const InvestigationView& view);

}  // namespace klab::cli
