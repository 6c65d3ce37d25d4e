// A function that a kernel file uses, and that is nowhere.
#pragma once

#include <string>

#include "core/base/result.hpp"

namespace klab {

/// What to do about it depends on whose it is: a function of CUDA's driver or of one of its
/// libraries, with which kernel files are not linked, or one that was forgotten. `reason`: the
/// loader's words.
Error undefined_symbol(const std::string& symbol, const std::string& reason);

}  // namespace klab
