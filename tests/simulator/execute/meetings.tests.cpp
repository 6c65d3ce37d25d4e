// Lanes of a warp that come to a warp-synchronous instruction by ways of their own: through several
// calls of one function, in branches beside each other, at several depths of a recursion.
#include <algorithm>
#include <array>
#include <catch2/generators/catch_generators.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace meetings_tests {
namespace {

constexpr const char* source = R"(
#define FULL 0xffffffffu
using u32 = unsigned;

__device__ __noinline__ u32 add_up(u32 v) {
  for (int by = 16; by > 0; by /= 2) v += __shfl_xor_sync(FULL, v, by);
  return v;
}
__global__ void from_both_branches(const u32* x, u32* out) {
  const u32 i = threadIdx.x, v = x[i];
  u32 r;
  if (i % 3 == 0) r = add_up(v) + 1; else r = add_up(2 * v) + 2;
  out[i] = r;
}
__global__ void from_a_switch(const u32* x, u32* out) {
  const u32 i = threadIdx.x, v = x[i];
  u32 r = 0;
  switch (i % 5) {
    case 0: r = add_up(v); break;
    case 1: r = add_up(v + 1) + 1; break;
    case 2: r = 3 * add_up(v + 2); break;
    case 3: r = add_up(v + 3) ^ 7; break;
    default: r = add_up(v + 4) - 9;
  }
  out[i] = r;
}

__device__ __noinline__ u32 ask_all(u32 v, u32* s) {
  const u32 lane = threadIdx.x;
  u32 r = __ballot_sync(FULL, v & 1);
  r = r * 31 + __any_sync(FULL, v == 40) + 2 * __all_sync(FULL, v < 1000);
  r = r * 31 + __match_any_sync(FULL, v % 4);
  int all;
  r = r * 31 + __match_all_sync(FULL, 5ull << 40, &all);
  r = r * 31 + all;
  r = r * 31 + __reduce_add_sync(FULL, v) + __reduce_min_sync(FULL, v);
  r = r * 31 + __shfl_sync(FULL, v, lane + 5) + __shfl_up_sync(FULL, v, 3) + __shfl_down_sync(FULL, v, 9, 16);
  s[lane] = v;
  __syncwarp();
  r = r * 31 + s[31 - lane];
  __syncwarp();
  return r;
}
__global__ void ask_together(const u32* x, u32* out) {
  __shared__ u32 s[32];
  const u32 i = threadIdx.x;
  out[i] = ask_all(x[i], s);
}
__global__ void ask_apart(const u32* x, u32* out) {
  __shared__ u32 s[32];
  const u32 i = threadIdx.x;
  if (i < 7) out[i] = ask_all(x[i], s);
  else if (i & 1) out[i] = ask_all(x[i], s);
  else out[i] = ask_all(x[i], s);
}

__global__ void in_both_branches(const u32* x, u32* out) {
  const u32 i = threadIdx.x, v = x[i];
  u32 r;
  if (i & 4) { r = __shfl_xor_sync(FULL, v, 4) * 3; r += __reduce_max_sync(FULL, r); }
  else { r = __shfl_xor_sync(FULL, v + 1, 4) * 5; r += __reduce_max_sync(FULL, r); }
  out[i] = r;
}
__global__ void in_two_ifs(const u32* x, u32* out) {
  const u32 i = threadIdx.x;
  u32 r = 0;
  if (i < 16) r = __shfl_xor_sync(FULL, x[i], 16);
  if (i >= 16) r = __shfl_xor_sync(FULL, x[i] + 7, 16);
  out[i] = r;
}

struct Op { __device__ virtual u32 run(u32 v) const = 0; };
struct Twice : Op { __device__ u32 run(u32 v) const override { return add_up(2 * v); } };
struct Plus : Op { u32 n; __device__ u32 run(u32 v) const override { return __shfl_xor_sync(FULL, v, 1) + n; } };
struct Minus : Op { u32 n; __device__ u32 run(u32 v) const override { return __shfl_xor_sync(FULL, v, 1) - n; } };
__global__ void virtual_functions(const u32* x, u32* out) {
  const u32 i = threadIdx.x;
  Twice twice; Plus plus; Minus minus;
  plus.n = i; minus.n = 2 * i;
  Op* volatile kept[3] = {&twice, &plus, &minus};
  out[i] = kept[0]->run(x[i]);
  out[i + 32] = kept[1 + (i >> 1 & 1)]->run(x[i]);
  out[i + 64] = kept[1 + (i & 1)]->run(x[i]);
}

__device__ __noinline__ u32 down(u32 depth, u32 v, u32* s) {
  u32 kept[4];
  for (u32 k = 0; k < 4; ++k) kept[k] = v + k * depth;
  if (depth == 0) {
    s[threadIdx.x] = v;
    __syncwarp();
    const u32 r = s[(threadIdx.x + 1) % 32] + __shfl_sync(FULL, v, 31 - threadIdx.x);
    __syncwarp();
    return r + kept[v % 4] - v;
  }
  return down(depth - 1, v, s) + kept[v % 4] - v + 1;
}
__global__ void recursion(const u32* x, u32* out) {
  __shared__ u32 s[32];
  const u32 i = threadIdx.x;
  out[i] = down(i % 6, x[i], s);
}

__device__ __noinline__ u32 add_up_among(u32 members, u32 v) {
  u32 r = 0;
  for (u32 k = 0; k < 4; ++k) r += __shfl_sync(members, v, k, 4);
  return r;
}
__global__ void groups(const u32* x, u32* out) {
  const u32 i = threadIdx.x, members = 15u << (i & ~3u);
  u32 r;
  if (i & 1) r = add_up_among(members, x[i]);
  else if (i & 2) r = add_up_among(members, x[i]) + 1;
  else r = add_up_among(members, x[i]) + 2;
  out[i] = r;
}
__global__ void predicated(const u32* x, u32* out) {
  const u32 i = threadIdx.x;
  u32 r = 99;
  if (i & 1)
    asm volatile("{.reg .pred p; setp.lt.u32 p, %1, 32; @p shfl.sync.bfly.b32 %0, %2, 1, 31, 0xffffffff;}" : "+r"(r) : "r"(i), "r"(x[i]));
  else
    asm volatile("{.reg .pred p, q; setp.gt.u32 p, %1, 31; @!p shfl.sync.bfly.b32 %0|q, %2, 1, 31, 0xffffffff; @q add.u32 %0, %0, 1;}" : "+r"(r) : "r"(i), "r"(x[i]));
  out[i] = r;
}

__global__ void masks_in_a_row(const u32* x, u32* out) {
  const u32 i = threadIdx.x;
  u32 r;
  if (i < 16)
    asm volatile("bar.warp.sync 0xffff; shfl.sync.bfly.b32 %0, %1, 16, 31, 0xffffffff;" : "=r"(r) : "r"(x[i]));
  else
    asm volatile("shfl.sync.bfly.b32 %0, %1, 16, 31, 0xffffffff;" : "=r"(r) : "r"(x[i]));
  out[i] = r;
}

// Two teams, of three rounds and of two: one half of a team goes round a loop, the other through a
// switch, and their barriers stand at different places, two of them next to each other.
#define ROUND(factor) \
  __syncwarp(team);  \
  v ^= said[i - 16] * factor; \
  answered[i] = v;   \
  __syncwarp(team)
__global__ void teams(const u32* x, u32* out) {
  __shared__ u32 said[32], answered[32];
  const u32 i = threadIdx.x, rounds = i & 1 ? 2 : 3;
  const u32 team = i & 1 ? 0xaaaaaaaa : 0x55555555;
  u32 v = x[i];
  if (i < 16) {
#pragma unroll 1
    for (u32 r = 0; r < rounds; ++r) {
      said[i] = v;
      __syncwarp(team);
      __syncwarp(team);
      v += answered[i + 16];
    }
  } else {
    switch (rounds) {
      case 3:
        ROUND(7);
        [[fallthrough]];
      default:
        ROUND(5);
        ROUND(3);
    }
  }
  __syncwarp(team);
  out[i] = v;
}

__global__ void some_do_not_come(const u32* x, u32* out) {
  u32 r = x[threadIdx.x];
  if (threadIdx.x < 16)
    r = add_up(r);
  out[threadIdx.x] = add_up(r);
}
__global__ void some_do_not_come_to_a_shuffle(const u32* x, u32* out) {
  u32 r = x[threadIdx.x];
  if (threadIdx.x < 16)
    r = __shfl_xor_sync(FULL, r, 1);  // the line at fault
  out[threadIdx.x] = __shfl_xor_sync(FULL, r, 1);
}
)";

std::vector<std::uint32_t> inputs() {
  std::vector<std::uint32_t> x(32);
  for (std::uint32_t i = 0; i < 32; ++i) x[i] = i * 7 % 43;
  return x;
}

const char* how() { return GENERATE("-lineinfo", "-G"); }

std::vector<std::uint32_t> run(const char* options, const char* kernel, std::size_t count = 32) {
  INFO(kernel << " built with " << options);
  const auto ptx = compile_to_ptx(source, options);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.upload(inputs()), out = device.zeros<std::uint32_t>(count);
  device.run(kernel, {1}, {32}, arguments(in, out));
  return device.download<std::uint32_t>(out, count);
}

template <class F>
std::uint32_t sum(F&& of_lane) {
  std::uint32_t total = 0;
  for (std::uint32_t i = 0; i < 32; ++i) total += of_lane(i);
  return total;
}

}  // namespace

TEST_CASE("Lanes that call a function in both branches meet in it", "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "from_both_branches");
  const std::uint32_t all = sum([&](std::uint32_t i) { return i % 3 == 0 ? x[i] : 2 * x[i]; });
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == all + (i % 3 == 0 ? 1 : 2));
}

TEST_CASE("Lanes that call a function in each case of a switch meet in it",
          "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "from_a_switch");
  const std::uint32_t all = sum([&](std::uint32_t i) { return x[i] + i % 5; });
  for (std::uint32_t i = 0; i < 32; ++i)
    CHECK(got[i] == std::array{all, all + 1, 3 * all, all ^ 7, all - 9}[i % 5]);
}

TEST_CASE("Votes, matches and reductions see lanes that came by another call",
          "[simulator][meetings]") {
  const char* options = how();
  CHECK(run(options, "ask_apart") == run(options, "ask_together"));
}

TEST_CASE("Lanes meet at shuffles in branches beside each other", "[simulator][meetings]") {
  const auto x = inputs();
  const char* options = how();
  const auto both = run(options, "in_both_branches"), ifs = run(options, "in_two_ifs");
  const auto exchanged = [&](std::uint32_t i) {
    const std::uint32_t other = i ^ 4, v = x[other] + (other & 4 ? 0 : 1);
    return v * (i & 4 ? 3 : 5);
  };
  std::uint32_t most = 0;
  for (std::uint32_t i = 0; i < 32; ++i) most = std::max(most, exchanged(i));
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(both[i] == exchanged(i) + most);
    CHECK(ifs[i] == x[i ^ 16] + (i < 16 ? 7 : 0));
  }
}

TEST_CASE("Lanes meet in virtual functions of several objects", "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "virtual_functions", 96);
  const std::uint32_t all = sum([&](std::uint32_t i) { return 2 * x[i]; });
  for (std::uint32_t i = 0; i < 32; ++i) {
    CHECK(got[i] == all);
    CHECK(got[i + 32] == x[i ^ 1] + (i >> 1 & 1 ? -2 * i : i));
    CHECK(got[i + 64] == x[i ^ 1] + (i & 1 ? -2 * i : i));
  }
}

TEST_CASE("Lanes meet at several depths of a recursion", "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "recursion");
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t wanted = x[(i + 1) % 32] + x[31 - i];
    for (std::uint32_t depth = 0; depth <= i % 6; ++depth)
      wanted += x[i] % 4 * depth + (depth > 0 ? 1 : 0);
    CHECK(got[i] == wanted);
  }
}

TEST_CASE("Groups of lanes that came by several calls meet by their own masks",
          "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "groups");
  for (std::uint32_t i = 0; i < 32; ++i) {
    std::uint32_t wanted = i & 1 ? 0 : i & 2 ? 1 : 2;
    for (std::uint32_t k = 0; k < 4; ++k) wanted += x[(i & ~3u) + k];
    CHECK(got[i] == wanted);
  }
}

TEST_CASE("Predicated shuffles meet", "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "predicated");
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == x[i ^ 1] + (i & 1 ? 0 : 1));
}

TEST_CASE("Lanes that came for some members wait again for more", "[simulator][meetings]") {
  const auto x = inputs(), got = run(how(), "masks_in_a_row");
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(got[i] == x[i ^ 16]);
}

TEST_CASE("Barriers of a warp wait for the same lanes wherever they stand, each time anew",
          "[simulator][meetings]") {
  const char* options = how();
  INFO("built with " << options);
  const auto ptx = compile_to_ptx(source, options);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.upload(inputs()), out = device.zeros<std::uint32_t>(32);
  const LaunchResult result =
      device.launch("5teamsPK", {1}, {32}, arguments(in, out), {.checks = Checks::full});
  CHECK_FALSE(result.fault);
  for (const Finding& finding : result.findings) FAIL_CHECK(finding.message);
  const auto x = inputs(), teams = device.download<std::uint32_t>(out, 32);
  for (std::uint32_t i = 0; i < 16; ++i) {
    std::uint32_t gives = x[i], takes = x[i + 16];
    for (const std::uint32_t factor : {7, 5, 3}) {
      if (factor == 7 && i % 2 == 1) continue;
      takes ^= gives * factor;
      gives += takes;
    }
    CHECK(teams[i] == gives);
    CHECK(teams[i + 16] == takes);
  }
}

TEST_CASE("Lanes that come later to the same function are not met in an earlier call of it",
          "[simulator][meetings]") {
  const char* kernel = GENERATE("some_do_not_come", "some_do_not_come_to_a_shuffle");
  const char* options = how();
  INFO(kernel << " built with " << options);
  const auto ptx = compile_to_ptx(source, options);
  if (!ptx) SKIP("no nvcc");
  Loaded device(*ptx);
  const auto in = device.upload(inputs()), out = device.zeros<std::uint32_t>(32);
  const LaunchResult result =
      device.launch(std::string(kernel) + "PK", {1}, {32}, arguments(in, out));
  CHECK_FALSE(result.fault);
  const Finding* finding = find(result, FindingKind::bad_shuffle_mask);
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("0xffff0000") != std::string::npos);
  if (std::string_view(options) == "-G") return;  // an intrinsic is a function of a header there
  const std::string_view text = source, own = kernel;
  const auto at = text.find(own == "some_do_not_come" ? "v += __shfl" : "// the line at fault");
  CHECK(finding->where.line == std::count(text.begin(), text.begin() + at, '\n') + 1);
}

#undef FULL

}  // namespace meetings_tests
