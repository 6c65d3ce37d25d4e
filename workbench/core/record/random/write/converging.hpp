// ConvergingWriter: kernels of the kinds "structured" and "masked".
//
// What a warp does, and so what it counts, is not left to a compiler: lanes that part ways meet
// again behind each outermost statement. A masked kernel says of every branch, loop and switch
// within, too, which lanes take it and that they meet behind it; half of its functions are called,
// all others are compiled into their caller. Loops stay rolled up, nothing divides. No two lanes of
// a warp have an input or a sum in common, so that the bytes they ask for do not depend on who
// comes together, and whatever is loaded is used.
#pragma once

#include <string>

#include "core/record/random/write/body.hpp"

namespace klab::random_kernel {

class ConvergingWriter : public BodyWriter {
 public:
  ConvergingWriter(std::uint64_t seed, RandomKind kind);

 protected:
  /// Statements of the lanes that are here.
  std::string block(int depth) override;

 private:
  static constexpr const char* all_lanes = "~0u";

  std::string statement(int depth);
  std::string branch(int depth, bool both_ways);
  std::string loop(int depth);
  std::string ways(int depth);
  std::string call();
  /// The block of other lanes.
  std::string block_of(const std::string& lanes, int depth);
  /// These lanes go on together, where the kernel says so.
  std::string meet(const std::string& lanes) const;

  const bool masked_;
  std::string lanes_ = all_lanes;  ///< those that are here
};

}  // namespace klab::random_kernel
