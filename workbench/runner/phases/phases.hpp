// run(): one request, one phase.
#pragma once

#include "runner/device/record_writer.hpp"

namespace klab::runner {

/// Carries out the request and writes its records, Failure included, up to but without Done. Never
/// throws.
void run(const Request& request, RecordWriter& out);

}  // namespace klab::runner
