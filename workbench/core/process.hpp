// Process: a child with captured output, a record pipe, a time limit and a sure end.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace klab {

/// What to run and how long it may take.
struct ProcessRequest {
  std::vector<std::string> command;  ///< argv; looked up on PATH
  std::string input;                 ///< written to its standard input, which is then closed
  std::map<std::string, std::string> environment;  ///< added to ours
  std::string folder;                              ///< working folder; ours if empty
  std::string scratch;  ///< a folder that goes with us if we die before the child has ended
  double time_limit_s = 60;
  bool with_records = false;       ///< opens a pipe as descriptor 3 and delivers its lines
  bool records_on_output = false;  ///< delivers the lines of standard output instead
  double silence_limit_s = 0;      ///< killed if it writes nothing for so long; 0: never
  std::size_t capture_limit_bytes =
      1u << 20;  ///< of stdout and stderr each; the middle of a longer one is dropped
};

struct ProcessResult {
  int exit_code = -1;      ///< valid if signal == 0
  int signal = 0;          ///< the signal that ended it; 0 if it exited
  bool timed_out = false;  ///< killed because of time_limit_s
  bool was_canceled = false;
  bool fell_silent = false;  ///< killed because of silence_limit_s
  bool record_too_long = false;
  std::string out;
  std::string err;
  double seconds = 0;
};

using OnLine = std::function<void(std::string_view line)>;

/// Runs the command to its end. The child leads a process group of its own; at a limit, on cancel,
/// once it has exited, or if we die ourselves, the whole group is killed. Errors: ErrorCode::io if
/// it cannot be started.
Result<ProcessResult> run_process(const ProcessRequest& request, const OnLine& on_record = {},
                                  const std::atomic<bool>* canceled = nullptr);

/// "signal 11 (Segmentation fault)"
std::string describe_signal(int signal);

}  // namespace klab
