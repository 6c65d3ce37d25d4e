// Recursion, calls through pointers, virtual functions, printf, assertions, memory from inside
// kernels, predicated calls and barriers.
#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace calls_tests {
namespace {

constexpr const char* source = R"(
#include <cstdlib>
using Step = int (*)(int);
__device__ __noinline__ int twice(int v) { return 2 * v; }
__device__ __noinline__ int square(int v) { return v * v; }
__device__ __noinline__ int negate(int v) { return -v; }
__device__ Step steps[] = {twice, square, negate};
__global__ void by_table(int* out) { out[threadIdx.x] = steps[threadIdx.x % 3](threadIdx.x); }
__global__ void by_pointer(Step* from, int* out) {
  out[threadIdx.x] = (*from)(threadIdx.x + 1);
}
__global__ void take_address(Step* to) { *to = square; }

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Rectangle : Shape {
  float width, height;
  __device__ Rectangle(float w, float h) : width(w), height(h) {}
  __device__ float area() const override { return width * height; }
};
__global__ void make_shapes(Shape** shapes) {
  const int i = threadIdx.x;
  if (i & 1) shapes[i] = new Square(i);
  else shapes[i] = new Rectangle(i, 2);
}
__global__ void measure(Shape** shapes, float* out) { out[threadIdx.x] = shapes[threadIdx.x]->area(); }
__global__ void drop_shapes(Shape** shapes) { delete shapes[threadIdx.x]; }

__global__ void list(int* out) {
  int* words = static_cast<int*>(malloc(40));
  for (int i = 0; i < 10; ++i) words[i] = threadIdx.x + i;
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += words[i];
  out[threadIdx.x] = sum;
  free(words);
}
__global__ void too_large(int* out) { out[threadIdx.x] = malloc(1 << 20) == nullptr; }
__global__ void beyond(int* out) {
  int* words = static_cast<int*>(malloc(40));
  out[0] = words[10 + threadIdx.x];
}
__global__ void free_twice(int** keep) {
  int* words = static_cast<int*>(malloc(40));
  words[0] = 1;
  *keep = words;
  free(words);
  free(*keep);
}
__global__ void free_other(int* out) { free(out); }
__global__ void freed_by_other_block(int** keep, volatile int* turn, int atomic) {
  if (blockIdx.x == 0) {
    // Long enough that the other block has begun on another worker.
    unsigned x = 1;
    for (int i = 0; i < 100000; ++i) x = x * 5 + 1;
    *keep = static_cast<int*>(malloc(40));
    **keep = x;
    __threadfence();
    *turn = 1;
    while (*turn != 2) {}
    free(*keep);
    *turn = 3;
  } else {
#pragma unroll 1
    for (int i = 1; i <= 3; i += 2) {
      while (*turn != i) {}
      int* mine = *(int* volatile*)keep;
      int got = atomic ? atomicAdd(mine, 0) : *(volatile int*)mine;
      if (i == 1) *turn = got == 0 ? 4 : 2;
    }
  }
}
#include <cassert>
#include <cstdio>
__noinline__ __device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursion(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }
__noinline__ __device__ int depth(int n, const int* in) { return n == 0 ? *in : depth(n - 1, in) + 1; }
__global__ void deep(int n, int* out) { out[threadIdx.x] = depth(n, out + threadIdx.x); }
__global__ void overflow(int n, int* out) { out[threadIdx.x] = fibonacci(n); }
__global__ void counts_printed(int* out, const char* nothing) {
  out[0] = printf("alone\n");
  out[1] = printf("%d%% of %s\n", 7, "it");
  out[2] = printf("%*d|\n", 5, 3);
  out[3] = printf(nothing);
}
__global__ void prints(int n) { if (threadIdx.x < n) printf("thread %d of %s: %.2f %c%% %lld\n", threadIdx.x, "block", threadIdx.x * 0.5, 'x', 1ll << 40); }
__global__ void asserts(int n) { assert(threadIdx.x < n); }
)";

std::string kernels() {
  const auto ptx = compile_to_ptx(source);
  if (!ptx) SKIP("no nvcc");
  return *ptx;
}

constexpr const char* head =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".func (.param .b32 result) plus_one(.param .b32 value)\n{\n.reg .b32 r;\n"
    "ld.param.u32 r, [value];\nadd.u32 r, r, 1;\nst.param.b32 [result], r;\nret;\n}\n"
    ".visible .entry work(.param .u64 out)\n{\n.reg .pred p, q;\n.reg .b32 r, t;\n.reg .b64 at;\n"
    ".reg .b64 f;\n"
    "ld.param.u64 at, [out];\nmov.u32 t, %tid.x;\nmul.wide.u32 f, t, 4;\nadd.u64 at, at, f;\n";

}  // namespace

TEST_CASE("Lanes that name different functions call each of them", "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  device.run("by_table", {1}, {32}, arguments(out));
  const auto got = device.download<int>(out, 32);
  for (int i = 0; i < 32; ++i) CHECK(got[i] == (i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : -i));
}

TEST_CASE("A call through a pointer is counted once for each lane", "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  device.run("by_table", {1}, {32}, arguments(out));
  const Counts& diverged = device.kernel("by_table").counts().total;
  const auto step = device.zeros<std::uint64_t>(1);
  device.run("take_address", {1}, {1}, arguments(step));
  device.run("by_pointer", {1}, {32}, arguments(step, out));
  CHECK(device.download<int>(out, 32)[4] == 25);
  const Counts together = device.kernel("by_pointer").counts().total;
  CHECK(together[Metric::thread_instructions] == 32 * together[Metric::warp_instructions]);
  CHECK(diverged[Metric::thread_instructions] < 32 * diverged[Metric::warp_instructions]);
}

TEST_CASE("A pointer to nothing that can be called is a fault with the line",
          "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const auto step = device.upload<std::uint64_t>({0x1234});
  const LaunchResult result = device.launch("by_pointer", {1}, {32}, arguments(step, out));
  REQUIRE(result.fault);
  CHECK(result.fault->message.find("0x1234") != std::string::npos);
  CHECK(result.fault->message.find("line 10") != std::string::npos);
}

TEST_CASE("Virtual functions reach the object's own type across launches", "[simulator][calls]") {
  Loaded device(kernels(), 2);
  const auto shapes = device.zeros<std::uint64_t>(64);
  const auto out = device.zeros<float>(64);
  device.run("make_shapes", {1}, {64}, arguments(shapes));
  device.run("measure", {1}, {64}, arguments(shapes, out));
  const auto got = device.download<float>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[i] == static_cast<float>((i & 1) != 0 ? i * i : 2 * i));
  const std::uint64_t held = device.device.memory().used_bytes();
  CHECK(device.device.memory().living(MemoryKind::heap).size() == 64);  // for a list of leaks
  device.run("drop_shapes", {1}, {64}, arguments(shapes));
  CHECK(device.device.memory().used_bytes() < held);
  CHECK(device.device.memory().living(MemoryKind::heap).empty());
}

TEST_CASE("Kernels allocate and free, each piece checked for itself", "[simulator][calls]") {
  Loaded device(kernels(), 2);
  const auto out = device.zeros<int>(64);
  device.run("list", {1}, {64}, arguments(out));
  CHECK(device.download<int>(out, 64)[3] == 75);
  // 64 pieces of 1 MiB do not fit into the heap of 8 MiB.
  device.run("too_large", {1}, {64}, arguments(out));
  int refused = 0;
  for (const int full : device.download<int>(out, 64)) refused += full;
  CHECK(refused == 56);
}

TEST_CASE("Wrong use of the heap is found", "[simulator][calls]") {
  for (const auto& [kernel, words] :
       {std::pair{"beyond", "past the end"}, std::pair{"free_twice", "already"},
        std::pair{"free_other", "no malloc()"}}) {
    CAPTURE(kernel);
    Loaded device(kernels());
    const auto out = device.zeros<std::uint64_t>(32);
    const LaunchResult result = device.launch(kernel, {1}, {1}, arguments(out));
    REQUIRE(result.fault);
    CAPTURE(result.fault->message);
    CHECK(result.fault->message.find(words) != std::string::npos);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].where.line > 30);
  }
}

TEST_CASE("Memory that another block frees during the launch is not used afterwards",
          "[simulator][calls]") {
  for (const auto& [threads, atomic] : {std::pair{1u, 0}, std::pair{2u, 0}, std::pair{2u, 1}}) {
    CAPTURE(threads, atomic);
    Loaded device(kernels(), threads);
    const auto keep = device.zeros<std::uint64_t>(1);
    const auto turn = device.zeros<int>(1);
    const LaunchResult result =
        device.launch("freed_by_other_block", {2}, {1}, arguments(keep, turn, atomic),
                      {.instruction_budget = 100'000'000});
    REQUIRE(result.fault);
    CAPTURE(result.fault->message);
    CHECK(result.fault->code == FaultCode::illegal_address);
    REQUIRE(result.findings.size() == 1);
    CHECK(result.findings[0].kind == FindingKind::use_after_free);
    CHECK(result.findings[0].thread->block[0] == 1);
  }
}

TEST_CASE("A predicated call is made by the lanes whose predicate holds", "[simulator][calls]") {
  for (const bool negated : {false, true}) {
    Loaded device(std::string(head) +
                  "setp.lt.u32 p, t, 10;\nmov.u32 r, 100;\n{\n.param .b32 a;\n.param .b32 b;\n"
                  "st.param.b32 [a], t;\nst.param.b32 [b], 7;\n" +
                  (negated ? "@!p" : "@p") +
                  " call (b), plus_one, (a);\nld.param.b32 r, [b];\n}\n"
                  "st.global.u32 [at], r;\nret;\n}\n");
    const auto out = device.zeros<int>(32);
    device.run("work", {1}, {32}, arguments(out));
    const auto got = device.download<int>(out, 32);
    for (int i = 0; i < 32; ++i) CHECK(got[i] == ((i < 10) != negated ? i + 1 : 7));
  }
}

TEST_CASE("Some lanes may call any number of functions while others of their warp wait for them",
          "[simulator][calls]") {
  // Whichever half runs first, one of the two calls while the other waits at the shuffle, which is
  // no place where the two must meet: the one that calls might leave before.
  for (const char* waits : {"lt", "ge"}) {
    Loaded device(std::string(head) + "setp." + waits +
                  ".u32 p, t, 16;\nmov.u32 r, 0;\n@p bra wait;\n"
                  "again:\n{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], r;\n"
                  "call.uni (b), plus_one, (a);\nld.param.b32 r, [b];\n}\n"
                  "setp.lt.u32 q, r, 200;\n@q bra again;\n"
                  "setp.eq.u32 q, r, 7;\n@q bra end;\n"
                  "wait:\nshfl.sync.bfly.b32 r, r, 16, 31, -1;\n"
                  "end:\nst.global.u32 [at], r;\nret;\n}\n");
    const auto out = device.zeros<int>(32);
    device.run("work", {1}, {32}, arguments(out));
    const auto got = device.download<int>(out, 32);
    for (int i = 0; i < 32; ++i) CHECK(got[i] == ((i < 16) == (waits[0] == 'l') ? 200 : 0));
  }
}

TEST_CASE("A predicated barrier holds back the warps whose predicate holds", "[simulator][calls]") {
  // Warp 0 writes and waits for warp 1; warp 2 goes past.
  Loaded device(std::string(head) +
                "setp.lt.u32 p, t, 64;\n@p bar.sync 1, 64;\nst.global.u32 [at], t;\nret;\n}\n");
  const auto out = device.zeros<int>(96);
  device.run("work", {1}, {96}, arguments(out));
  CHECK(device.download<int>(out, 96)[95] == 95);
  CHECK(device.kernel("work").counts().total[Metric::barriers] == 2);
}

TEST_CASE("A kernel may call hundreds of functions", "[simulator][calls]") {
  constexpr int count = 400;
  std::string text = ".version 8.0\n.target sm_90\n.address_size 64\n";
  std::string calls;
  for (int i = 0; i < count; ++i) {
    text += fmt::format(
        ".func (.param .b32 back) add{0}(.param .b32 a)\n{{ .reg .b32 x; ld.param.b32 x, [a];\n"
        "add.u32 x, x, {0};\nst.param.b32 [back], x;\nret; }}\n",
        i);
    calls += fmt::format(
        "{{ .param .b32 a; .param .b32 back;\nst.param.b32 [a], x;\ncall (back), add{}, (a);\n"
        "ld.param.b32 x, [back]; }}\n",
        i);
  }
  Loaded device(text +
                ".visible .entry all(.param .u64 out)\n{ .reg .b32 x; .reg .b64 at;\n"
                "mov.u32 x, 0;\n" +
                calls + "ld.param.u64 at, [out];\nst.global.u32 [at], x;\nret; }\n");
  const auto out = device.zeros<int>(1);
  device.run("all", {1}, {1}, arguments(out));
  CHECK(device.download<int>(out, 1)[0] == count * (count - 1) / 2);
}

TEST_CASE("Recursive calls keep each lane's own depth and values", "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(64);
  device.run("recursion", {1}, {64}, arguments(out));
  const int wanted[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  const auto got = device.download<int>(out, 64);
  for (int i = 0; i < 64; ++i) CHECK(got[i] == wanted[i % 12]);
}

TEST_CASE("A larger stack lets a recursion go deeper", "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(32);
  const LaunchResult shallow = device.launch("deep", {1}, {32}, arguments(900, out));
  REQUIRE(shallow.fault);
  CHECK(shallow.fault->code == FaultCode::stack_overflow);
  const LaunchResult result =
      device.launch("deep", {1}, {32}, arguments(900, out), {.stack_bytes = 16 * 1024});
  CHECK_FALSE(result.fault);
  CHECK(device.download<int>(out, 32) == std::vector<int>(32, 900));
}

TEST_CASE("A recursion deeper than the simulator follows is not blamed on the stack's limit",
          "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(1);
  const auto run = [&](int depth, std::uint32_t stack) {
    return device.launch("deep", {1}, {1}, arguments(depth, out), {.stack_bytes = stack});
  };
  CHECK_FALSE(run(4000, 512 * 1024).fault);
  const LaunchResult beyond = run(1'000'000, 64u << 20);
  REQUIRE(beyond.fault);
  CHECK(beyond.fault->message.find("as deep as the simulator follows") != std::string::npos);
  CHECK(beyond.fault->message.find("Raise") == std::string::npos);
}

TEST_CASE("A recursion without end is a stack overflow with a remedy", "[simulator][calls]") {
  Loaded device(kernels());
  const auto out = device.zeros<int>(64);
  device.run("overflow", {1}, {32}, arguments(8, out));
  CHECK(device.download<int>(out, 1)[0] == 21);
  const LaunchResult result = device.launch("overflow", {1}, {32}, arguments(100000, out));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::stack_overflow);
  CHECK(result.fault->message.find("cudaLimitStackSize") != std::string::npos);
}

TEST_CASE("Device printf formats as C does", "[simulator][calls]") {
  Loaded device(kernels());
  std::string text;
  device.device.set_console([&](std::string_view piece) { text += piece; });
  device.run("prints", {1}, {32}, arguments(2));
  CHECK(text ==
        "thread 0 of block: 0.00 x% 1099511627776\nthread 1 of block: 0.50 x% 1099511627776\n");
}

TEST_CASE("Device printf returns how many arguments its format took, and -1 without one",
          "[simulator][calls]") {
  Loaded device(kernels());
  std::string text;
  device.device.set_console([&](std::string_view piece) { text += piece; });
  const auto out = device.zeros<int>(4);
  device.run("counts_printed", {1}, {1}, arguments(out, std::uint64_t{0}));
  CHECK(device.download<int>(out, 4) == std::vector<int>{0, 2, 2, -1});
  CHECK(text == "alone\n7% of it\n    3|\n");
}

TEST_CASE(
    "What a kernel prints last is kept, as much as the device's buffer holds, and the rest "
    "is said to be lost",
    "[simulator][calls]") {
  Loaded device(kernels());
  std::string text;
  device.device.set_console([&](std::string_view piece) { text += piece; });
  Limits limits;
  limits.printf_bytes = 200;
  device.launch("prints", {1}, {32}, arguments(32), limits);
  CHECK(
      text.starts_with("[Calls of printf that later ones overwrote: 29. The device's buffer holds "
                       "200 bytes"));
  CHECK(text.find("thread 28") == std::string::npos);
  CHECK(text.find("thread 29") < text.find("thread 31"));
  text.clear();
  limits.printf_bytes = 0;
  device.launch("prints", {1}, {32}, arguments(1), limits);
  CHECK(text.starts_with("[Calls of printf that later ones overwrote: 1."));
  CHECK(text.find("thread") == std::string::npos);
}

TEST_CASE("A failed assertion names its expression, line and thread", "[simulator][calls]") {
  Loaded device(kernels());
  const LaunchResult result = device.launch("asserts", {1}, {32}, arguments(7));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::assertion);
  CHECK(result.fault->message.find("threadIdx.x < n") != std::string::npos);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].thread->thread[0] == 7);
}

}  // namespace calls_tests
