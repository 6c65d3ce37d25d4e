// SeededDraw: what a seed chooses.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace klab::random_kernel {

using Words = std::span<const char* const>;

/// Draws from a seed. The standard's distributions differ between libraries; these do not.
class SeededDraw {
 public:
  explicit SeededDraw(std::uint64_t seed)
      : engine_(static_cast<std::uint32_t>(seed * 0x9e3779b97f4a7c15 >> 32)) {}
  int below(int n) { return static_cast<int>((engine_() >> 8) % static_cast<std::uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  const char* of(Words words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }

 private:
  std::mt19937 engine_;
};

}  // namespace klab::random_kernel
