// Process: a child with captured output, a record pipe, a time limit and a sure end.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/process/process_request.hpp"

namespace klab {

/// The programs called `name` in the folders of PATH, in its order.
std::vector<std::filesystem::path> programs_called(const std::string& name);

struct ProcessResult {
  int exit_code = -1;      ///< valid if signal == 0
  int signal = 0;          ///< the signal that ended it; 0 if it exited
  bool timed_out = false;  ///< killed because of time_limit_s
  bool was_canceled = false;
  bool fell_silent = false;  ///< killed because of silence_limit_s
  bool was_refused = false;  ///< killed because its reader wanted no more
  std::string out;
  std::string err;
  std::size_t left_out_bytes = 0;  ///< of both, whose middles are dropped where they are too long
  double seconds = 0;
};

/// Takes a line; false ends the process. One that is longer than longest_line_bytes comes as its
/// beginning, one byte more than that, and its rest is dropped.
using OnLine = std::function<bool(std::string_view line)>;
inline constexpr std::size_t longest_line_bytes = 4u << 20;

/// Runs the command to its end. The child leads a process group of its own; at a limit, on cancel,
/// once it has exited, or if we die ourselves, the whole group is killed. Errors: ErrorCode::io if
/// it cannot be started.
Result<ProcessResult> run_process(const ProcessRequest& request, const OnLine& on_record = {},
                                  const std::atomic<bool>* canceled = nullptr);

/// "signal 11 (Segmentation fault)"
std::string describe_signal(int signal);

}  // namespace klab
