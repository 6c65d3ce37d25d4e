// Which problems a runner with a GPU fills and compares on the host.
#include "runner/problem/where_to_check.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;
using namespace klab::runner;

namespace {

/// One array, and so many operations for each of its elements.
struct Plain : Workload {
  double operations_each = 1;
  bool in_passes = false;

  std::vector<BufferSpec> buffers(const Size& size) const override {
    return {{.name = "in", .count = static_cast<std::size_t>(size[0])}};
  }
  void fill(const Problem&) const override {}
  Mismatch check(const Problem&, const Problem&) const override { return {}; }
  const void* bind(const Problem&) override { return nullptr; }
  bool checks_parts() const override { return !in_passes; }
  Work least_work(const Size& size) const override {
    return {.fp32 = operations_each * static_cast<double>(size[0])};
  }
};

}  // namespace

TEST_CASE("small problems are checked on the host, and large ones on the device",
          "[runner][where]") {
  const Plain plain;
  CHECK(where_to_check(plain, {1000}) == Where::host);
  CHECK(where_to_check(plain, {1 << 20}) == Where::device);
}

TEST_CASE("few elements that take long are checked on the device", "[runner][where]") {
  Plain steps;
  steps.operations_each = 20'000;
  CHECK(where_to_check(steps, {10}) == Where::host);
  CHECK(where_to_check(steps, {1000}) == Where::device);
}

TEST_CASE("a reference in passes stays on the host as long as that is quick", "[runner][where]") {
  Plain passes;
  passes.in_passes = true;
  CHECK(where_to_check(passes, {40'000}) == Where::host);
  CHECK(where_to_check(passes, {80'000}) == Where::device);
  passes.operations_each = 1'000;
  CHECK(where_to_check(passes, {10'000}) == Where::host);
  CHECK(where_to_check(passes, {40'000}) == Where::device);
  passes.operations_each = 10'000;
  CHECK(where_to_check(passes, {10'000}) == Where::device);
}
