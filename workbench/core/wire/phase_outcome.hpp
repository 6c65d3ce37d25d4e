// PhaseOutcome: what one phase in one runner process left behind.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.hpp"
#include "core/wire/protocol.hpp"

namespace klab {

/// What a phase left behind. Records received before a crash or a kill are kept.
struct PhaseOutcome {
  std::vector<Record> records;
  /// how it ended, if not with `done`; also the first Failure it reported
  std::optional<Error> error;
  std::string output;  ///< what the learner's code printed (stdout, then stderr), bounded
  std::size_t left_out_bytes = 0;  ///< of what it printed, beyond that bound
  double seconds = 0;

  /// The output without what the simulator said there of the error, which stands at its gate: the
  /// kernel file did not print it.
  std::string printed() const;

  /// The first Failure among the records, if there is one.
  std::optional<Error> reported_failure() const;

  /// The records of one kind, in order.
  template <class T>
  std::vector<T> all() const {
    std::vector<T> found;
    for (const Record& record : records)
      if (const T* match = std::get_if<T>(&record)) found.push_back(*match);
    return found;
  }
};

}  // namespace klab
