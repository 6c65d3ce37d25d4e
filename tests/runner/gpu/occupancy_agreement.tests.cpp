// The occupancy calculator against the device's own answer, over a grid of kernels, block sizes and
// shared memory.
#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/build/plugin_builder.hpp"
#include "core/measure/occupancy.hpp"
#include "support/checking.hpp"
#include "support/in_full.hpp"

using namespace klab;

namespace {

using KernelAt = const void* (*)(int);

/// The fixture's kernels, in a library that stays loaded.
KernelAt load_kernels(ComputeCapability capability) {
  const auto root = std::filesystem::path(KLAB_SOURCE_DIR) / "tests";
  const auto lab = load_lab(root / "fixtures", "01_scale");
  REQUIRE(lab);
  const auto toolchain = find_toolchain(test::tree());
  REQUIRE(toolchain);
  const auto built =
      build_plugin(test::tree(), *toolchain, *lab, VariantName("occupancy_kernels"),
                   root / "runner" / "fixtures" / "occupancy_kernels.cu", capability);
  if (!built) FAIL(klab::test::in_full(built.error()));
  void* library = ::dlopen(built->library.c_str(), RTLD_NOW | RTLD_LOCAL);
  INFO(::dlerror());
  REQUIRE(library != nullptr);
  return reinterpret_cast<KernelAt>(::dlsym(library, "kernel_at"));
}

}  // namespace

TEST_CASE("the calculator agrees with cudaOccupancyMaxActiveBlocksPerMultiprocessor",
          "[runner][occupancy][gpu]") {
  test::require_backend(Backend::gpu);
  const ComputeCapability capability = built_for(test::tree());
  const MultiprocessorLimits* limits = find_multiprocessor_limits(capability);
  if (!limits) SKIP("the calculator does not know this compute capability");
  const KernelAt kernel_at = load_kernels(capability);
  REQUIRE(kernel_at != nullptr);
  int compared = 0;
  for (int index = 0; const void* kernel = kernel_at(index); ++index) {
    cudaFuncAttributes facts{};
    REQUIRE(cudaFuncGetAttributes(&facts, kernel) == cudaSuccess);
    const auto most_dynamic =
        limits->shared_per_block_bytes - static_cast<std::int64_t>(facts.sharedSizeBytes);
    REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(most_dynamic)) == cudaSuccess);
    for (const int threads : {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024})
      for (const std::int64_t dynamic :
           {0,     1,     512,   1024,  4000,  8192,   15000,  16384,  32768,  49152,
            57344, 57345, 65536, 76800, 98304, 115712, 116736, 163840, 200000, 232448}) {
        if (dynamic > most_dynamic) continue;
        int theirs = -1;
        REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &theirs, kernel, threads, static_cast<std::size_t>(dynamic)) == cudaSuccess);
        const auto ours =
            occupancy({.compute_capability = capability,
                       .block_threads = threads,
                       .registers_per_thread = facts.numRegs,
                       .static_shared_bytes = static_cast<std::int64_t>(facts.sharedSizeBytes),
                       .dynamic_shared_bytes = dynamic});
        REQUIRE(ours);
        CAPTURE(index, facts.numRegs, facts.sharedSizeBytes, threads, dynamic);
        CHECK(ours->active_blocks == theirs);
        ++compared;
      }
  }
  CHECK(compared > 1000);
}
