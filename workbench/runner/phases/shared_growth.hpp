// How the shared memory that a kernel file asks for grows with a size.
//
// Where it grows with an extent, somewhere it is more than a block may have. What a kernel file
// does from there on is tried at the very first such size: a bound that forgets a row of padding,
// or takes a multiprocessor's memory for a block's, is right everywhere but there. So is what it
// does right before: leave that was asked for once is for less.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/course/lab.hpp"

namespace klab::runner {

class SharedGrowth {
 public:
  /// A launch at that size asked for so many dynamic bytes a block; 0: for none.
  void launched(const Size& size, std::size_t bytes);
  /// For each extent with which they grow, the last size at which they are no more than `limit` if
  /// they grow on as they did, and the first at which they are; none whose extent is beyond
  /// `highest`. The other extents are those of the launch that asked for most.
  std::vector<Size> around(std::size_t limit, const Size& highest) const;

 private:
  std::map<Size, std::size_t> asked_;
};

}  // namespace klab::runner
