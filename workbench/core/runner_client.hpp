// RunnerClient: one phase in one runner process, from request to records, whatever becomes of the
// process.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/protocol.hpp"
#include "core/result.hpp"
#include "core/tree.hpp"

namespace klab {

/// What a phase left behind. Records received before a crash or a kill are kept.
struct PhaseOutcome {
  std::vector<Record> records;
  std::optional<Error>
      error;           ///< how it ended, if not with `done`; also the first Failure it reported
  std::string output;  ///< what the learner's code printed (stdout, then stderr), bounded
  double seconds = 0;

  /// The records of one kind, in order.
  template <class T>
  std::vector<T> all() const {
    std::vector<T> found;
    for (const Record& record : records)
      if (const T* match = std::get_if<T>(&record)) found.push_back(*match);
    return found;
  }
};

/// Runs one phase. `on_record` is called for each record as it arrives. A process that exceeds
/// `time_limit_s` is killed: ErrorCode::hang. One that ends by a signal: ErrorCode::crash, with the
/// step it had reached. Where the tree names a remote runner, that one is asked, whatever
/// `simulator` says.
PhaseOutcome run_phase(const Tree& tree, bool simulator, const Request& request,
                       double time_limit_s,
                       const std::function<void(const Record&)>& on_record = {},
                       const std::atomic<bool>* canceled = nullptr);

/// The same in the program `runner` of this machine.
PhaseOutcome run_local_phase(const std::filesystem::path& runner, const Request& request,
                             double time_limit_s,
                             const std::function<void(const Record&)>& on_record,
                             const std::atomic<bool>* canceled);

}  // namespace klab
