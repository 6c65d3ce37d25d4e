// How an access that leaves its memory, or lies crooked in it, is told.
#include <cstring>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace stray_addresses_tests {
namespace {

constexpr const char* source = R"(
__global__ void gather(const int* from, const float* x, float* y) {
  y[threadIdx.x] = x[from[threadIdx.x]];
}
__global__ void wide(const char* x, float2* y) {
  y[threadIdx.x] = *(const float2*)(x + 12);
}
)";

}  // namespace

TEST_CASE("A stray address is told from the living array that is nearest, on either side",
          "[simulator][memory]") {
  DeviceMemory memory;
  const auto place = [&](std::uint64_t bytes, const char* name) {
    return memory.allocate(bytes, MemoryKind::device, name).value();
  };
  const std::uint64_t freed = place(4'000'000, "args.potential"), stars = place(4096, "args.stars");
  const std::uint64_t last = place(1, "args.kind");
  CHECK(memory.release(freed));
  const auto told = [&](std::uint64_t address) { return memory.describe(address); };
  CHECK(told(stars - 2048).starts_with("2048 bytes in front of args.stars (4096 bytes at "));
  CHECK(told(stars + 4097).starts_with("1 byte past the end of args.stars"));
  CHECK(told(freed + 4'000'008).starts_with("8 bytes past the end of args.potential"));
  CHECK(told(freed + 8).ends_with(", already freed)"));
  CHECK(told(last).starts_with("byte 0 of args.kind (1 byte at "));
  CHECK(told(last + 100'000) == "memory with no array near it");
}

TEST_CASE("An access that begins inside an array is told by what lies behind its end",
          "[simulator][memory]") {
  DeviceMemory memory;
  const std::uint64_t out = memory.allocate(18, MemoryKind::device, "args.out").value();
  CHECK(memory.describe(out + 16, 4) ==
        "from byte 16 of args.out on, which has 18: the last 2 lie behind its end");
  CHECK(memory.describe(out + 15, 4) ==
        "from byte 15 of args.out on, which has 18: the last one lies behind its end");
  CHECK(memory.describe(out + 16, 2) == memory.describe(out + 16));
}

TEST_CASE("What nothing has written is named as the cause of a stray address",
          "[simulator][memory]") {
  Loaded device(ptx_of(source));
  const auto x = device.zeros<float>(32), y = device.zeros<float>(32);
  DeviceMemory& memory = device.device.memory();
  memory.set_tracking(true);
  const std::uint64_t unset = memory.allocate(128, MemoryKind::device).value();
  std::memset(memory.host_view(unset, 128), 0x3f, 128);
  const LaunchResult result =
      device.launch("gather", {1}, {32}, arguments(unset, x, y), {.checks = Checks::full});
  const Finding* finding = find(result, FindingKind::out_of_bounds);
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("what line 3 reads, which nothing has written") != std::string::npos);
}

TEST_CASE("A crooked access is told by how far it is from a multiple, and what a GPU does",
          "[simulator][memory]") {
  Loaded device(ptx_of(source));
  const auto x = device.zeros<float>(32), y = device.zeros<float>(64);
  const LaunchResult result = device.launch("wide", {1}, {1}, arguments(x, y));
  const Finding* finding = find(result, FindingKind::misaligned);
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("4 bytes behind a multiple of 8") != std::string::npos);
  CHECK(finding->message.ends_with("cudaErrorMisalignedAddress"));
}

}  // namespace stray_addresses_tests
