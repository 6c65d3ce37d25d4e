// What races between streams are called, and kernels with long names.
#include "simulator/runtime/streams/waits/race_finding.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "simulator/runtime/session.hpp"
#include "simulator/runtime/state/runtime.hpp"

using namespace klab::sim;
using namespace klab::sim::test;
using Catch::Matchers::ContainsSubstring;

namespace {

WorkOrder named(const char* name) {
  WorkOrder order;
  order.name = name;
  return order;
}

std::string told(const WorkOrder& one, const WorkOrder& other) {
  return finding_of({std::make_shared<WorkOrder>(one), std::make_shared<WorkOrder>(other), true,
                     true, 0x1000})
      .message;
}

}  // namespace

TEST_CASE("Memory that is freed beside its use is told as that", "[simulator][runtime]") {
  const Session session;
  WorkOrder frees = named("freeing memory on stream 3");
  frees.frees = true;
  const WorkOrder use = named("a memset on stream 2");
  for (const std::string& message : {told(frees, use), told(use, frees)}) {
    CHECK_THAT(message, ContainsSubstring("A memset on stream 2 uses ") &&
                            ContainsSubstring("nothing says that freeing memory on stream 3 comes "
                                              "behind it") &&
                            ContainsSubstring("on the stream of its last use"));
    CHECK_THAT(message, !ContainsSubstring("writes"));
  }
}

TEST_CASE("The stream of a thread is told by its name, and that it is not the given one",
          "[simulator][runtime]") {
  const Session session(R"({"deferred": true, "checks": "full"})");
  cudaStream_t given = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&given, cudaStreamNonBlocking) == cudaSuccess);
  klab_sim_name_stream(given, "the given stream");
  void* device = nullptr;
  REQUIRE(cudaMalloc(&device, 64) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 0, 64, given) == cudaSuccess);
  CHECK(cudaMemsetAsync(device, 1, 64, cudaStreamPerThread) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const auto findings = report()["findings"];
  REQUIRE(findings.size() == 1);
  CHECK_THAT(findings[0]["message"].get<std::string>(),
             ContainsSubstring("on cudaStreamPerThread (which is not the given stream)"));
}

TEST_CASE("Who leaves Thrust on the default stream hears how to give it another",
          "[simulator][runtime]") {
  const Session session;
  WorkOrder thrust = named("kernel void thrust::add<...>(int) on the default stream");
  thrust.legacy = true;
  const WorkOrder other = named("a copy on the given stream");
  CHECK_THAT(told(thrust, other), ContainsSubstring("thrust::cuda::par.on(stream)"));
  thrust.legacy = false;
  CHECK_THAT(told(thrust, other), !ContainsSubstring("par.on"));
}

TEST_CASE("Of long names the long lists of template arguments are left out",
          "[simulator][runtime]") {
  CHECK(brief_name("_ZN6thrust3addISt6vectorISt3mapIiS1_IS1_IiSaIiEESaIS4_EESt4lessIiESaISt4pairIKi"
                   "S6_EEESaISD_EEEEvT_i") == "void thrust::add<...>(std::vector<...>, int)");
  CHECK(brief_name("_Z5scaleiPf") == "scale(int, float*)");
}
