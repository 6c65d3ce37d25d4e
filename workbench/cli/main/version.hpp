// What `klab --version` says.
#pragma once

#include <string>

namespace klab::cli {

/// The version, the commit, the toolkit, and the GPUs that this program was built for.
std::string version_text();

}  // namespace klab::cli
