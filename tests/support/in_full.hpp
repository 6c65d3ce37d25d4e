// An error as a failing test shows it.
#pragma once

#include <string>

#include "core/base/result.hpp"

namespace klab::test {

/// What it says, and what the system, the loader or the compiler said.
inline std::string in_full(const Error& error) { return error.what + "\n" + error.detail; }

}  // namespace klab::test
