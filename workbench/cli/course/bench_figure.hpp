// Figure: one thing that `klab bench` measures about klab itself.
#pragma once

#include <string>
#include <vector>

namespace klab::cli {

/// Over repeats. An empty list of values means it could not be obtained.
struct Figure {
  std::string lab;
  std::string name;
  std::string unit;
  std::vector<double> values;
  std::string why_missing;
};

}  // namespace klab::cli
