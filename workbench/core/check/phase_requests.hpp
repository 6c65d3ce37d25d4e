// Which counters a check collects, and when it needs the trace beside them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/judge/evidence.hpp"
#include "core/verdict/check_result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// The catalogue names that this phase is to collect, as far as the machine has a source for them:
/// those of the lab's causes, those that tell what work was done, and, to compare, the default set.
std::vector<std::string> wanted_metrics(const Lab& lab, Phase phase, bool to_compare,
                                        bool simulated);

/// Whether the launch that was counted seems to be another than those that were timed. Calls that
/// allocate may be why, and those are for the trace to say.
bool took_another_time(const CheckResult& result, const Evidence& evidence);

/// Whether it is likely from the start that the trace is needed, with a kernel file's library.
bool may_need_trace(const Lab& lab, const std::filesystem::path& library);

/// Whether counters alone leave something open that the trace can say, whatever the cause is.
bool needs_trace(const CheckResult& result, const Evidence& evidence);

}  // namespace klab
