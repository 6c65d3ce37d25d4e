// One line a record, each written whole.
#include "runner/device/record_writer.hpp"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace klab::runner {

void RecordWriter::write(const Record& record) {
  const std::string line = secret_ + encode(record) + '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void RecordWriter::progress(std::string step, std::optional<int> index, std::optional<int> total) {
  write(record::Progress{std::move(step), index, total});
}

}  // namespace klab::runner
