// RecordWriter: writes protocol records to the file descriptor that the parent reads.
#pragma once

#include <string>
#include <utility>

#include "core/wire/protocol.hpp"

namespace klab::runner {

/// Each record is on its way before write() returns, so what was found survives any later death.
class RecordWriter {
 public:
  /// Every line begins with `secret`.
  explicit RecordWriter(int descriptor, std::string secret = {})
      : descriptor_(descriptor), secret_(std::move(secret)) {}

  /// Ends quietly if the parent is gone: nobody is left to tell.
  void write(const Record& record);
  void progress(std::string step, std::optional<int> index = {}, std::optional<int> total = {});

 private:
  int descriptor_;
  std::string secret_;
};

}  // namespace klab::runner
