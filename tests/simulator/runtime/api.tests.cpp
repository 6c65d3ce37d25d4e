// The runtime's functions called directly: the device, errors, copies, memory, settings.
#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "simulator/api/simulator_api.h"
#include "simulator/runtime/session.hpp"
#include "simulator/runtime/state/errors.hpp"

using namespace klab::sim::test;

TEST_CASE("A device that stands for a real one says its name, its memory and some clocks",
          "[simulator][runtime]") {
  cudaDeviceProp properties{};
  int clock = 0;
  {
    const Session session(R"({"device_name": "A real one", "device_bytes": 150000000000})");
    REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(std::string(properties.name) == "A real one");
    CHECK(properties.totalGlobalMem == 150000000000);
    CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrMemoryClockRate, 0) == cudaSuccess);
    CHECK(clock > 0);
    CHECK(report()["messages"].empty());
  }
  REQUIRE(klab_sim_configure(R"({"device_name": "", "device_bytes": 0})") == 0);
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  CHECK(std::string(properties.name) == "simulated sm_90 (no timing)");
}

TEST_CASE("A device that says to have few multiprocessors says so everywhere",
          "[simulator][runtime]") {
  cudaDeviceProp whole{}, small{};
  REQUIRE(cudaGetDeviceProperties(&whole, 0) == cudaSuccess);
  {
    const Session session(R"({"multiprocessors": 3})");
    int multiprocessors = 0, l2_bytes = 0;
    REQUIRE(cudaGetDeviceProperties(&small, 0) == cudaSuccess);
    CHECK(small.multiProcessorCount == 3);
    CHECK(small.maxThreadsPerMultiProcessor == 1536);
    CHECK(small.l2CacheSize < whole.l2CacheSize * 4 / whole.multiProcessorCount);
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0) ==
          cudaSuccess);
    CHECK(multiprocessors == 3);
    CHECK(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0) == cudaSuccess);
    CHECK(l2_bytes == small.l2CacheSize);
  }
  REQUIRE(klab_sim_configure(R"({"multiprocessors": 0})") == 0);
  REQUIRE(cudaGetDeviceProperties(&small, 0) == cudaSuccess);
  CHECK(small.multiProcessorCount == whole.multiProcessorCount);
  CHECK(small.l2CacheSize == whole.l2CacheSize);
}

TEST_CASE("The first call that is refused is kept, whatever is checked", "[simulator][runtime]") {
  const Session session;
  klab_sim_call_kernel_file(1);
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, nullptr, nullptr, nullptr) == cudaErrorInvalidValue);
  CHECK(cudaStreamDestroy(reinterpret_cast<cudaStream_t>(&texture)) != cudaSuccess);
  klab_sim_call_kernel_file(0);
  CHECK(report()["first_refusal"].get<std::string>().starts_with(
      "cudaCreateTextureObject answers cudaErrorInvalidValue"));
}

TEST_CASE("A part of the L2 can be set aside, as far as the device lets it",
          "[simulator][runtime]") {
  const Session session;
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  REQUIRE(properties.persistingL2CacheMaxSize > 0);
  CHECK(properties.persistingL2CacheMaxSize < properties.l2CacheSize);
  CHECK(properties.accessPolicyMaxWindowSize > 0);
  std::size_t bytes = 0;
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
  CHECK(bytes == 1 << 20);
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t{1} << 30) == cudaSuccess);
  CHECK(cudaDeviceGetLimit(&bytes, cudaLimitPersistingL2CacheSize) == cudaSuccess);
  CHECK(bytes == static_cast<std::size_t>(properties.persistingL2CacheMaxSize));
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0) == cudaSuccess);
}

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

TEST_CASE("An array may be as large as the device says of its textures", "[simulator][runtime]") {
  const Session session;
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
  int width = 0, layers = 0;
  CHECK(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture1DWidth, 0) == cudaSuccess);
  CHECK(width == properties.maxTexture1D);
  CHECK(cudaDeviceGetAttribute(&layers, cudaDevAttrMaxTexture2DLayeredLayers, 0) == cudaSuccess);
  CHECK(layers == properties.maxTexture2DLayered[2]);
  const cudaChannelFormatDesc byte{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  const cudaChannelFormatDesc three{8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  cudaArray_t array = nullptr;
  const auto largest = static_cast<std::size_t>(width);
  CHECK(cudaMallocArray(&array, &byte, largest + 1, 0, 0) == cudaErrorInvalidValue);
  CHECK(cudaMallocArray(&array, &three, 4, 4, 0) == cudaErrorInvalidChannelDescriptor);
  REQUIRE(cudaMallocArray(&array, &byte, largest, 0, 0) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaSuccess);
  CHECK(cudaFreeArray(array) == cudaErrorInvalidValue);
}

TEST_CASE("Every error code has its name and text", "[simulator][runtime]") {
  CHECK(std::string(cudaGetErrorName(cudaErrorIllegalAddress)) == "cudaErrorIllegalAddress");
  CHECK(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)) == "out of memory");
  CHECK(std::string(cudaGetErrorName(cudaErrorInvalidMemcpyDirection)) ==
        "cudaErrorInvalidMemcpyDirection");
  CHECK(std::string(cudaGetErrorString(cudaErrorUnsupportedPtxVersion)) ==
        "the provided PTX was compiled with an unsupported toolchain.");
  int named = 0;
  for (int code = 0; code <= cudaErrorUnknown; ++code)
    named += std::string(cudaGetErrorName(static_cast<cudaError_t>(code))).starts_with("cuda");
  CHECK(named == 133);
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

TEST_CASE("What is wrong in a call is answered as a GPU does", "[simulator][runtime]") {
  const Session session;
  void *one = nullptr, *other = nullptr;
  REQUIRE(cudaMalloc(&one, 256) == cudaSuccess);
  REQUIRE(cudaMalloc(&other, 256) == cudaSuccess);
  const auto rows = [&](std::size_t to, std::size_t from, std::size_t height) {
    return cudaMemcpy2D(one, to, other, from, 8, height, cudaMemcpyDeviceToDevice);
  };
  CHECK(rows(4, 8, 2) == cudaErrorInvalidPitchValue);
  CHECK(rows(4, 8, 1) == cudaErrorInvalidValue);
  CHECK(rows(8, 4, 1) == cudaErrorInvalidValue);
  CHECK(rows(4, 4, 0) == cudaSuccess);
  CHECK(cudaMemset2D(one, 4, 0, 8, 1) == cudaSuccess);
  CHECK(cudaMemset2D(one, 4, 0, 8, 2) == cudaErrorInvalidValue);
  void* nothing = one;
  CHECK(cudaMallocManaged(&nothing, 0) == cudaSuccess);
  CHECK(nothing == nullptr);
  CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessUnsupported);
  CHECK(cudaDeviceEnablePeerAccess(0, 1) == cudaErrorInvalidValue);
  CHECK(cudaDeviceEnablePeerAccess(7, 0) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  CHECK(cudaFree(one) == cudaSuccess);
  CHECK(cudaFree(other) == cudaSuccess);
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

TEST_CASE("Settings are checked and refused as a whole", "[simulator][runtime]") {
  const Session session;
  CHECK(klab_sim_configure(R"({"share_of_blocks": "half"})") == 1);
  CHECK(klab_sim_configure("no json") == 1);
  CHECK(klab_sim_configure(R"({"threads": -1})") == 1);
  CHECK(klab_sim_configure(R"({"checks": "some"})") == 1);
  CHECK(std::string(klab_sim_message()) ==
        R"(Setting "checks" must be "fast", "block" or "full".)");
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

TEST_CASE("With full checks a call that does nothing says so, and what it says by itself, once",
          "[simulator][runtime]") {
  const Session session(R"({"checks": "full"})");
  char* memory = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&memory), 64) == cudaSuccess);
  CHECK(cudaFree(memory + 4) == cudaErrorInvalidValue);
  CHECK(cudaFree(memory + 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset(memory, 0, 65) == cudaErrorInvalidValue);
  CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
  const auto said = report()["messages"];
  REQUIRE(said.size() == 2);
  CHECK(said[0] == "cudaFree answers cudaErrorInvalidValue (invalid argument) and does nothing.");
  CHECK(said[1].get<std::string>().starts_with("The destination of a memset"));
}

TEST_CASE("A call is told by the name that the program wrote, whichever does its work",
          "[simulator][runtime]") {
  const Session session(R"({"checks": "full"})");
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, 77) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreate(nullptr) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(nullptr, nullptr) == cudaErrorInvalidResourceHandle);
  CHECK(cudaMallocHost(nullptr, 4) == cudaErrorInvalidValue);
  CHECK(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
  CHECK(cudaStreamCreateWithPriority(&stream, 77, 0) == cudaErrorInvalidValue);
  std::vector<std::string> begins;
  const auto messages = report()["messages"];
  for (const std::string said : messages) begins.push_back(said.substr(0, 30));
  const std::vector<std::string> wanted = {
      "cudaStreamCreateWithFlags answ", "cudaStreamCreate answers cudaE",
      "cudaEventRecord answers cudaEr", "cudaMallocHost answers cudaErr",
      "The destination of a memset is", "cudaStreamCreateWithPriority a"};
  CHECK(begins == wanted);
}

TEST_CASE("What a call lacks in the way it is called, it says by name", "[simulator][runtime]") {
  const Session session;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeHost;
  cudaMemPool_t pool = nullptr;
  CHECK(cudaMemPoolCreate(&pool, &properties) == cudaErrorNotSupported);
  CHECK(cudaMemGetDefaultMemPool(&pool, &properties.location, cudaMemAllocationTypePinned) ==
        cudaErrorNotSupported);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNodeParams wait{};
  wait.type = cudaGraphNodeTypeExtSemaphoreWait;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &wait) == cudaErrorNotSupported);
  const std::string said = report()["messages"].dump();
  for (const char* name : {"cudaMemPoolCreate", "cudaMemGetDefaultMemPool", "cudaGraphAddNode"}) {
    CAPTURE(name, said);
    CHECK(said.find(name) != std::string::npos);
  }
}
