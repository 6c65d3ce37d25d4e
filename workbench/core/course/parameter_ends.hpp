// Where a sweep of a lab's constants begins and ends.
#pragma once

#include <cstdint>
#include <vector>

#include "core/course/lab.hpp"

namespace klab {

/// A kernel file with one of the lab's constants at the least or at the largest of its values.
struct ParameterEnd {
  Variant variant;
  const Parameter* parameter;  ///< of the lab, which must outlive this
  std::int64_t value = 0;
};

/// Both ends of each constant for each file of the lab that lets a sweep set it, by the lines
/// `#ifndef DEFINE` and so on. A file that cannot be read lets nothing be set.
std::vector<ParameterEnd> parameter_ends(const Lab& lab);

}  // namespace klab
