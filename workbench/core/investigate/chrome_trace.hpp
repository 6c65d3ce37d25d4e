// Chrome trace: a timeline in the format that Perfetto and chrome://tracing open.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/investigate/timeline.hpp"

namespace klab {

/// Writes one JSON object, "Trace Event Format" (Google, 2016): a process for each variant, a
/// thread for each row of a track, complete events ("X") in microseconds with stream, bytes and
/// correlation as arguments, and the gaps of the GPU as a thread of their own. `write` gets it
/// piece by piece. `title` names the lab and the device.
void write_chrome_trace(const Timeline& timeline, const std::string& title,
                        const std::function<void(std::string_view)>& write);

}  // namespace klab
