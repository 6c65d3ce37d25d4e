// ProgressLine: one line on standard error that is overwritten while something runs.
#pragma once

#include "cli/terminal/terminal.hpp"
#include "core/check/check.hpp"

namespace klab::cli {

/// Silent where standard error is no terminal, but for the sentence that the GPU is busy.
class ProgressLine {
 public:
  explicit ProgressLine(const Terminal& terminal) : terminal_(terminal) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void on(const CheckEvent& event);

 private:
  void show(const std::string& text);
  void clear();

  const Terminal& terminal_;
  bool shown_ = false;
  int samples_ = 0;
};

}  // namespace klab::cli
