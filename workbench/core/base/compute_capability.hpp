// ComputeCapability: what a GPU's generation can do, as "9.0"; and Architecture: what code is
// generated for, as "90a".
#pragma once

#include <charconv>
#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace klab {

class ComputeCapability {
 public:
  constexpr ComputeCapability(int major, int minor) : major_(major), minor_(minor) {}
  /// Of 90 or 121, as files and compilers write it; nullopt if it is none.
  static constexpr std::optional<ComputeCapability> from(int number) {
    if (number < 10 || number > 999) return std::nullopt;
    return ComputeCapability(number / 10, number % 10);
  }

  constexpr int major_version() const { return major_; }
  constexpr int minor_version() const { return minor_; }
  /// 90: major * 10 + minor
  constexpr int number() const { return major_ * 10 + minor_; }

  auto operator<=>(const ComputeCapability&) const = default;

 private:
  int major_;
  int minor_;
};

/// Of the GPUs that CUDA 13 builds for, the first generation.
inline constexpr ComputeCapability oldest_compute_capability{7, 5};
/// What is built for where no GPU is present, and what the simulator is like.
inline constexpr ComputeCapability default_compute_capability{9, 0};

/// A target of code generation.
struct Architecture {
  ComputeCapability capability;
  /// "a": also the features that later generations lack; the code runs on this capability alone.
  bool own_features = false;

  bool operator==(const Architecture&) const = default;
};

/// "9.0"
inline std::string to_string(ComputeCapability capability) {
  return std::to_string(capability.major_version()) + "." +
         std::to_string(capability.minor_version());
}
/// "90" or "90a", as it follows `sm_` and `compute_`
inline std::string to_string(const Architecture& architecture) {
  return std::to_string(architecture.capability.number()) + (architecture.own_features ? "a" : "");
}

/// Of "90" or "90a"; nullopt if it is none.
inline std::optional<Architecture> architecture_from(std::string_view text) {
  const bool own_features = text.ends_with('a');
  if (own_features) text.remove_suffix(1);
  int number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  const auto capability = ComputeCapability::from(number);
  return capability ? std::optional(Architecture{*capability, own_features}) : std::nullopt;
}

/// Of "9.0" or "90"; nullopt if it is none.
inline std::optional<ComputeCapability> compute_capability_from(std::string_view text) {
  std::string digits(text);
  // One digit follows the point: 12.1 is 121.
  if (const auto point = digits.find('.'); point != digits.npos && point + 2 == digits.size())
    digits.erase(point, 1);
  const auto architecture = architecture_from(digits);
  if (!architecture || architecture->own_features) return std::nullopt;
  return architecture->capability;
}

}  // namespace klab
