// Cutting the device part out of a kernel file.
#include "core/build/draft/device_source.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("host functions go, device functions stay, and every line keeps its place",
          "[core][device_source]") {
  const std::string file =
      "#include \"contract.cuh\"\n"
      "__device__ float twice(float x) { return 2 * x; }\n"
      "// void comment() {\n"
      "__global__ void k(Args a) { a.out[0] = twice(1); }\n"
      "static int host_only(const std::vector<int>& v) {\n"
      "  return v.size(); /* } */\n"
      "}\n"
      "void launch(const Args& args, cudaStream_t stream) {\n"
      "  k<<<1, 256, 0, stream>>>(args);\n"
      "}\n"
      "__device__ int after() { return 1; }\n";
  const DeviceSource source = device_source(file, "");
  CHECK(source.text.size() == file.size());
  CHECK(std::count(source.text.begin(), source.text.end(), '\n') ==
        std::count(file.begin(), file.end(), '\n'));
  CHECK(source.text.find("__device__ int after") == file.find("__device__ int after"));
  CHECK(holds(source.text, "twice(1)"));
  CHECK(holds(source.text, "#include \"contract.cuh\""));
  CHECK_FALSE(holds(source.text, "launch"));
  CHECK_FALSE(holds(source.text, "vector"));
  CHECK(source.host_functions == std::vector<std::string>{"host_only", "launch"});
  CHECK(source.kernels == std::vector<std::string>{"k"});
}

TEST_CASE("types and constants stay where device code names them", "[core][device_source]") {
  const DeviceSource source = device_source(
      "const int used = 4;\n"
      "const int unused = 5;\n"
      "struct Pair { float a, b; };\n"
      "using Row = Pair;\n"
      "struct HostCache { std::vector<float> kept; };\n"
      "HostCache cache;\n"
      "static bool operator==(const Pair& a, const Pair& b) { return a.a == b.a; }\n"
      "struct Deep { Row rows[used]; };\n"
      "__global__ void k(Deep* p) { p->rows[0].a = 1; }\n",
      "");
  for (const char* kept : {"used = 4", "struct Pair", "using Row", "struct Deep"})
    CHECK(holds(source.text, kept));
  for (const char* gone : {"unused", "HostCache", "cache", "operator"})
    CHECK_FALSE(holds(source.text, gone));
}

TEST_CASE("templates come with the arguments that the host names", "[core][device_source]") {
  const DeviceSource source = device_source(
      "namespace tiles { namespace {\n"
      "template <int N, class T = float> __global__ void __launch_bounds__(256) scale(T* p) {}\n"
      "template <class T> __global__ void guess(T* p) {}\n"
      "} }\n"
      "void launch(const Args& a, cudaStream_t s) {\n"
      "  constexpr int wide = 8;\n"
      "  tiles::scale<4><<<1, 64>>>(a.p);\n"
      "  tiles::scale<wide * (2 > 1 ? 2 : 1), float><<<1, 128>>>(a.p);\n"
      "  tiles::guess<<<1, 32>>>(a.p);\n"
      "}\n",
      "");
  REQUIRE(source.kernels.size() == 2);
  CHECK(source.kernels[0] == "tiles::scale<4>");
  CHECK(holds(source.kernels[1], "tiles::scale<"));
  CHECK(holds(source.kernels[1], "(8)"));
  CHECK(source.undetermined == std::vector<std::string>{"guess"});
}

TEST_CASE("the block of a launch is known where constants give it", "[core][device_source]") {
  const std::string contract = "inline constexpr int lanes = 32;\n";
  const auto block = [&](const std::string& arguments, const std::string& before = "") {
    const DeviceSource source =
        device_source("constexpr int rows = 8;\n__global__ void k() {}\nvoid launch(int n) {\n" +
                          before + "  k<<<" + arguments + ">>>();\n}\n",
                      contract);
    return source.launches.empty() ? LaunchSite{} : source.launches.front();
  };
  CHECK(block("n, 256").block_threads == 256);
  CHECK(block("n, 256u").block_threads == 256);
  CHECK(block("n, rows * lanes, 0, s").block_threads == 256);
  CHECK(block("dim3(n, 2), dim3(16, 4)").block_threads == 64);
  CHECK(block("n, {16, 4, 2}").block_threads == 128);
  CHECK(block("n, block", "  const dim3 block(lanes, rows);\n").block_threads == 256);
  CHECK(block("n, 256, 2 * rows * 4, s").dynamic_shared_bytes == 64);
  CHECK(block("n, 256").dynamic_shared_bytes == 0);
  CHECK_FALSE(block("n, n / 2").block_threads);
  CHECK_FALSE(block("n, 256, bytes").dynamic_shared_bytes);
}

TEST_CASE("macros that stand for device words count as such", "[core][device_source]") {
  const DeviceSource source = device_source(
      "#define BOTH __host__ __device__ inline\n"
      "BOTH int f() { return 1; }\n"
      "int g() { return 2; }\n"
      "#define CHECK(x) do { if (x) { \\\n  abort(); } } while (0)\n"
      "constexpr int h() { return 3; }\n",
      "");
  CHECK(holds(source.text, "int f()"));
  CHECK_FALSE(holds(source.text, "int g()"));
  CHECK(holds(source.text, "int h()"));
}

TEST_CASE("unfinished text is cut without harm", "[core][device_source]") {
  const std::string file =
      "template <int N> __global__ void k(float* p) { if (p[0] > 'x') { p[0] = \"a\\\"b\"[0]; } }\n"
      "namespace a { struct S { int x; } s; }\nvoid launch(const Args& a) { k<3><<<1, "
      "{2,3}>>>(a.p); }";
  for (std::size_t length = 0; length <= file.size(); ++length) {
    const DeviceSource source = device_source(std::string_view(file).substr(0, length), "");
    CHECK(source.text.size() == length);
  }
  for (const char* text : {"}}}}", "((((", "<<<>>>", "operator", "template", "R\"(", "/*", "#",
                           "extern \"C\" {", "namespace", "struct", "using", "=", ">>>"})
    CHECK(device_source(text, text).text.size() == std::string_view(text).size());
}
