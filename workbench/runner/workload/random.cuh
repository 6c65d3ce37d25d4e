// Random inputs: a hash without state, and the distributions that fields are drawn from.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace klab {

/// A 64-bit hash of (seed, index): the same on host and device, no state. Mixing function of
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
__host__ __device__ inline std::uint64_t hash(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/// Uniform in [low, high), 24 random bits.
__host__ __device__ inline float uniform(std::uint64_t seed, std::uint64_t index, float low,
                                         float high) {
  return low + (high - low) * static_cast<float>(hash(seed, index) >> 40) * 0x1p-24f;
}

/// A distribution is a function of (seed, index), on host and device alike. These are the common
/// ones; a `[=] __host__ __device__ (std::uint64_t seed, std::uint64_t index)` lambda is another.
/// That of an array may take the problem's `const Args&` first: values next to its scalars.

/// Real numbers in [low, high).
struct Uniform {
  float low, high;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    return uniform(seed, index, low, high);
  }
};

/// Whole numbers from `low` to `high`, both among them. The excess of the lower ones is below
/// (high - low) / 2^64.
struct Integers {
  std::int64_t low, high;
  __host__ __device__ std::int64_t operator()(std::uint64_t seed, std::uint64_t index) const {
    return low + static_cast<std::int64_t>(hash(seed, index) %
                                           (static_cast<std::uint64_t>(high - low) + 1));
  }
};

/// The same everywhere.
template <class T>
struct Constant {
  T value;
  __host__ __device__ T operator()(std::uint64_t, std::uint64_t) const { return value; }
};

/// The standard normal distribution, by Box and Muller ("A Note on the Generation of Random Normal
/// Deviates", 1958).
struct Normal {
  float mean = 0, deviation = 1;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const float angle = uniform(seed, index, 0, 6.2831853f);
    const float share = 1 - uniform(~seed, index, 0, 1);  // in (0, 1]
    return mean + deviation * sqrtf(-2 * logf(share)) * cosf(angle);
  }
};

/// 1 for one of the first `count`, whichever, and 0 for all others.
struct OneAlone {
  std::int64_t count;
  __host__ __device__ std::int64_t operator()(std::uint64_t seed, std::uint64_t index) const {
    return index == hash(seed, ~1ull) % static_cast<std::uint64_t>(count) ? 1 : 0;
  }
};

/// How many choices lie in a distribution, one inside the other.
template <class Draw>
constexpr unsigned depth_of() {
  if constexpr (requires { Draw::depth; })
    return Draw::depth;
  else
    return 0;
}

/// One of two distributions, chosen by the seed: every element of one problem comes from the same.
/// Nest it for more than two: each choice has a bit of its own.
template <class First, class Second>
struct Either {
  static constexpr unsigned depth =
      1 + (depth_of<First>() > depth_of<Second>() ? depth_of<First>() : depth_of<Second>());
  First first;
  Second second;
  __host__ __device__ auto operator()(std::uint64_t seed, std::uint64_t index) const {
    return (hash(seed, ~0ull) >> (depth - 1)) % 2 == 0 ? first(seed, index) : second(seed, index);
  }
};
template <class First, class Second>
Either(First, Second) -> Either<First, Second>;

/// The first of two where `choice` says so, which the size may decide.
template <class First, class Second>
struct FirstIf {
  static constexpr unsigned depth = depth_of<First>() > depth_of<Second>() ? depth_of<First>()
                                                                           : depth_of<Second>();
  bool choice;
  First first;
  Second second;
  __host__ __device__ auto operator()(std::uint64_t seed, std::uint64_t index) const {
    return choice ? first(seed, index) : second(seed, index);
  }
};
template <class First, class Second>
FirstIf(bool, First, Second) -> FirstIf<First, Second>;

/// For half of the seeds the same times one power of two, down to 2^lowest, which half of these
/// have: what holds for numbers around 1 may not where all are small together.
template <class Draw>
struct OrSmall {
  static constexpr unsigned depth = depth_of<Draw>();
  Draw draw;
  int lowest;
  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t bits = hash(seed, ~5ull);
    const int power = bits % 2 == 0       ? 0
                      : bits / 2 % 2 == 0 ? lowest
                                          : -static_cast<int>(bits / 4 % (1 - lowest));
    return ldexpf(draw(seed, index), power);
  }
};
template <class Draw>
OrSmall(Draw, int) -> OrSmall<Draw>;

/// What a field usually holds, and what else its contract allows; the latter is tried by the
/// correctness gate alone (Problem::unusual).
template <class Usual, class Unusual>
struct Sometimes {
  Usual usual;
  Unusual unusual;
  __host__ __device__ auto operator()(std::uint64_t seed, std::uint64_t index) const {
    return usual(seed, index);
  }
};
template <class Usual, class Unusual>
Sometimes(Usual, Unusual) -> Sometimes<Usual, Unusual>;

namespace detail {
/// Where a distribution takes no Args.
struct NoArgs {};

template <class Draw, class Args>
__host__ __device__ auto value_of(const Draw& draw, const Args& args, std::uint64_t seed,
                                  std::uint64_t index) {
  if constexpr (std::is_invocable_v<const Draw&, const Args&, std::uint64_t, std::uint64_t>)
    return draw(args, seed, index);
  else
    return draw(seed, index);
}

template <class Draw, class Args>
__host__ __device__ auto drawn_from(const Draw& draw, const Args& args, bool, std::uint64_t seed,
                                    std::uint64_t index) {
  return value_of(draw, args, seed, index);
}
template <class Usual, class Unusual, class Args>
__host__ __device__ auto drawn_from(const Sometimes<Usual, Unusual>& draw, const Args& args,
                                    bool unusual, std::uint64_t seed, std::uint64_t index) {
  using Both = std::common_type_t<decltype(value_of(draw.usual, args, seed, index)),
                                  decltype(value_of(draw.unusual, args, seed, index))>;
  return unusual ? static_cast<Both>(value_of(draw.unusual, args, seed, index))
                 : static_cast<Both>(value_of(draw.usual, args, seed, index));
}
}  // namespace detail

/// Floats at which code for ordinary ones goes wrong, among ordinary ones in [low, high): zeros and
/// ones of both signs, numbers next to zero, `largest` with either sign, and, where the contract
/// allows them, infinities and NaN. The seed decides whether they are many, few, or rare (the first
/// element, and one in 1,024), so that one stands alone in a row or a sum; whether a single large
/// one is all there is, near the beginning more often than far behind; or whether all elements are
/// equal, those in front of some place perhaps zero, or each about twice as large as the one
/// before.
struct Specials {
  float low, high;
  float largest;
  bool infinite = true, nan = true;
  /// Elements of each special value, where they come in turn: one input's times ten is another's,
  /// so that each value of the one meets each of the other.
  std::uint64_t in_turn = 1;

  __host__ __device__ float operator()(std::uint64_t seed, std::uint64_t index) const {
    const std::uint64_t manner = hash(seed, ~1ull) % 7;
    if (manner == 6) return special(index / in_turn % 10, seed);
    const float ordinary = uniform(seed, manner == 0 ? 0 : index, low, high);
    if (manner == 0)
      return hash(seed, ~5ull) % 2 == 0 && index < lonely_place(seed) ? 0.0f : ordinary;
    if (manner == 4)
      return index == lonely_place(seed) ? special(2 + hash(seed, ~4ull) % 5, seed) : ordinary;
    if (manner == 5) return ordinary * growth(index);
    const std::uint64_t bits = hash(~seed, index);
    const std::uint64_t one_in = manner == 1 ? 64 : manner == 2 ? 4 : 1024;
    if (bits % one_in == 0 || (manner == 3 && index == 0)) return special(bits / 1024 % 10, seed);
    return ordinary;
  }

 private:
  /// As likely in front of 2 as behind 2^19.
  __host__ __device__ static std::uint64_t lonely_place(std::uint64_t seed) {
    return hash(seed, ~2ull) & ((std::uint64_t{1} << hash(seed, ~3ull) % 21) - 1);
  }
  /// From 1 on, as far as no element is larger than `largest`.
  __host__ __device__ float growth(std::uint64_t index) const {
    const float most = largest / fmaxf(fmaxf(fabsf(low), fabsf(high)), 1.0f);
    if (most <= 1) return 1;
    return index < 126 ? fminf(ldexpf(1.0f, static_cast<int>(index)), most) : most;
  }
  /// With a sign or without, and all other bits set: either may be a mark for "nothing here".
  __host__ __device__ static float not_a_number(std::uint64_t seed) {
    const std::uint32_t bits = hash(seed, ~6ull) % 2 == 0 ? 0x7FFFFFFFu : 0xFFFFFFFFu;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  __host__ __device__ float special(std::uint64_t kind, std::uint64_t seed) const {
    switch (kind) {
      case 0:
        return -0.0f;
      case 1:
        return 0x1p-140f;
      case 2:
        return largest;
      case 3:
        return -largest;
      case 4:
        return infinite ? INFINITY : 0.0f;
      case 5:
        return infinite ? -INFINITY : low;
      case 6:
        return nan ? not_a_number(seed) : high;
      case 7:
        return fminf(1, largest);
      case 8:
        return fmaxf(-1, -largest);
      default:
        return 0.0f;
    }
  }
};

}  // namespace klab
