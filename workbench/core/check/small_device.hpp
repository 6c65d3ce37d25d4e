// A device of few multiprocessors, on the simulator.
//
// A kernel file that asks how many there are sizes its grid by them, and a block takes a second
// tile only where a size has more tiles than that grid has blocks. On a device as large as an
// H200 no size that is simulated whole has so many.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/course/lab.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// From 8 to 16, by the check's seed: as many as the smallest devices have that CUDA 13 runs on
/// (Jetson Orin Nano: 8, A2: 10, MX450: 14). With fewer, "a cluster for eight of them" would be
/// none.
constexpr int few_multiprocessors(std::uint64_t seed) { return 8 + static_cast<int>(seed % 9); }

/// Seconds, before its larger sizes are left out.
inline constexpr double small_device_s = 4;

/// `verify`, a request for the phase of that name, there: on the sizes of every check that are run
/// whole.
inline Request on_small_device(Request verify, const LabSizes& sizes, int multiprocessors) {
  verify.multiprocessors = multiprocessors;
  verify.patience_s = small_device_s;
  verify.sizes = sizes.checking;
  verify.beyond = sizes.beyond;
  verify.huge.clear();
  verify.alike.clear();
  return verify;
}

/// What was found there says so.
inline record::Finding seen_on_small_device(record::Finding finding, int multiprocessors) {
  finding.message += " This is where the device says to have " + std::to_string(multiprocessors) +
                     " multiprocessors: a block takes more than one tile.";
  return finding;
}

}  // namespace klab
