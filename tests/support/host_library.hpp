// CUPTI's host library answers without a GPU, but not in a program built with AddressSanitizer.
#pragma once

#include <catch2/catch_test_macros.hpp>

namespace klab::test {

/// Call it outside of assertions: libcupti opens its host library with RTLD_DEEPBIND, which the
/// sanitizer refuses by ending the program.
inline void require_host_library() {
#ifdef __SANITIZE_ADDRESS__
  SKIP("CUPTI loads its host library in a way that AddressSanitizer refuses");
#endif
}

}  // namespace klab::test
