// RecordReader: takes the lines of one runner and keeps its records, whatever the lines hold.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/wire/phase_outcome.hpp"

namespace klab {

/// What one phase may say: ten times the largest recording of a timeline. More is not ours.
inline constexpr std::size_t most_records = 200'000;
inline constexpr std::size_t most_records_bytes = 256u << 20;

class RecordReader {
 public:
  /// `remote`: a login shell of the other machine may print a few lines before the runner speaks.
  /// `secret`: what each line must begin with. It keeps out what writes to the descriptor without
  /// knowing it, on purpose or not; code that reads the runner's memory finds it.
  RecordReader(PhaseOutcome& outcome, const std::function<void(const Record&)>& on_record,
               bool remote, std::string secret = {}, std::size_t most_bytes = most_records_bytes);
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// One line. After a line that breaks the protocol, or `done`, the rest is passed over. False
  /// once the protocol is broken: there is nothing more to hope for.
  bool take(std::string_view line);

  bool greeted() const { return greeted_; }
  bool done() const { return done_; }
  const std::optional<Error>& broken() const { return broken_; }
  /// What was printed before the runner introduced itself, bounded.
  const std::string& noise() const { return noise_; }

 private:
  void read(std::string_view line);
  void greet(const record::Hello& hello);

  PhaseOutcome& outcome_;
  const std::function<void(const Record&)>& on_record_;
  bool remote_;
  std::string secret_;
  bool greeted_ = false, done_ = false;
  std::size_t bytes_ = 0, most_bytes_;
  std::optional<Error> broken_;
  std::string noise_;
};

/// Where the runner was when it ended: "in phase time, step "sampling" 12 of 40".
std::string reached_step(const Request& request, const PhaseOutcome& outcome);

}  // namespace klab
