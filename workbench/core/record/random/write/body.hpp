// BodyWriter: kernels of steps of a thread alone, and of what warps and blocks do between them.
#pragma once

#include <string>

#include "core/record/random/write/statements.hpp"

namespace klab::random_kernel {

class BodyWriter : public StatementWriter {
 public:
  using StatementWriter::StatementWriter;
  /// The kernel; then blocks() and threads() are those of its launch.
  std::string kernel();
  int blocks() const { return blocks_; }
  int threads() const { return threads_; }

 protected:
  /// Before everything, before a loop, before a step's function, and behind what a warp or block
  /// did together.
  const char *at_first_ = "", *rolled_ = "", *inlined_ = "", *behind_together_ = "";
  /// Sums of all threads, up to what is summed.
  const char *collect_ = "side.template collect<Sum::{}>(", *collect_wide_ = "side.collect_wide(";

 private:
  void part(int depth);
  void step();
  std::string member(bool any_type);
  std::string together();
  std::string together_wide();

  int blocks_ = 1, threads_ = 32;
  std::string steps_, body_;
  int steps_written_ = 0;
};

}  // namespace klab::random_kernel
