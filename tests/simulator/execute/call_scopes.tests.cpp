// Braces in PTX: what they declare is theirs, so calls with parameters of different sizes share a
// function; and the builds in which these are common, those for debuggers.
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <cmath>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace call_scopes_tests {
namespace {

constexpr const char* source = R"(
#include <cstdio>
#include <cstdlib>
struct Shape {
  int sides;
  __device__ explicit Shape(int n) : sides(n) {}
  __device__ virtual float area(float side) const = 0;
  __device__ virtual double scaled(double by, int plus) const { return by * sides + plus; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  __device__ Square() : Shape(4) {}
  __device__ float area(float side) const override { return side * side; }
};
struct Circle : Shape {
  __device__ Circle() : Shape(1) {}
  __device__ float area(float side) const override { return 3 * side * side; }
  __device__ double scaled(double by, int plus) const override { return by - plus; }
};
__global__ void virtual_calls(double* out) {
  const int t = threadIdx.x;
  Shape* shape = nullptr;
  if (t & 1) shape = new Square;
  else shape = new Circle;
  out[t] = shape->area(2.f) + shape->scaled(0.5, t);
  delete shape;
}
__global__ void allocate_and_print(int* out) {
  const int t = threadIdx.x;
  int* words = static_cast<int*>(malloc(2 * sizeof(int)));
  words[0] = t;
  words[1] = 2 * t;
  if (t == 31) printf("%d and %d\n", words[0], words[1]);
  out[t] = words[0] + words[1];
  free(words);
}
struct Five { int values[5]; };
__device__ __noinline__ int narrow(int a, long long b) { return a + static_cast<int>(b); }
__device__ __noinline__ double wide(double a) { return 2 * a; }
__device__ __noinline__ Five five(Five x, char by) { x.values[2] += by; return x; }
__global__ void sizes(double* out) {
  const int t = threadIdx.x;
  Five x{{t, t, t, t, t}};
  x = five(x, 3);
  out[t] = narrow(t, 7) + wide(t) + x.values[2];
}
__global__ void mathematics(double* out) {
  const int t = threadIdx.x;
  float s, c;
  double ds, dc;
  sincosf(t * 1000.f, &s, &c);
  sincos(t * 0.5, &ds, &dc);
  out[t] = s * c + pow(static_cast<double>(t), 1.5) * ds * dc;
}
__global__ void shuffles(int* out) {
  const int t = threadIdx.x;
  int v = t;
  v += __shfl_xor_sync(~0u, v, 1);
  v += __shfl_down_sync(~0u, v, 2);
  v += __shfl_up_sync(~0u, v, 4);
  v += __shfl_sync(~0u, v, 3, 8);
  long long w = v;
  w += __shfl_xor_sync(~0u, w, 16);
  double d = w;
  d += __shfl_down_sync(~0u, d, 3);
  out[t] = static_cast<int>(d) + __popc(__ballot_sync(~0u, t % 3 == 0)) +
           __any_sync(~0u, t == 5) + __all_sync(~0u, t < 31) + __reduce_add_sync(~0u, t);
}
)";

std::vector<int> expected_shuffles() {
  std::vector<long long> v(32), w(32);
  for (int t = 0; t < 32; ++t) v[t] = t;
  const auto step = [&](auto&& from) {
    w = v;
    for (int t = 0; t < 32; ++t) v[t] += w[from(t)];
  };
  step([](int t) { return t ^ 1; });
  step([](int t) { return t + 2 < 32 ? t + 2 : t; });
  step([](int t) { return t >= 4 ? t - 4 : t; });
  step([](int t) { return t / 8 * 8 + 3; });
  step([](int t) { return t ^ 16; });
  step([](int t) { return t + 3 < 32 ? t + 3 : t; });
  std::vector<int> out(32);
  for (int t = 0; t < 32; ++t) out[t] = static_cast<int>(v[t]) + 11 + 1 + 0 + 496;
  return out;
}

}  // namespace

TEST_CASE("Calls with parameters of different sizes share a function", "[simulator][calls]") {
  const char* options = GENERATE("-lineinfo", "-G");
  INFO(options);
  const auto ptx = compile_to_ptx(source, options);
  if (!ptx) SKIP("nvcc is not installed");
  Loaded device(*ptx);
  std::string printed;
  device.device.set_console([&](std::string_view text) { printed += text; });
  const auto doubles = device.zeros<double>(32);
  const auto ints = device.zeros<int>(32);

  device.run("virtual_calls", {1}, {32}, arguments(doubles));
  const auto areas = device.download<double>(doubles, 32);
  device.run("allocate_and_print", {1}, {32}, arguments(ints));
  const auto sums = device.download<int>(ints, 32);
  device.run("sizes", {1}, {32}, arguments(doubles));
  const auto sizes = device.download<double>(doubles, 32);
  device.run("mathematics", {1}, {32}, arguments(doubles));
  const auto values = device.download<double>(doubles, 32);
  device.run("shuffles", {1}, {32}, arguments(ints));
  for (int t = 0; t < 32; ++t) {
    INFO("thread " << t);
    CHECK(areas[t] == (t % 2 != 0 ? 4 + 0.5 * 4 + t : 12 + 0.5 - t));
    CHECK(sums[t] == 3 * t);
    CHECK(sizes[t] == t + 7 + 2 * t + t + 3);
    const double expected = std::sin(t * 1000.f) * std::cos(t * 1000.f) +
                            std::pow(t, 1.5) * std::sin(t * 0.5) * std::cos(t * 0.5);
    CHECK_THAT(values[t], Catch::Matchers::WithinAbs(expected, 1e-5));
  }
  CHECK(device.download<int>(ints, 32) == expected_shuffles());
  CHECK(printed == "31 and 62\n");
}

TEST_CASE("An inner declaration hides the outer one until its brace closes", "[simulator][calls]") {
  Loaded device(R"(.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 back) add(.param .b32 a, .param .b32 b)
{
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [a];
  ld.param.u32 %r2, [b];
  add.u32 %r3, %r1, %r2;
  st.param.b32 [back], %r3;
  ret;
}
.func (.param .b64 back) widen(.param .b64 a)
{
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [a];
  add.u64 %rd2, %rd1, 4294967296;
  st.param.b64 [back], %rd2;
  ret;
}
.visible .entry nested(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .local .align 8 .b8 depot[8];
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  st.local.u32 [depot], %r1;
  {
    .param .b32 param0;
    .param .b32 param1;
    .param .b32 retval0;
    st.param.b32 [param0], %r1;
    st.param.b32 [param1], 5;
    {
      .param .b64 param0;
      .param .b64 retval0;
      .reg .b64 %r1;
      .local .align 8 .b8 depot[8];
      mov.u64 %r1, 7;
      st.local.u64 [depot], 99;
      st.param.b64 [param0], %r1;
      call.uni (retval0), widen, (param0);
      ld.param.b64 %rd2, [retval0];
    }
    call.uni (retval0), add, (param0, param1);
    ld.param.b32 %r2, [retval0];
  }
  ld.local.u32 %r3, [depot];
  mad.lo.u32 %r4, %r3, 1000, %r2;
  mul.wide.u32 %rd3, %r1, 16;
  add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r4;
  st.global.u64 [%rd4+8], %rd2;
  ret;
}
)");
  const auto out = device.zeros<std::uint64_t>(64);
  device.run("nested", {1}, {32}, arguments(out));
  const auto words = device.download<std::uint64_t>(out, 64);
  for (std::uint64_t t = 0; t < 32; ++t) {
    CHECK(words[2 * t] == 1000 * t + t + 5);
    CHECK(words[2 * t + 1] == (1ull << 32) + 7);
  }
}

}  // namespace call_scopes_tests
