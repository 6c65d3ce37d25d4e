// What a result must be, and when it is accepted.
#pragma once

#include <cuda_runtime.h>

#include <cmath>

namespace klab {

/// What one output element must be: `value` in double precision, and how far a correct result may
/// be off.
struct Expected {
  double value;
  double tolerance;
};

/// Whether a result is what it must be: NaN only where NaN is right, infinity only where it is, or
/// where the value lies beyond what a T can hold. What is not computed but chosen or copied
/// (tolerance 0) keeps the sign of a zero.
template <class T>
__host__ __device__ bool accepted(T got, const Expected& want) {
  const double value = static_cast<double>(got);
  if (want.value != want.value) return value != value;
  if (fabs(want.value) == INFINITY) return value == want.value;
  if (want.tolerance == 0 && want.value == 0)
    return value == 0 && copysign(1.0, value) == copysign(1.0, want.value);
  if (!(want.tolerance < INFINITY)) return value == static_cast<double>(static_cast<T>(want.value));
  if (fabs(value) == INFINITY)
    return static_cast<double>(static_cast<T>(value > 0 ? want.value + want.tolerance
                                                        : want.value - want.tolerance)) == value;
  return fabs(value - want.value) <= want.tolerance;
}

}  // namespace klab
