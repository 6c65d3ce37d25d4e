// ProcessRequest: what to run, with which input, and how long it may take.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace klab {

class ProcessControl;

/// What to run and how long it may take.
struct ProcessRequest {
  std::vector<std::string> command;   ///< argv; looked up on PATH
  std::string input;                  ///< written to its standard input, which is then closed
  ProcessControl* control = nullptr;  ///< if given: more input, and whether the process may run
  std::map<std::string, std::string> environment;  ///< added to ours
  std::string folder;                              ///< working folder; ours if empty
  std::string scratch;        ///< a folder that goes with us if we die before the child has ended
  double time_limit_s = 60;   ///< not counting what it waits for a processor that others have
  bool with_records = false;  ///< opens a pipe as descriptor 3 and delivers its lines
  bool records_on_output = false;  ///< delivers the lines of standard output instead
  double silence_limit_s = 0;      ///< killed if it writes nothing for so long; 0: never
  std::size_t capture_limit_bytes =
      1u << 20;  ///< of stdout and stderr each; the middle of a longer one is dropped
};

}  // namespace klab
