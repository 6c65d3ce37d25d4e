// MemoryWriter: kernels of the kind "memory".
//
// What they count follows from addresses and lanes alone: no branch but around an access of some
// lanes, which meet behind it; no access that a compiler may leave out, repeat or merge.
#pragma once

#include <cstdint>
#include <string>

#include "core/record/random/write/draw.hpp"

namespace klab::random_kernel {

class MemoryWriter {
 public:
  explicit MemoryWriter(std::uint64_t seed) : draw_(seed), number_(seed) {}
  /// The kernel; then blocks() and threads() are those of its launch.
  std::string kernel();
  int blocks() const { return blocks_; }
  int threads() const { return threads_; }

 private:
  void part(int depth);
  void step();
  std::string together();
  std::string between(const char* through, int most_gap, int shifts, const std::string& type);
  std::string statement();
  std::string access();
  std::string local_array();
  /// An access by some lanes of every warp.
  std::string by_some();
  std::string place();
  std::string word();
  std::string member();
  std::string sum();
  /// Lanes as a number: all, few or many, never none.
  std::string lanes();
  std::string odd_places();
  std::string any_places();

  SeededDraw draw_;
  const std::uint64_t number_;
  int blocks_ = 1, threads_ = 32;
  std::string steps_, body_;
  int steps_written_ = 0, names_ = 0;
};

}  // namespace klab::random_kernel
