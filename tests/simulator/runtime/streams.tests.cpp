// Streams, events and host functions: what runs when, and what is found in between.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cfenv>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulator/api/simulator_api.h"
#include "simulator/runtime/session.hpp"

using namespace klab::sim::test;

TEST_CASE("Eager streams finish at once and events carry host time", "[simulator][runtime]") {
  const Session session;
  cudaStream_t stream = nullptr;
  cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
  REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1) == cudaSuccess);
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  REQUIRE(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming) == cudaSuccess);
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  CHECK(milliseconds >= 0);
  CHECK(cudaEventRecord(untimed, stream) == cudaSuccess);
  CHECK(cudaEventElapsedTime(&milliseconds, start, untimed) == cudaErrorInvalidResourceHandle);
  CHECK(report()["event_time"] == "host clock");
  int priority = 0;
  CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
  CHECK(priority == -1);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorInvalidResourceHandle);
  CHECK(cudaEventDestroy(end) == cudaSuccess);
  CHECK(cudaEventDestroy(end) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("A counting clock shows what was executed between two events, and the same each time",
          "[simulator][runtime]") {
  const Session session(R"({"clock": "counting"})");
  CHECK(report()["event_time"] == "counts");
  cudaEvent_t start = nullptr, end = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  const auto calls_between = [&](int calls) {
    CHECK(cudaEventRecord(start, nullptr) == cudaSuccess);
    int device = 0;
    for (int i = 0; i < calls; ++i) CHECK(cudaGetDevice(&device) == cudaSuccess);
    CHECK(cudaEventRecord(end, nullptr) == cudaSuccess);
    float milliseconds = -1;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
    return std::lround(milliseconds * 1e6);  // a nanosecond for each
  };
  const long none = calls_between(0);
  CHECK(none > 0);
  CHECK(calls_between(0) == none);
  CHECK(calls_between(1000) == none + 1000);
  const auto before = klab_sim_clock();
  CHECK(klab_sim_clock() == before + 1);  // who waits for it waits for something that comes
}

TEST_CASE(
    "A time between events that is used before it is there is told, and waiting for it is not",
    "[simulator][runtime]") {
  const Session session(R"({"deferred": true, "checks": "full"})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaEvent_t start = nullptr, end = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile float milliseconds = 0;
  const auto record = [&] {
    REQUIRE(cudaEventRecord(start, stream) == cudaSuccess);
    REQUIRE(cudaEventRecord(end, stream) == cudaSuccess);
  };
  const auto ask = [&] {
    return cudaEventElapsedTime(const_cast<float*>(&milliseconds), start, end);
  };
  volatile double sum = 0;
  record();
  const char* const who = GENERATE("ignores", "leaves out", "waits", "polls", "marks");
  CAPTURE(who);
  const std::string does = who;
  if (does == "marks") milliseconds = -1;
  CHECK(ask() == cudaErrorNotReady);
  if (does == "marks") CHECK(milliseconds == -1);
  if (does == "ignores" || does == "marks") sum = sum + milliseconds;
  if (does == "waits") CHECK(cudaEventSynchronize(end) == cudaSuccess);
  if (does == "waits" || does == "polls") {
    CHECK(ask() == cudaSuccess);
    sum = sum + milliseconds;
  }
  record();  // another pair, of the same events
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(ask() == cudaSuccess);
  sum = sum + milliseconds;
  cudaGetLastError();
  const auto findings = report()["findings"];
  REQUIRE(findings.size() == (does == "ignores" ? 1 : 0));
  if (does != "ignores") return;
  CHECK(findings[0]["kind"] == "unsynchronized_read");
  CHECK(findings[0]["message"].get<std::string>().find("cudaErrorNotReady") != std::string::npos);
}

TEST_CASE("Where a mark was left to stand for a time, most times are kept back until asked again",
          "[simulator][runtime]") {
  const Session session(R"({"deferred": true, "checks": "full", "quiet": true})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  cudaEvent_t start = nullptr, end = nullptr;
  REQUIRE(cudaEventCreate(&start) == cudaSuccess);
  REQUIRE(cudaEventCreate(&end) == cudaSuccess);
  const auto record = [&](bool waits) {
    REQUIRE(cudaEventRecord(start, stream) == cudaSuccess);
    REQUIRE(cudaEventRecord(end, stream) == cudaSuccess);
    if (waits) REQUIRE(cudaEventSynchronize(end) == cudaSuccess);
  };
  const float mark = GENERATE(-1.0f, -HUGE_VALF, HUGE_VALF, NAN);
  const bool asks_again = GENERATE(false, true);
  CAPTURE(mark, asks_again);
  float milliseconds = mark;
  record(false);
  CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady);
  if (asks_again) CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
  klab_sim_begin();
  const auto kept_back = [&](float begins_as) {
    int late = 0;
    for (int i = 0; i < 9; ++i) {
      record(true);
      milliseconds = begins_as;
      late += cudaEventElapsedTime(&milliseconds, start, end) == cudaErrorNotReady;
      CHECK(cudaEventElapsedTime(&milliseconds, start, end) == cudaSuccess);
    }
    return late;
  };
  CHECK(kept_back(mark) == (asks_again ? 0 : 6));
  CHECK(kept_back(0) == 0);
  CHECK(report()["findings"].empty());
}

TEST_CASE("Deferred copies run when waited for, and poison until then", "[simulator][runtime]") {
  const Session session(R"({"deferred": true})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  std::vector<float> registered(4096, 1.0f);
  REQUIRE(cudaHostRegister(registered.data(), registered.size() * 4, 0) == cudaSuccess);
  float *pinned = nullptr, *device = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
  *pinned = 3.0f;
  CHECK(cudaMemsetAsync(device, 0, 4, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(report()["host"]["device_to_host_copies"] == 0);
  CHECK(std::isnan(*static_cast<volatile float*>(pinned)));
  REQUIRE(report()["findings"].size() == 1);
  CHECK(report()["findings"][0]["kind"] == "unsynchronized_read");
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*pinned == 0.0f);
  CHECK(report()["findings"].size() == 1);
  // Pageable memory is staged: the source may change, the destination is complete on return.
  float plain = 5.0f, back = 0.0f;
  CHECK(cudaMemcpyAsync(device, &plain, 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  plain = 6.0f;
  CHECK(cudaMemcpyAsync(&back, device, 4, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(back == 5.0f);
  CHECK(cudaHostUnregister(registered.data()) == cudaSuccess);
}

TEST_CASE("Findings call work, streams and memory by the names that they were given",
          "[simulator][runtime]") {
  const Session session(R"({"deferred": true, "checks": "full"})");
  cudaStream_t given = nullptr, own = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&given, cudaStreamNonBlocking) == cudaSuccess);
  REQUIRE(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) == cudaSuccess);
  float* device = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 64) == cudaSuccess);
  klab_sim_name_stream(given, "the given stream");
  klab_sim_name_memory(device, "args.out");
  klab_sim_name_work("the work before");
  CHECK(cudaMemsetAsync(device, 0, 64, given) == cudaSuccess);
  klab_sim_name_work(nullptr);
  CHECK(cudaMemsetAsync(device, 1, 64, own) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 0, 64, given) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 1, 64, own) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const auto findings = report()["findings"];
  REQUIRE(findings.size() == 2);
  const std::string first = findings[0]["message"], second = findings[1]["message"];
  CHECK(first.find("he work before writes") != std::string::npos);
  CHECK(first.find("byte 0 of args.out (64 bytes") != std::string::npos);
  CHECK(second.find("memset on the given stream") != std::string::npos);
}

TEST_CASE("Stream-ordered memory is counted and checked in stream order", "[simulator][runtime]") {
  const Session session(R"({"deferred": true})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  void* memory = nullptr;
  REQUIRE(cudaMallocAsync(&memory, 256, stream) == cudaSuccess);
  CHECK(report()["host"]["kept_allocations"] == 1);
  CHECK(cudaMemsetAsync(memory, 1, 256, stream) == cudaSuccess);
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  std::uint64_t used = 0;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 256);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess);
  CHECK(used == 0);
  CHECK(cudaFreeAsync(memory, stream) == cudaErrorInvalidValue);
  // Taken once, given back once; nothing of it makes the host wait.
  CHECK(report()["host"]["pool_allocation_calls"] == 2);
  CHECK(report()["host"]["allocation_calls"] == 0);
  CHECK(report()["host"]["kept_allocations"] == 0);
}

TEST_CASE("A copy or memset of memory that is freed in front of it is blamed itself",
          "[simulator][runtime]") {
  const Session session(R"({"deferred": true, "checks": "full"})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  void* memory = nullptr;
  void* result = nullptr;
  REQUIRE(cudaMallocHost(&result, 256) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&memory, 256, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 1, 256, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  const auto [work, does] = GENERATE(std::pair{"A copy", "reads"}, std::pair{"A memset", "writes"});
  if (std::string(does) == "reads")
    CHECK(cudaMemcpyAsync(result, memory, 256, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  else
    CHECK(cudaMemsetAsync(memory, 2, 256, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
  const auto told = report();
  REQUIRE(told["findings"].size() == 1);
  CHECK(told["findings"][0]["kind"] == "use_after_free");
  const std::string message = told["findings"][0]["message"];
  CHECK(message.starts_with(std::string(work) + " " + does + " memory that is freed"));
  CHECK(message.find("cudaFreeAsync comes in the stream's order") != std::string::npos);
  CHECK(told["error"]["work"] == "a" + std::string(work).substr(1));
}

TEST_CASE("A copy of memory that is freed, or of none, is refused in such words",
          "[simulator][runtime]") {
  const Session session;
  void* memory = nullptr;
  char result[16];
  REQUIRE(cudaMalloc(&memory, sizeof result) == cudaSuccess);
  char* const beyond = static_cast<char*>(memory) + (32 << 20);
  CHECK(cudaMemcpy(result, beyond, sizeof result, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  REQUIRE(cudaFree(memory) == cudaSuccess);
  CHECK(cudaMemcpy(result, memory, sizeof result, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  const auto findings = report()["findings"];
  REQUIRE(findings.size() == 2);
  CHECK(findings[0]["message"].get<std::string>().find("lies in no allocation") !=
        std::string::npos);
  CHECK(findings[1]["message"].get<std::string>().find("is freed already") != std::string::npos);
}

TEST_CASE("Streams, events, graphs and pools count as living until they are destroyed",
          "[simulator][runtime]") {
  const Session session;
  const auto living = [] { return report()["living_objects"].get<int>(); };
  const int before = living();
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, {0}};
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  REQUIRE(cudaEventCreate(&event) == cudaSuccess);
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  CHECK(living() == before + 5);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(living() == before + 4);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(ready) == cudaSuccess);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  CHECK(living() == before);
}

TEST_CASE("What is kept and lives is told alone as in the report", "[simulator][runtime]") {
  const Session session;
  void* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, 256) == cudaSuccess);
  long long kept = 0;
  unsigned long long living = 0;
  klab_sim_living(&kept, &living);
  CHECK(kept == 1);
  CHECK(living == report()["living_objects"].get<unsigned long long>());
  REQUIRE(cudaFree(memory) == cudaSuccess);
  klab_sim_living(&kept, &living);
  CHECK(kept == 0);
}

TEST_CASE(
    "What a program sets for its own arithmetic reaches no kernel, and no host function's the "
    "program",
    "[simulator][runtime]") {
  const Session session;
  std::fenv_t before;
  std::fegetenv(&before);
  CHECK(std::fesetround(FE_DOWNWARD) == 0);
  CHECK(cudaLaunchHostFunc(
            nullptr, [](void*) { std::fesetround(FE_UPWARD); }, nullptr) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(std::fegetround() == FE_DOWNWARD);
  std::fesetenv(&before);
}

TEST_CASE("Host functions run in stream order", "[simulator][runtime]") {
  const Session session(R"({"deferred": true})");
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  std::string order;
  const auto append_a = [](void* text) { *static_cast<std::string*>(text) += "a"; };
  const auto append_b = [](cudaStream_t, cudaError_t, void* text) {
    *static_cast<std::string*>(text) += "b";
  };
  CHECK(cudaLaunchHostFunc(stream, append_a, &order) == cudaSuccess);
  CHECK(cudaStreamAddCallback(stream, append_b, &order, 0) == cudaSuccess);
  CHECK(order.empty());
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(order == "ab");
}

TEST_CASE("A copy behind a host function stays open to it, and one beside it does not",
          "[simulator][runtime]") {
  const Session session(R"({"deferred": true})");
  cudaStream_t one = nullptr, other = nullptr;
  REQUIRE(cudaStreamCreate(&one) == cudaSuccess);
  REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
  int *behind = nullptr, *beside = nullptr, *device = nullptr;
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&behind), 4) == cudaSuccess);
  REQUIRE(cudaMallocHost(reinterpret_cast<void**>(&beside), 4) == cudaSuccess);
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&device), 4) == cudaSuccess);
  *behind = 7;
  REQUIRE(cudaMemset(device, 0, 4) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(
            one, [](void* seen) { ++*static_cast<int*>(seen); }, behind) == cudaSuccess);
  CHECK(cudaMemcpyAsync(behind, device, 4, cudaMemcpyDeviceToHost, one) == cudaSuccess);
  CHECK(cudaMemcpyAsync(beside, device, 4, cudaMemcpyDeviceToHost, other) == cudaSuccess);
  CHECK(*static_cast<volatile int*>(behind) == 7);
  CHECK(report()["findings"].empty());
  [[maybe_unused]] const int early = *static_cast<volatile int*>(beside);
  REQUIRE(report()["findings"].size() == 1);
  CHECK(report()["findings"][0]["kind"] == "unsynchronized_read");
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*behind == 0);
  CHECK(report()["findings"].size() == 1);
}

TEST_CASE("A host function may not call the runtime", "[simulator][runtime]") {
  const Session session;
  const auto call = [](void* code) {
    int device = 0;
    *static_cast<cudaError_t*>(code) = cudaGetDevice(&device);
  };
  cudaError_t code = cudaSuccess;
  CHECK(cudaLaunchHostFunc(nullptr, call, &code) == cudaSuccess);
  CHECK(code == cudaErrorNotPermitted);
  const auto findings = report()["findings"];
  REQUIRE(findings.size() == 1);
  CHECK(findings[0]["kind"] == "call_in_host_function");
  CHECK(findings[0]["message"].get<std::string>().find("calls cudaGetDevice") != std::string::npos);
  call(&code);
  CHECK(code == cudaSuccess);
}

TEST_CASE("A stream's priority is what it was made with, cut to the range, however it is asked",
          "[simulator][runtime]") {
  const Session session;
  for (const auto& [wanted, given] : {std::pair{-2, -2}, std::pair{-100, -5}, std::pair{9, 0}}) {
    cudaStream_t stream = nullptr;
    int priority = 7;
    cudaLaunchAttributeValue value{};
    REQUIRE(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, wanted) == cudaSuccess);
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK(cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, &value) == cudaSuccess);
    CHECK((priority == given && value.priority == given));
  }
}
