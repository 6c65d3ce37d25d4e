// Sanitized: what cannot be run where the product is built with AddressSanitizer.
#pragma once

#include <catch2/catch_test_macros.hpp>

namespace klab {

/// For tests that start a program of nvcc's on the simulated runtime: the sanitizer would have to
/// be loaded before that runtime, and such a program does not bring it.
inline void skip_if_sanitized() {
#ifdef __SANITIZE_ADDRESS__
  SKIP("a program without AddressSanitizer cannot load a runtime that has it");
#endif
}

}  // namespace klab
