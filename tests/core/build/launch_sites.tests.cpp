// How a kernel file launches its kernels, read from its text.
#include "core/build/draft/launch_sites.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

/// The block of the launch that belongs to `kernel`; 0 if none surely does.
int block_of(const std::vector<LaunchSite>& sites, std::string_view kernel) {
  const LaunchSite* site = launch_of(sites, kernel);
  return site ? site->block_threads.value_or(-1) : 0;
}

}  // namespace

TEST_CASE("the block of a launch is known where constants give it", "[core][launch_sites]") {
  const std::string contract = "inline constexpr int lanes = 32;\n";
  const auto launch = [&](const std::string& arguments, const std::string& before = "") {
    const auto sites = launch_sites(
        "#define WIDE 64\nconstexpr int rows = 8;\n__global__ void k() {}\nvoid launch(int n) {\n" +
            before + "  k<<<" + arguments + ">>>();\n}\n",
        contract);
    return sites.empty() ? LaunchSite{} : sites.front();
  };
  CHECK(launch("n, 256").block_threads == 256);
  CHECK(launch("n, 1'024ul").block_threads == 1024);
  CHECK(launch("n, 4 * WIDE").block_threads == 256);
  CHECK(launch("n, rows * lanes, 0, s").block_threads == 256);
  CHECK(launch("dim3(n, 2), dim3(16, 4)").block_threads == 64);
  CHECK(launch("n, {16, 4, 2}").block_threads == 128);
  CHECK(launch("n, block", "  const dim3 block(lanes, rows);\n").block_threads == 256);
  CHECK(launch("n, rows", "  constexpr int rows = 16;\n").block_threads == 16);
  CHECK(launch("n, 256, 2 * rows * 4, s").dynamic_shared_bytes == 64);
  CHECK(launch("n, 256").dynamic_shared_bytes == 0);
  CHECK_FALSE(launch("n, n / 2").block_threads);
  CHECK_FALSE(launch("n, 256, bytes").dynamic_shared_bytes);
}

TEST_CASE("a kernel is matched with its launch by name and template arguments",
          "[core][launch_sites]") {
  const auto sites = launch_sites(
      "void launch(const Args& a, cudaStream_t s) {\n"
      "  constexpr int wide = 8;\n"
      "  if (a.n > 4) plain<<<1, 32>>>(a.p); else plain<<<1, 96>>>(a.p);\n"
      "  tiles::scale<4><<<1, 64>>>(a.p);\n"
      "  tiles::scale<wide * (2 > 1 ? 2 : 1), float><<<1, 128>>>(a.p);\n"
      "  tiles::scale<wide, float><<<1, 256>>>(a.p);\n"
      "  guess<<<1, 512>>>(a.p);\n"
      "  guess<<<1, 1024>>>(a.q);\n"
      "  alias<Row><<<1, 160>>>(a.p);\n"
      "  apply<add><<<1, 192>>>(a.p);\n"
      "  apply<larger><<<2, 192>>>(a.p);\n"
      "}\n",
      "");
  REQUIRE(sites.size() == 10);
  CHECK(block_of(sites, "plain(float*)") == 32);
  CHECK(block_of(sites, "(anonymous namespace)::plain(float*)") == 32);
  CHECK(block_of(sites, "void tiles::(anonymous namespace)::scale<4, float>(float*)") == 64);
  CHECK(block_of(sites, "void tiles::scale<8, float>(float*)") == 256);
  CHECK(block_of(sites, "void alias<Pair>(Pair*)") == 160);
  CHECK(block_of(sites, "void apply<&(anonymous namespace)::add(float, float)>(float*)") == 192);
  // Which of both launches has which type only a compiler knows.
  CHECK(block_of(sites, "void guess<float>(float*)") == 0);
  CHECK(block_of(sites, "explain(float*)") == 0);
}

TEST_CASE("unfinished text is read without harm", "[core][launch_sites]") {
  const std::string file =
      "template <int N> __global__ void k(float* p) { if (p[0] > 'x') { p[0] = \"a\\\"b\"[0]; } }\n"
      "const dim3 b(2, 3);\nvoid launch(const Args& a) { k<3><<<1, {2,3}>>>(a.p); n::k<(1>2)><<<1, "
      "b>>>(a.p); }";
  for (std::size_t length = 0; length <= file.size(); ++length)
    CHECK(launch_sites(std::string_view(file).substr(0, length), "").size() <= 2);
  CHECK(launch_sites(file, "").size() == 2);
  for (const char* text :
       {"}}}}", "((((", "<<<>>>", "k<<<", ">>>", "><<<1,2>>>", "R\"(", "/*", "#", "const", "dim3 a",
        "dim3 a(", "constexpr a =", "a<<<1,(", "a<<<<1,1>>>>"})
    CHECK(launch_sites(text, text).size() <= 2);
}
