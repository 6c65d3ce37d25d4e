// StandardHeaders: what NVRTC gets in place of the C++ standard library's headers, which it lacks.
#pragma once

#include <vector>

namespace klab::compiler {

/// Parallel lists as nvrtcCreateProgram takes them.
struct Headers {
  std::vector<const char*> names, texts;
};

/// Every header of the standard library. `full`: those with a counterpart in libcu++ bring it into
/// namespace std, which costs some 100 ms; else only integers of fixed width and std::size_t, which
/// is enough for files that use the library on the host alone.
const Headers& standard_headers(bool full);

}  // namespace klab::compiler
