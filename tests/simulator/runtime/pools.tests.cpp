// What memory pools reserve, step by step as an H100 told it.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <cstdint>

#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

namespace {

constexpr std::uint64_t mib = 1 << 20;

cudaMemPool_t default_pool() {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  return pool;
}

/// Reserved, at most reserved, used, at most used; of what is reserved in MiB.
using State = std::array<std::uint64_t, 4>;
State state() {
  State out{};
  constexpr cudaMemPoolAttr attributes[] = {
      cudaMemPoolAttrReservedMemCurrent, cudaMemPoolAttrReservedMemHigh,
      cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh};
  for (std::size_t i = 0; i < out.size(); ++i)
    REQUIRE(cudaMemPoolGetAttribute(default_pool(), attributes[i], &out[i]) == cudaSuccess);
  out[0] /= mib, out[1] /= mib;
  return out;
}

void set(cudaMemPoolAttr attribute, std::uint64_t value) {
  REQUIRE(cudaMemPoolSetAttribute(default_pool(), attribute, &value) == cudaSuccess);
}
void keep(std::uint64_t bytes) { set(cudaMemPoolAttrReleaseThreshold, bytes); }
void* take(std::uint64_t bytes) {
  void* pointer = nullptr;
  REQUIRE(cudaMallocAsync(&pointer, bytes, nullptr) == cudaSuccess);
  return pointer;
}
void give(void* pointer) { REQUIRE(cudaFreeAsync(pointer, nullptr) == cudaSuccess); }
State waited() {
  REQUIRE(cudaStreamSynchronize(nullptr) == cudaSuccess);
  return state();
}
State trimmed(std::uint64_t bytes) {
  REQUIRE(cudaMemPoolTrimTo(default_pool(), bytes) == cudaSuccess);
  return state();
}
void forget_high_marks() {
  set(cudaMemPoolAttrReservedMemHigh, 0);
  set(cudaMemPoolAttrUsedMemHigh, 0);
}

}  // namespace

TEST_CASE("A pool reserves 32 MiB at a time, and releases them where the host waits",
          "[simulator][runtime]") {
  const Session session;
  forget_high_marks();
  void *a = take(mib), *b = take(20 * mib);
  CHECK(state() == State{32, 32, 21 * mib, 21 * mib});
  void* c = take(20 * mib);
  CHECK(state() == State{64, 64, 41 * mib, 41 * mib});
  give(c), give(b);
  CHECK(state() == State{64, 64, mib, 41 * mib});
  CHECK(waited() == State{32, 64, mib, 41 * mib});
  give(a);
  CHECK(waited() == State{0, 64, 0, 41 * mib});
  give(take(100));
  CHECK(state() == State{32, 64, 0, 41 * mib});
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(state() == State{0, 64, 0, 41 * mib});
  give(take(33 * mib));
  cudaEvent_t event = nullptr;
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaEventRecord(event, nullptr) == cudaSuccess);
  REQUIRE(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(state() == State{0, 64, 0, 41 * mib});
  CHECK(cudaEventDestroy(event) == cudaSuccess);
}

TEST_CASE("A pool keeps what its threshold allows, until it is trimmed", "[simulator][runtime]") {
  const Session session;
  forget_high_marks();
  keep(~0ull);
  give(take(100 * mib));
  CHECK(waited() == State{128, 128, 0, 100 * mib});
  CHECK(trimmed(40 * mib) == State{64, 128, 0, 100 * mib});
  CHECK(trimmed(32 * mib) == State{32, 128, 0, 100 * mib});
  CHECK(trimmed(1) == State{32, 128, 0, 100 * mib});
  CHECK(trimmed(0) == State{0, 128, 0, 100 * mib});
  give(take(mib));
  CHECK(trimmed(0) == State{32, 128, 0, 100 * mib});  // the free may be yet to come
  CHECK(waited() == State{32, 128, 0, 100 * mib});
  CHECK(trimmed(0) == State{0, 128, 0, 100 * mib});
  forget_high_marks();
  CHECK(state() == State{});
  keep(50 * mib);
  void *a = take(40 * mib), *b = take(40 * mib);
  give(a), give(b);
  CHECK(state() == State{96, 96, 0, 80 * mib});
  CHECK(waited() == State{32, 96, 0, 80 * mib});
  keep(0);
  CHECK(state()[0] == 32);
  CHECK(waited()[0] == 0);
}

TEST_CASE("A reset of the device empties pools and leaves their settings", "[simulator][runtime]") {
  const Session session;
  keep(7 * mib);
  take(mib);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(state()[0] == 0);
  CHECK(state()[2] == 0);
  std::uint64_t threshold = 0;
  CHECK(cudaMemPoolGetAttribute(default_pool(), cudaMemPoolAttrReleaseThreshold, &threshold) ==
        cudaSuccess);
  CHECK(threshold == 7 * mib);
  keep(0);
}
