// Two processes on the same pages, and memory that looks the same wherever it lies.
#include "runner/memory/shared_pages.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "core/process/process_control.hpp"
#include "runner/device/cuda_check.hpp"
#include "runner/memory/local_memory.hpp"
#include "support/checking.hpp"

using namespace klab;
using namespace klab::runner;

namespace {

constexpr std::size_t bytes = 5 * edge_alignment;
constexpr unsigned char mark = 0x5A;

/// Memory as `request` has it, at the addresses and with the end that it had before.
DeviceEdge shared(const Request& request) {
  DeviceEdge memory = make_device_edge(bytes);
  if (!memory) SKIP("this device cannot map memory by the piece");
  const std::byte* const before = memory.get();
  share_pages(request, {&memory});
  CHECK(memory.get() == before);
  CHECK(cudaMemset(memory.get(), 0, bytes) == cudaSuccess);
  CHECK(cudaMemset(memory.get() + bytes, 1, 1) != cudaSuccess);
  cudaGetLastError();
  return memory;
}

/// The test of this name in a process of its own, which is handed over `end`.
pid_t start(const char* test, int end, int other_end) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int kept = ::fcntl(end, F_DUPFD, handed_over_descriptor + 1);
  ::close(end);
  if (other_end >= 0) ::close(other_end);
  ::dup2(kept, handed_over_descriptor);
  ::close(kept);
  ::execl("/proc/self/exe", "tests", test, nullptr);
  ::_exit(127);
}

int exit_code_of(pid_t child) {
  constexpr int all_skipped = 4;  // Catch2's
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == all_skipped) SKIP("this device cannot map memory by the piece");
  return code;
}

}  // namespace

TEST_CASE("a side that gives its pages", "[.][pages-side]") {
  Request request;
  request.gives_pages_to = 1;
  const DeviceEdge memory = shared(request);
  // For as long as the other one may look: both clear the memory before.
  for (int tries = 0; tries < 400; ++tries) {
    REQUIRE(cudaMemset(memory.get(), mark, bytes) == cudaSuccess);
    ::usleep(5000);
  }
}

TEST_CASE("a side that takes pages", "[.][pages-side]") {
  Request request;
  request.takes_pages = true;
  const DeviceEdge memory = shared(request);
  unsigned char read = 0;
  for (int tries = 0; tries < 400 && read != mark; ++tries) {
    ::usleep(5000);
    REQUIRE(cudaMemcpy(&read, memory.get() + bytes - 1, 1, cudaMemcpyDefault) == cudaSuccess);
  }
  CHECK(read == mark);
}

TEST_CASE("a side that takes pages and is given none", "[.][pages-side]") {
  Request request;
  request.takes_pages = true;
  const DeviceEdge memory = shared(request);
  CHECK(cudaMemset(memory.get(), mark, bytes) == cudaSuccess);
}

TEST_CASE("what one side writes to shared pages the other one reads", "[runner][pages][gpu]") {
  test::require_backend(Backend::gpu);
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
  const pid_t giver = start("a side that gives its pages", ends[0], ends[1]);
  const pid_t taker = start("a side that takes pages", ends[1], ends[0]);
  for (const int end : ends) ::close(end);
  CHECK(exit_code_of(taker) == 0);
  CHECK(exit_code_of(giver) == 0);
}

TEST_CASE("who is given no pages lies on its own", "[runner][pages][gpu]") {
  test::require_backend(Backend::gpu);
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()) == 0);
  const pid_t alone = start("a side that takes pages and is given none", ends[1], ends[0]);
  for (const int end : ends) ::close(end);
  CHECK(exit_code_of(alone) == 0);
}

TEST_CASE("local memory that has moved leaves the stack limit as it was", "[runner][pages][gpu]") {
  test::require_backend(Backend::gpu);
  std::size_t before = 0, after = 0;
  REQUIRE(cudaDeviceGetLimit(&before, cudaLimitStackSize) == cudaSuccess);
  LocalMemory memory;
  for (std::uint64_t seed = 0; seed < 3; ++seed) memory.move(seed);
  REQUIRE(cudaDeviceGetLimit(&after, cudaLimitStackSize) == cudaSuccess);
  CHECK(after == before);
  CHECK(cudaGetLastError() == cudaSuccess);
}
