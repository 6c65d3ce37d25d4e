// The simulated runtime as one test finds it: default settings and nothing counted.
#pragma once

#include <cuda_runtime_api.h>
#include <catch2/catch_test_macros.hpp>

#include <nlohmann/json.hpp>
#include <string>

#include "simulator/api/simulator_api.h"

namespace klab::sim::test {

inline nlohmann::json report() {
  std::string text(klab_sim_report(nullptr, 0), '\0');
  klab_sim_report(text.data(), text.size());
  text.pop_back();
  return nlohmann::json::parse(text);
}

/// Default settings and zero counts around each test.
struct Session {
  explicit Session(const char* settings = "{}") {
    klab_sim_configure(
        R"({"checks": "fast", "deferred": false, "clock": "host", "blocks_in_part": 0,
            "memory_limit_bytes": 268435456})");
    REQUIRE(klab_sim_configure(settings) == 0);
    klab_sim_begin();
    cudaGetLastError();
  }
  ~Session() {
    klab_sim_configure(R"({"deferred": false, "blocks_in_part": 0})");
    cudaDeviceReset();
    klab_sim_begin();
    cudaGetLastError();
  }
};

}  // namespace klab::sim::test
