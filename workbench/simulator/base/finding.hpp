// A programming error that the simulator saw: what, where in the source, which thread, which
// memory.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/verdict/finding_kind.hpp"

namespace klab::sim {

using klab::FindingKind;

struct SourceLocation {
  std::string file;
  std::uint32_t line = 0;
  bool of_toolkit = false;  // in a header of CUDA's, which nobody means to change
  bool of_cub = false;      // it calls what was inlined there from CUB or Thrust
};

// "1 byte", "2 bytes"
std::string counted(std::uint64_t count, std::string_view what);

// "kernel.cu line 12", or that it is not known.
std::string describe_place(const SourceLocation& where);

// " at line 12", or nothing where it is not known.
std::string at_line(const SourceLocation& where);

struct ThreadLocation {
  std::array<std::uint32_t, 3> block{};
  std::array<std::uint32_t, 3> thread{};
};

// "thread (1, 0, 0) of block (2, 0, 0)"
std::string describe_thread(const ThreadLocation& at);

struct Finding {
  FindingKind kind = FindingKind::out_of_bounds;
  std::string message;  // a full sentence
  std::string kernel;
  SourceLocation where;
  std::optional<ThreadLocation> thread;
  std::optional<std::uint64_t> address;  // virtual address, or offset within shared or local memory
  std::string allocation;                // the nearest allocation in words, if memory is concerned
  std::optional<SourceLocation> other_where;  // the second access of a race
  std::optional<ThreadLocation> other_thread;
};

bool is_same_place(const Finding& one, const Finding& other);

// Whether `now` says the more of a place that `known` tells of: a barrier of the block that is
// missing shows as a race within a warp, too, and one of the warp would not mend it.
bool replaces(const Finding& now, const Finding& known);

}  // namespace klab::sim
