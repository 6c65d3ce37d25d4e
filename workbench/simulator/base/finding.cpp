// Places and threads of findings in words.
#include "simulator/base/finding.hpp"

#include <fmt/format.h>

namespace klab::sim {

bool is_same_place(const Finding& one, const Finding& other) {
  return one.kernel == other.kernel && one.where.file == other.where.file &&
         one.where.line == other.where.line &&
         (one.where.line != 0 || one.message == other.message);
}

bool replaces(const Finding& now, const Finding& known) {
  return now.kind == FindingKind::shared_race && known.kind == FindingKind::warp_race &&
         is_same_place(now, known);
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string describe_place(const SourceLocation& where) {
  return where.line == 0 ? std::string("unknown line (build with -lineinfo)")
                         : fmt::format("{} line {}", where.file, where.line);
}

std::string at_line(const SourceLocation& where) {
  return where.line == 0 ? std::string() : fmt::format(" at line {}", where.line);
}

std::string describe_thread(const ThreadLocation& at) {
  return fmt::format("thread ({}, {}, {}) of block ({}, {}, {})", at.thread[0], at.thread[1],
                     at.thread[2], at.block[0], at.block[1], at.block[2]);
}

}  // namespace klab::sim
