// The runtime's functions called directly: memory, copies, streams, events, errors, settings.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulator/api/simulator_api.h"
#include "simulator/runtime/state/errors.hpp"

namespace {

nlohmann::json report() {
  std::string text(klab_sim_report(nullptr, 0), '\0');
  klab_sim_report(text.data(), text.size());
  text.pop_back();
  return nlohmann::json::parse(text);
}

/// Default settings and zero counts around each test.
struct Session {
  explicit Session(const char* settings = "{}") {
    klab_sim_configure(
        R"({"checks": "fast", "deferred": false, "clock": "host", "memory_limit_bytes": 268435456})");
    REQUIRE(klab_sim_configure(settings) == 0);
    klab_sim_begin();
    cudaGetLastError();
  }
  ~Session() {
    klab_sim_configure(R"({"deferred": false})");
    cudaDeviceReset();
    klab_sim_begin();
    cudaGetLastError();
  }
};

}  // namespace

TEST_CASE("The device says what it is and that it has no timing", "[simulator][runtime]") {
  const Session session;
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(std::string(properties.name) == "simulated sm_90 (no timing)");
  CHECK(properties.major == 9);
  CHECK(properties.warpSize == 32);
  CHECK(properties.totalGlobalMem == 268435456);
  CHECK(cudaGetDeviceProperties(&properties, 1) == cudaErrorInvalidDevice);
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0) == cudaSuccess);
  CHECK(value == properties.multiProcessorCount);
  for (const auto clock :
       {cudaDevAttrClockRate, cudaDevAttrMemoryClockRate, cudaDevAttrGlobalMemoryBusWidth}) {
    value = -1;
    CHECK(cudaDeviceGetAttribute(&value, clock, 0) == cudaSuccess);
    CHECK(value == 0);
  }
  CHECK(report().dump().find("no clocks") != std::string::npos);
}

TEST_CASE("Every attribute that a GPU answers is answered", "[simulator][runtime]") {
  const Session session;
  int refused = 0;
  for (int attribute = 1; attribute < cudaDevAttrMax; ++attribute) {
    int value = -1;
    refused +=
        cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(attribute), 0) != cudaSuccess;
  }
  CHECK(refused <= 20);  // numbers that CUDA leaves unused or reserved
  int value = -1;
  CHECK(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0) == cudaErrorInvalidValue);
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) ==
        cudaErrorInvalidDevice);
}

TEST_CASE("Every error code has its name and text", "[simulator][runtime]") {
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(cudaGetErrorName(static_cast<cudaError_t>(12345))) ==
        "unrecognized error code");
}

TEST_CASE("The last error is kept until it is asked for", "[simulator][runtime]") {
  const Session session;
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  CHECK(cudaSetDevice(0) == cudaSuccess);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("Copies of all shapes move the right bytes", "[simulator][runtime]") {
  const Session session;
  std::vector<unsigned char> host(64 * 8), back(64 * 8, 0);
  for (std::size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(i * 37);
  void* device = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&device, &pitch, 64, 8) == cudaSuccess);
  CHECK(pitch == 512);
  CHECK(cudaMemcpy2D(device, pitch, host.data(), 64, 64, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemset2D(static_cast<char*>(device) + 2 * pitch, pitch, 9, 64, 1) == cudaSuccess);
  CHECK(cudaMemcpy2D(back.data(), 64, device, pitch, 64, 8, cudaMemcpyDefault) == cudaSuccess);
  for (std::size_t i = 0; i < host.size(); ++i) {
    CHECK(back[i] == (i / 64 == 2 ? 9 : host[i]));
  }
  cudaMemcpy3DParms box{};
  box.srcPtr = {device, pitch, 64, 2};
  box.dstPtr = {back.data(), 16, 16, 2};
  box.srcPos = {16, 1, 1};  // slice 1, row 1: row 3 of the allocation
  box.extent = {16, 1, 2};
  box.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&box) == cudaSuccess);
  CHECK(std::memcmp(back.data(), host.data() + 3 * 64 + 16, 16) == 0);
  CHECK(std::memcmp(back.data() + 32, host.data() + 5 * 64 + 16, 16) == 0);
  const auto counts = report()["host"];
  CHECK(counts["host_to_device_copies"] == 1);
  CHECK(counts["host_to_device_bytes"] == 512);
  CHECK(counts["device_to_host_bytes"] == 512 + 32);
  CHECK(counts["largest_host_copy_bytes"] == 512);
  CHECK(counts["pageable_copies"] == 3);  // vectors are ordinary memory
  CHECK(counts["memsets"] == 1);
  CHECK(cudaMemcpy2D(device, 32, host.data(), 64, 64, 8, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidPitchValue);
  CHECK(cudaFree(device) == cudaSuccess);
}

TEST_CASE("A copy in the wrong direction is refused", "[simulator][runtime]") {
  const Session session;
  int host = 1;
  void *first = nullptr, *second = nullptr;
  REQUIRE(cudaMalloc(&first, 4) == cudaSuccess);
  REQUIRE(cudaMalloc(&second, 4) == cudaSuccess);
  CHECK(cudaMemcpy(first, &host, 4, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(first, second, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemcpy(first, second, 4, cudaMemcpyDeviceToDevice) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, &host, 4, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(cudaMemset(&host, 0, 4) == cudaErrorInvalidValue);
  // None at all, and yet a value that C++ lets this enumeration hold.
  int source = 1, target = 0;
  CHECK(cudaMemcpy(&target, &source, sizeof target, static_cast<cudaMemcpyKind>(7)) ==
        cudaErrorInvalidMemcpyDirection);
}

TEST_CASE("Memory is limited, leaks are listed, double frees refused", "[simulator][runtime]") {
  const Session session(R"({"memory_limit_bytes": 1048576})");
  void *kept = nullptr, *big = nullptr;
  REQUIRE(cudaMalloc(&kept, 1000) == cudaSuccess);
  CHECK(cudaMalloc(&big, 2 << 20) == cudaErrorMemoryAllocation);
  std::size_t free_bytes = 0, total_bytes = 0;
  CHECK(cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess);
  CHECK(total_bytes == 1048576);
  CHECK(free_bytes == 1048576 - 1000);
  REQUIRE(report()["leaks"].size() == 1);
  CHECK(report()["leaks"][0]["bytes"] == 1000);
  CHECK(report()["leaks"][0]["kind"] == "device");
  CHECK(cudaFree(kept) == cudaSuccess);
  CHECK(report()["leaks"].empty());
  CHECK(cudaFree(kept) == cudaErrorInvalidValue);
  CHECK(report()["findings"][0]["kind"] == "use_after_free");
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(report()["host"]["allocation_calls"] == 2);
}

TEST_CASE("Pointers know their kind", "[simulator][runtime]") {
  const Session session;
  void *device = nullptr, *pinned = nullptr, *managed = nullptr;
  std::vector<char> plain(8192);
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 100, cudaMemAttachGlobal) == cudaSuccess);
  std::memset(pinned, 1, 100);
  std::memset(managed, 1, 100);
  const auto type = [](const void* pointer) {
    cudaPointerAttributes attributes{};
    CHECK(cudaPointerGetAttributes(&attributes, pointer) == cudaSuccess);
    return attributes.type;
  };
  CHECK(type(static_cast<char*>(device) + 50) == cudaMemoryTypeDevice);
  CHECK(type(pinned) == cudaMemoryTypeHost);
  CHECK(type(managed) == cudaMemoryTypeManaged);
  CHECK(type(plain.data()) == cudaMemoryTypeUnregistered);
  CHECK(cudaHostRegister(plain.data(), plain.size(), cudaHostRegisterDefault) == cudaSuccess);
  CHECK(type(plain.data()) == cudaMemoryTypeHost);
  CHECK(cudaHostRegister(plain.data(), 1, 0) == cudaErrorHostMemoryAlreadyRegistered);
  CHECK(cudaHostUnregister(plain.data()) == cudaSuccess);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
}

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

TEST_CASE("Pages of memory that something touched are told, the first ones",
          "[simulator][runtime]") {
  const Session session;
  void* base = nullptr;
  REQUIRE(cudaMalloc(&base, 100 * 4096 + 1) == cudaSuccess);
  auto* const memory = static_cast<std::byte*>(base);
  const auto touched = [&](std::size_t most) {
    std::vector<unsigned long long> pages(most);
    pages.resize(klab_sim_touched_pages(memory, 100 * 4096 + 1, pages.data(), most));
    return pages;
  };
  CHECK(touched(10).empty());
  REQUIRE(cudaMemset(memory + 7 * 4096 + 5, 1, 4096) == cudaSuccess);
  REQUIRE(cudaMemset(memory + 100 * 4096, 1, 1) == cudaSuccess);
  CHECK(touched(10) == std::vector<unsigned long long>{7, 8, 100});
  CHECK(touched(2) == std::vector<unsigned long long>{7, 8});
  CHECK(cudaFree(memory) == cudaSuccess);
}

TEST_CASE("Addresses come back where that is asked for, with zeros behind them",
          "[simulator][runtime]") {
  const Session session;
  const auto allocated = [](std::size_t bytes) {
    void* memory = nullptr;
    REQUIRE(cudaMalloc(&memory, bytes) == cudaSuccess);
    return memory;
  };
  void* const before = allocated(1 << 16);
  CHECK(cudaFree(before) == cudaSuccess);
  klab_sim_reuse_addresses(1);
  void* const first = allocated(40000);
  CHECK(first != before);  // freed while addresses did not come back
  REQUIRE(cudaMemset(first, 1, 40000) == cudaSuccess);
  CHECK(cudaFree(first) == cudaSuccess);
  void* const small = allocated(400);
  CHECK(small == first);
  unsigned char byte = 9;
  REQUIRE(cudaMemcpy(&byte, small, 1, cudaMemcpyDefault) == cudaSuccess);
  CHECK(byte == 0);
  CHECK(cudaMemset(small, 1, 401) == cudaErrorInvalidValue);
  CHECK(cudaFree(small) == cudaSuccess);
  CHECK(allocated(40000) == first);  // its place is as large as it was
  klab_sim_reuse_addresses(0);
  CHECK(cudaFree(first) == cudaSuccess);
  CHECK(allocated(400) != first);
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

TEST_CASE("A host function may not call the runtime", "[simulator][runtime]") {
  const Session session;
  const auto call = [](void* code) {
    int device = 0;
    *static_cast<cudaError_t*>(code) = cudaGetDevice(&device);
  };
  cudaError_t code = cudaSuccess;
  CHECK(cudaLaunchHostFunc(nullptr, call, &code) == cudaSuccess);
  CHECK(code == cudaErrorNotPermitted);
  call(&code);
  CHECK(code == cudaSuccess);
}

TEST_CASE("A capture forbids what would break it", "[simulator][runtime]") {
  const Session session;
  cudaStream_t stream = nullptr;
  void* memory = nullptr;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 4) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(cudaMemset(memory, 0, 4) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  // A fork that never joins.
  cudaStream_t side = nullptr;
  cudaEvent_t fork = nullptr;
  REQUIRE(cudaStreamCreate(&side) == cudaSuccess);
  REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaEventRecord(fork, stream) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(side, fork, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 1, 4, side) == cudaSuccess);
  CHECK(cudaEventQuery(fork) == cudaErrorCapturedEvent);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(cudaStreamSynchronize(side) == cudaSuccess);
}

TEST_CASE("Graphs update, clone and nest", "[simulator][runtime]") {
  const Session session;
  unsigned char* memory = nullptr;
  unsigned char seen[4] = {};
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 4) == cudaSuccess);
  const auto build = [&](unsigned value) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t set = nullptr, copy = nullptr;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    const cudaMemsetParams parameters{memory, 4, value, 1, 4, 1};
    CHECK(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &parameters) == cudaSuccess);
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, seen, memory, 4,
                                   cudaMemcpyDeviceToHost) == cudaSuccess);
    return graph;
  };
  const cudaGraph_t first = build(1), second = build(2);
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, first, 0) == cudaSuccess);
  cudaGraphExecUpdateResultInfo result{};
  CHECK(cudaGraphExecUpdate(exec, second, &result) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(seen[3] == 2);
  cudaGraphNode_t extra = nullptr;
  CHECK(cudaGraphAddEmptyNode(&extra, second, nullptr, 0) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(exec, second, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK(result.result == cudaGraphExecUpdateErrorTopologyChanged);
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t nested = nullptr;
  CHECK(cudaGraphCreate(&outer, 0) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, first) == cudaSuccess);
  CHECK(cudaGraphDestroy(first) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&nested, outer, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(nested, nullptr) == cudaSuccess);
  CHECK(seen[0] == 1);
  CHECK(cudaGraphDestroy(first) == cudaErrorInvalidValue);
  CHECK(cudaGraphLaunch(reinterpret_cast<cudaGraphExec_t>(outer), nullptr) ==
        cudaErrorInvalidValue);
  CHECK(report()["host"]["graph_launches"] == 2);
}

TEST_CASE("Memory that a graph makes is there at each launch, whoever freed it in between",
          "[simulator][runtime]") {
  const Session session;
  const bool in_stream_order = GENERATE(false, true);
  cudaMemAllocNodeParams made{};
  made.poolProps.allocType = cudaMemAllocationTypePinned;
  made.poolProps.location = {cudaMemLocationTypeDevice, 0};
  made.bytesize = 4;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t allocation = nullptr, set = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  REQUIRE(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &made) == cudaSuccess);
  const cudaMemsetParams parameters{made.dptr, 4, 7, 1, 4, 1};
  REQUIRE(cudaGraphAddMemsetNode(&set, graph, &allocation, 1, &parameters) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    unsigned char seen[4] = {};
    CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaMemcpy(seen, made.dptr, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(seen[3] == 7);
    CHECK((in_stream_order ? cudaFreeAsync(made.dptr, nullptr) : cudaFree(made.dptr)) ==
          cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
  }
  CHECK(report()["findings"].empty());
}

TEST_CASE("Settings are checked and refused as a whole", "[simulator][runtime]") {
  const Session session;
  CHECK(klab_sim_configure("no json") == 1);
  CHECK(klab_sim_configure(R"({"threads": -1})") == 1);
  CHECK(klab_sim_configure(R"({"checks": "some"})") == 1);
  CHECK(std::string(klab_sim_message()) == R"(Setting "checks" must be "fast" or "full".)");
  CHECK(klab_sim_configure(R"({"clock": "kitchen"})") == 1);
  CHECK(std::string(klab_sim_message()) == R"(Setting "clock" must be "host" or "counting".)");
  CHECK(klab_sim_configure(R"({"colour": 1})") == 1);
  CHECK(klab_sim_configure(nullptr) == 1);
  CHECK(klab_sim_configure(R"({"threads": 1, "budget": 5})") == 0);
  CHECK(klab_sim_configure(R"({"threads": 0, "budget": 4000000000})") == 0);
  char tiny[8];
  CHECK(klab_sim_report(tiny, sizeof tiny) > sizeof tiny);
  CHECK(tiny[7] == '\0');
}

TEST_CASE("Memory that a capture allocates lives with the executable graph",
          "[simulator][runtime]") {
  const Session session;
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  unsigned char* memory = nullptr;
  unsigned char seen = 0;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMallocAsync(reinterpret_cast<void**>(&memory), 16, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 7, 16, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(&seen, memory, 1, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  REQUIRE(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (int i = 0; i < 2; ++i) {
    seen = 0;
    CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
    CHECK(seen == 7);
  }
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, memory) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeUnregistered);
  CHECK(report()["findings"].empty());
}
