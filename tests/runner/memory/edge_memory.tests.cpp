// Memory that ends at an edge: everything up to it is there, and nothing behind it.
#include "runner/memory/edge_memory.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "runner/device/cuda_check.hpp"
#include "support/checking.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

/// The signal that ends a process which reads this byte; 0 if none does.
int signal_of_reading(const std::byte* place) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    [[maybe_unused]] const auto value = *static_cast<const volatile std::byte*>(place);
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("host memory ends where reading one byte more is a fault", "[runner][edge]") {
  for (const std::size_t bytes : {edge_alignment, std::size_t{4096}, 4096 + edge_alignment}) {
    INFO(bytes);
    const HostEdge memory = make_host_edge(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % edge_alignment == 0);
    std::memset(memory.get(), 1, bytes);
    CHECK(signal_of_reading(memory.get() + bytes - 1) == 0);
    CHECK(signal_of_reading(memory.get() + bytes) == SIGSEGV);
  }
}

TEST_CASE("device memory ends where a copy of one byte more is refused", "[runner][edge][gpu]") {
  test::require_backend(Backend::gpu);
  const std::size_t bytes = 3 * edge_alignment;
  const DeviceEdge memory = make_device_edge(bytes);
  if (!memory) SKIP("this device cannot map memory by the piece");
  CHECK(has_edge(memory));
  CHECK(reinterpret_cast<std::uintptr_t>(memory.get()) % edge_alignment == 0);
  CHECK(cudaMemset(memory.get(), 1, bytes) == cudaSuccess);
  CHECK(cudaMemset(memory.get() + bytes, 1, 1) != cudaSuccess);
  cudaGetLastError();
}
