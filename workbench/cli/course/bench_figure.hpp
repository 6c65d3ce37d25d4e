// Figure: one thing that `klab bench` measures about klab itself.
#pragma once

#include <chrono>
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

/// How long `act` takes.
template <class Act>
double seconds_of(const Act& act) {
  const auto start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace klab::cli
