// What a kernel file may be asked for at larger sizes, going by what it took at smaller ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "core/course/lab.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab::runner {

class Affordable {
 public:
  /// `share`: of the instructions that a launch may execute; nullopt where nobody counts them.
  void launched(const VariantName& variant, const Size& size, std::optional<double> share) {
    if (share) known_[variant].push_back({size, *share});
  }
  /// Whether a launch stays well within what one may execute: a slow kernel is no endless loop.
  bool operator()(const VariantName& variant, const Size& size) const {
    const auto known = known_.find(variant);
    if (known == known_.end()) return true;
    constexpr double most = 0.5;
    const std::vector<Launch>& all = known->second;
    return std::any_of(all.begin(), all.end(), [&](const Launch& launch) {
      return launch.share * times_as_large(size, launch.size) <= most ||
             std::any_of(all.begin(), all.end(), [&](const Launch& smaller) {
               return by_growth(smaller, launch, size) <= most;
             });
    });
  }
  /// Whether a launch of that size, which was tried, took no more than that share; true where
  /// nobody counts.
  bool took_no_more(const VariantName& variant, const Size& size, double share) const {
    return !known_.contains(variant) || last_within(variant, {size}, share).has_value();
  }
  /// Whether a launch may well take more than that share, and is no endless loop because of it:
  /// where each extent counts for as much as its square, from whichever size that was launched.
  bool may_take(const VariantName& variant, const Size& size, double share) const {
    const auto known = known_.find(variant);
    return known != known_.end() &&
           std::all_of(known->second.begin(), known->second.end(), [&](const Launch& launch) {
             return launch.share * times_at_most(size, launch.size) > share;
           });
  }
  /// Of these sizes, each of which was launched, the last one at which a launch takes no more than
  /// that share.
  std::optional<Size> last_within(const VariantName& variant, const std::vector<Size>& sizes,
                                  double share) const {
    const auto known = known_.find(variant);
    if (known == known_.end()) return std::nullopt;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
      if (std::any_of(known->second.begin(), known->second.end(), [&](const Launch& launch) {
            return launch.size == *size && launch.share <= share;
          }))
        return *size;
    return std::nullopt;
  }

  /// `bytes`: the largest piece of the host's memory that a launch took, with so many elements in
  /// all buffers.
  void took(const VariantName& variant, const Size& size, std::size_t elements,
            std::uint64_t bytes) {
    pieces_[variant].push_back({size, elements, bytes});
  }
  /// Whether a launch leaves memory to others, where a piece grows with the problem. On a machine
  /// with a GPU only a small part of it would be needed; the simulator runs no more than some
  /// blocks of such a launch, but all of its host code.
  bool leaves_memory(const VariantName& variant, const Size& size, std::size_t elements) const {
    const auto known = pieces_.find(variant);
    if (known == pieces_.end()) return true;
    const auto by_bytes = [](const Piece& a, const Piece& b) { return a.bytes < b.bytes; };
    const auto by_size = [](const Piece& a, const Piece& b) { return a.elements < b.elements; };
    const auto first = known->second.begin(), last = known->second.end();
    const Piece largest = *std::max_element(first, last, by_bytes);
    const std::size_t most_elements = std::max_element(first, last, by_size)->elements;
    std::uint64_t fixed = 0;
    for (const Piece& piece : known->second)
      if (piece.elements <= most_elements / 4) fixed = std::max(fixed, piece.bytes);
    if (largest.bytes <= 2 * fixed) return true;
    constexpr double most_bytes = 0x1p30;
    const double by_elements = static_cast<double>(largest.bytes) /
                               static_cast<double>(largest.elements) *
                               static_cast<double>(elements);
    return std::min(by_elements, by_one_extent(known->second, largest, size)) <= most_bytes;
  }

 private:
  struct Launch {
    Size size;
    double share = 0;
  };
  /// What a launch takes at that size if it grows on as it did from one to another, twice as fast:
  /// a grid as large as the device has begun all of its blocks at the smallest size.
  static double by_growth(const Launch& from, const Launch& to, const Size& size) {
    constexpr double far = 64, faster = 2;
    const bool only_grows =
        std::equal(from.size.begin(), from.size.end(), to.size.begin(), to.size.end(),
                   [](std::int64_t less, std::int64_t more) { return less <= more; });
    if (!only_grows || times_as_large(to.size, from.size) < far)
      return std::numeric_limits<double>::infinity();
    return to.share + faster * std::max(0.0, to.share - from.share) * times_as_large(size, to.size);
  }
  struct Piece {
    Size size;
    std::size_t elements = 0;
    std::uint64_t bytes = 0;
  };
  /// Bytes at that size, where no piece was larger than the length of one extent has it, however
  /// long the others were: a table of tensors, say.
  static double by_one_extent(const std::vector<Piece>& pieces, const Piece& largest,
                              const Size& size) {
    constexpr double slack = 256, more = 2.5;  // what grows by doubling is up to twice too large
    constexpr double range = 64;
    double bytes = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size.size(); ++i) {
      const double each = more * static_cast<double>(largest.bytes) /
                          static_cast<double>(std::max<std::int64_t>(largest.size[i], 1));
      bool follows = true;
      std::int64_t shortest = largest.size[i];
      for (const Piece& piece : pieces) {
        if (piece.bytes == 0) continue;  // it found the room of an earlier launch
        shortest = std::min(shortest, piece.size[i]);
        follows &=
            static_cast<double>(piece.bytes) <= each * static_cast<double>(piece.size[i]) + slack;
      }
      if (follows && static_cast<double>(largest.size[i]) >= range * static_cast<double>(shortest))
        bytes = std::min(bytes, each * static_cast<double>(size[i]));
    }
    return bytes;
  }
  /// A launch may take each extent to the second power: pairs of elements, one row by another.
  static double times_at_most(const Size& size, const Size& known) {
    double times = 1;
    for (std::size_t i = 0; i < size.size(); ++i)
      times *= std::max(1.0, static_cast<double>(size[i]) / static_cast<double>(known[i]));
    return times * times;
  }
  /// By the extent that grows most; the others count for the size that is known.
  static double times_as_large(const Size& size, const Size& known) {
    double times = 1;
    for (std::size_t i = 0; i < size.size(); ++i)
      times = std::max(times, static_cast<double>(size[i]) / static_cast<double>(known[i]));
    return times;
  }

  std::map<VariantName, std::vector<Launch>> known_;
  std::map<VariantName, std::vector<Piece>> pieces_;
};

}  // namespace klab::runner
