// Which lines of a kernel used which bytes of global memory.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "simulator/base/finding.hpp"
#include "simulator/memory/touched_memory.hpp"

namespace klab::sim {

class UsesByLine {
 public:
  enum class How : std::uint8_t { reads, writes, adds };
  struct Use {
    const SourceLocation* line = nullptr;  // of the kernel's program, which outlives this
    How how = How::reads;
    auto operator<=>(const Use&) const = default;
  };
  // Two uses of the same bytes, of which at least one changes them; to add is no matter among
  // those that add.
  struct Conflict {
    Use one, other;
    std::uint64_t address = 0;
  };

  void add(Use use, std::uint64_t begin, std::uint64_t end) { uses_[use].add(begin, end); }
  void add(const UsesByLine& more);
  std::optional<Conflict> conflict_with(UsesByLine& other);

 private:
  std::map<Use, ByteRanges> uses_;
};

// Of a kernel that may begin before the one in front of it has ended.
struct KernelUses {
  UsesByLine all;
  UsesByLine early;     // before it waited for that one
  bool waited = false;  // some thread did
  // Of the kernel behind it: some thread let that one begin, and some block had waited by then.
  bool lets_begin = false, holds_back = false;

  void add(const KernelUses& more) {
    all.add(more.all);
    early.add(more.early);
    waited |= more.waited;
    lets_begin |= more.lets_begin;
    holds_back |= more.holds_back;
  }
};

}  // namespace klab::sim
