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
  double otherwise = value;  ///< where another way to compute is as right, within that tolerance
};

/// Whether a result is one value: NaN only where NaN is right, infinity only where it is, or where
/// the value lies beyond what a T can hold. What is not computed but chosen or copied (tolerance 0)
/// keeps the sign of a zero.
template <class T>
__host__ __device__ bool accepted_as(T got, double want, double tolerance) {
  const double value = static_cast<double>(got);
  if (want != want) return value != value;
  if (fabs(want) == INFINITY) return value == want;
  if (tolerance == 0 && want == 0) return value == 0 && copysign(1.0, value) == copysign(1.0, want);
  if (!(tolerance < INFINITY)) return value == static_cast<double>(static_cast<T>(want));
  if (fabs(value) == INFINITY)
    return static_cast<double>(static_cast<T>(value > 0 ? want + tolerance : want - tolerance)) ==
           value;
  return fabs(value - want) <= tolerance;
}

/// Whether a result is what it must be.
template <class T>
__host__ __device__ bool accepted(T got, const Expected& want) {
  return accepted_as(got, want.value, want.tolerance) ||
         (want.otherwise != want.value && accepted_as(got, want.otherwise, want.tolerance));
}

}  // namespace klab
