// Device and page-locked memory that one problem gave back, for the next one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace klab::runner {

/// Pieces of memory that were given back, so many at most, of a quarter of a gigabyte together.
template <class Piece, std::size_t MostPieces>
class Spares {
 public:
  Spares() { all_.reserve(MostPieces); }  // so that to put one takes no memory

  /// One that fits; the last that came, for it is the likeliest to be near.
  template <class Fits>
  std::optional<Piece> take(Fits fits) {
    const auto found = std::find_if(all_.rbegin(), all_.rend(),
                                    [&](const Kept& kept) { return fits(kept.piece); });
    if (found == all_.rend()) return std::nullopt;
    const Piece taken = found->piece;
    bytes_ -= found->bytes;
    all_.erase(std::next(found).base());
    return taken;
  }
  /// False if that is more than is kept.
  bool put(const Piece& piece, std::size_t bytes) {
    if (all_.size() >= MostPieces || bytes_ + bytes > most_bytes) return false;
    all_.push_back({piece, bytes});
    bytes_ += bytes;
    return true;
  }
  template <class Drop>
  void drop_all(Drop drop) {
    for (const Kept& kept : all_) drop(kept.piece);
    all_.clear();
    bytes_ = 0;
  }

 private:
  struct Kept {
    Piece piece;
    std::size_t bytes;
  };
  static constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::vector<Kept> all_;
  std::size_t bytes_ = 0;
};

/// From now on memory that is given back is kept for whoever asks next, or is not any more. For
/// GPUs, where cudaMalloc and cudaFree take longer than most launches of a check; the simulator
/// looks at both.
void keep_spare_memory(bool on);

enum class SpareKind : std::uint8_t { device, pinned };

struct GiveBack {
  std::size_t bytes = 0;  ///< all that there is, which may be more than was asked for
  int device = 0;
  SpareKind kind = SpareKind::device;
  bool registered = false;  ///< page-locked after it was mapped
  void operator()(std::byte* memory) const noexcept;
};
/// Begins at a multiple of 256 bytes and holds anything.
using SpareBuffer = std::unique_ptr<std::byte, GiveBack>;

/// Of the current device. Errors: RunnerError, out_of_memory.
SpareBuffer take_memory(std::size_t bytes, SpareKind kind = SpareKind::device);

}  // namespace klab::runner
