// What is left of a kernel's demangled name.
#include "core/base/text/kernel_name.hpp"

#include <catch2/catch_test_macros.hpp>

using klab::short_name;

TEST_CASE("kernels are called as a programmer calls them", "[core][text]") {
  CHECK(short_name("(anonymous namespace)::spread(float const*, float*, long)") == "spread");
  CHECK(short_name("void tiled<(int)16, float>(float*)") == "tiled<(int)16, float>");
  CHECK(short_name("void (anonymous namespace)::tiles::scale<4>(float*)") == "tiles::scale<4>");
  CHECK(short_name("apply(float (*)(float), int (*) [3])") == "apply");
  CHECK(short_name("cudaLaunchKernel") == "cudaLaunchKernel");
  CHECK(short_name("cudaDeviceSynchronize (harness)") == "cudaDeviceSynchronize (harness)");
  CHECK(short_name("delay(unsigned long) (harness)") == "delay (harness)");
  CHECK(short_name("memcpy (host to device)") == "memcpy (host to device)");
  CHECK(short_name("(x") == "(x");
  CHECK(short_name("") == "");
}
