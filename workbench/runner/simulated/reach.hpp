// Which elements the blocks of a huge grid come to, told from some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace klab::runner {

/// Whether 32 bits are too few for the number of an element, or of a byte, of such a buffer.
constexpr bool is_beyond_32_bits(std::uint64_t elements, std::uint64_t element_bytes) {
  return elements > std::uint64_t{1} << 31 || elements * element_bytes > std::uint64_t{1} << 32;
}
/// What may end before a large problem does.
inline constexpr std::string_view bounded_things =
    "a table, a plan, room that is allocated, a number of turns, a grid";

/// Whether between these two places in an array, in bytes from its beginning, an index or a number
/// of bytes begins anew, or its last byte to look at lies there.
constexpr bool passes_landmark(std::uint64_t from, std::uint64_t to, std::uint64_t last,
                               std::uint64_t element_bytes) {
  constexpr std::uint64_t of_int = std::uint64_t{1} << 31, of_unsigned = std::uint64_t{1} << 32;
  for (const std::uint64_t place :
       {of_int, of_unsigned, of_int * element_bytes, of_unsigned * element_bytes, last})
    if (from < place && place <= to) return true;
  return false;
}

/// A buffer of such a launch, in memory of the simulator.
struct Stretch {
  std::byte* begin = nullptr;
  std::uint64_t count = 0;
  std::size_t element_bytes = 4;
  bool is_output = false;
  bool is_input = false;         ///< that nobody may write
  std::uint64_t may_stay = 0;    ///< elements that nobody has to write
  std::size_t marked_bytes = 0;  ///< at its end, touched by others than the kernel
};

struct Unreached {
  enum class Why { begins_anew, too_few_blocks };
  std::size_t buffer = 0;
  std::int64_t element = 0;  ///< the first of which that is known
  Why why = Why::begins_anew;
};

/// Runs the launch with one block alone; how often it reached for global memory, nullopt where it
/// could not be run.
using RunBlock = std::function<std::optional<std::uint64_t>(std::uint64_t block)>;

/// What is known of a launch's blocks.
struct GridUse {
  bool in_rows = false;  ///< the grid has several rows, whose first blocks may all have more to do
  bool by_number = false;  ///< each finds its work by its number: no atomic operation gives it out
};

/// How many blocks unreached() runs, and of how many of these it sees again what they write.
inline constexpr std::size_t blocks_apart = 20, blocks_seen_again = 12;

/// Holds two things against a kernel that has to use every element:
/// that of a buffer with most of its elements beyond 2^32 none of many blocks drawn at random
/// touches any there, nor, where each finds its work by its number, any in a part so long that this
/// is no chance, of what has to be read or written as a whole; and
/// that even if all blocks between the first and the last ones wrote as many elements of an output
/// as that of them which writes most, some would be left.
/// nullopt where neither is so, or nothing follows. What is touched is told by pages, what is
/// written by poison, so that it does not matter by which instruction.
std::optional<Unreached> unreached(const std::vector<Stretch>& stretches, std::uint64_t blocks,
                                   GridUse use, std::uint64_t seed, const RunBlock& run_block);

/// The first of the two alone, for launches of several kernels: each block that is run is that of
/// all of them.
std::optional<Unreached> begins_anew(const std::vector<Stretch>& stretches, std::uint64_t blocks,
                                     std::uint64_t seed, const RunBlock& run_block);

}  // namespace klab::runner
