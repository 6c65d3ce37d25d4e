// What a runner is told of a kernel file.
#include "core/check/prepared_lab.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

TEST_CASE("a runner is told whether a kernel keeps something in local memory", "[core][check]") {
  KernelReport spills;
  spills.kernel = "spills";
  spills.stack_bytes = 256;
  const BuiltPlugin without{.library = "/a.so", .kernels = {{.kernel = "scale"}}};
  const BuiltPlugin with{.library = "/b.so", .kernels = {{.kernel = "scale"}, spills}};
  CHECK_FALSE(plugin_request(VariantName::mine, without).uses_local_memory);
  const PluginRequest asked = plugin_request(VariantName::flawed, with);
  CHECK(asked.uses_local_memory);
  CHECK(asked.variant == VariantName::flawed);
  CHECK(asked.library == "/b.so");
}
