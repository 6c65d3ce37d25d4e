// PTX text that is odd, wrong or hostile: a sentence, never a crash, never a hang.
#include <catch2/generators/catch_generators.hpp>
#include <random>
#include <sstream>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace {

constexpr const char* good = R"(
.version 9.0
.target sm_90
.address_size 64
.file 1 "kernel.cu"
.global .align 4 .u32 counter = 3;
.const .align 8 .b8 table[16] = {1, 2, 3, 4};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry work(.param .u64 out, .param .u32 n)
{
.reg .pred %p<3>;
.reg .b32 %r<12>;
.reg .f32 %f<4>;
.reg .b64 %rd<6>;
.shared .align 4 .b8 tile[128];
.local .align 8 .b8 depot[16];
.loc 1 10 3
ld.param.u64 %rd1, [out];
ld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;
mul.wide.u32 %rd2, %r2, 4;
add.s64 %rd3, %rd1, %rd2;
mov.u32 %r3, 0;
.loc 1 11 3
$LOOP:
setp.ge.u32 %p1, %r3, %r1;
@%p1 bra $DONE;
add.u32 %r3, %r3, 1;
st.shared.u32 [tile+4], %r3;
ld.shared.u32 %r4, [tile+4];
st.local.v2.u32 [depot], {%r4, %r3};
ld.local.v2.u32 {%r5, %r6}, [depot];
cvt.rn.f32.u32 %f1, %r5;
fma.rn.f32 %f2, %f1, 0f3F800000, %f1;
shfl.sync.down.b32 %r7|%p2, %r6, 1, 31, -1;
@%p2 atom.global.add.u32 %r8, [counter], 1;
bra.uni $LOOP;
$DONE:
bar.sync 0;
st.global.u32 [%rd3], %r3;
ret;
}
)";

struct Outcome {
  std::string message;
  std::size_t unsupported = 0;
};

// Parses and decodes everything, and runs the kernel if it can be.
Outcome attempt(std::string_view text, bool run) {
  Module::Parsed parsed = Module::parse(text);
  if (parsed.error) return {parsed.error->message};
  Outcome out;
  Device device(1 << 26);
  device.set_threads(1);
  device.set_console([](std::string_view) {});
  if (!parsed.module->place(device.memory())) return {"no memory"};
  const auto buffer = device.memory().allocate(4096, MemoryKind::device);
  for (const auto& kernel : parsed.module->kernels()) {
    const KernelInfo& info = kernel->info();
    if (info.error) out.message = info.error->reason;
    for (const Unsupported& entry : info.unsupported) out.message += entry.opcode;
    out.unsupported += info.unsupported.size();
    if (!run) continue;
    Parameters parameters;
    for (int i = 0; i < 8; ++i) parameters.add(*buffer);
    const LaunchConfig config{
        .grid = {2}, .block = {64}, .dynamic_shared_bytes = 64, .parameters = parameters.span()};
    const LaunchResult result =
        device.launch(*kernel, config, {.instruction_budget = 20'000, .checks = Checks::full});
    if (result.fault) CHECK(result.fault->message.size() > 10);
  }
  return out;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  text.replace(text.find(from), from.size(), to);
  return text;
}

}  // namespace

TEST_CASE("A well-formed module is read and runs", "[simulator][ptx]") {
  const Outcome outcome = attempt(good, true);
  CHECK(outcome.message.empty());
  CHECK(outcome.unsupported == 0);
}

TEST_CASE("What is wrong with a text is said in a sentence", "[simulator][ptx]") {
  const std::pair<std::string, std::string> cases[] = {
      {"", "empty"},
      {"hello world", "not PTX"},
      {replaced(good, "ret;\n}", "ret;"), "brace"},
      {replaced(good, "[128]", "[12800000000000]"), "number"},
      {replaced(good, "%r<12>", "%r<9999999>"), "number"},
      {replaced(good, "bra.uni $LOOP", "bra.uni $NOWHERE"), "$NOWHERE"},
      {replaced(good, "add.u32 %r3, %r3, 1", "add.u32 %r3, %r99, 1"), "%r99"},
      {replaced(good, "add.u32 %r3, %r3, 1", "add.u32 %r3, %rd1, 1"), "wrong width"},
      {replaced(good, "add.u32 %r3, %r3, 1", "add.u32 %r3"), "too few operands"},
      {replaced(good, "@%p1 bra", "@%r1 bra"), "predicate"},
      {replaced(good, "[n]", "[n+4]"), "outside"},
      {replaced(good, "0f3F800000", "0fXYZ00000"), "number"},
      {replaced(good, ".align 8 .b8 depot", ".align 7 .b8 depot"), "power of two"},
      {replaced(good, "{%r5, %r6}", "{{{{{{{{{{{{%r5}}}}}}}}}}}}"), "nested"},
  };
  for (const auto& [text, part] : cases) {
    const Outcome outcome = attempt(text, false);
    CAPTURE(outcome.message, part);
    CHECK(outcome.message.find(part) != std::string::npos);
  }
}

TEST_CASE(
    "Opcodes that are missing are listed with their line, and stop a launch that executes one",
    "[simulator][ptx]") {
  Loaded device(replaced(
      good, "bar.sync 0;",
      "wgmma.fence.sync.aligned;\ntld4.r.2d.v4.f32.f32 {%f1,%f1,%f1,%f1}, [%rd1, {%f1,%f1}];"));
  const KernelInfo& info = device.kernel("work").info();
  REQUIRE(info.unsupported.size() == 2);
  CHECK(info.unsupported[0].opcode == "wgmma.fence.sync.aligned");
  CHECK(info.unsupported[0].file == "kernel.cu");
  CHECK(info.unsupported[0].line == 11);
  const auto out = device.zeros<int>(64);
  const LaunchResult result = device.launch("work", {1}, {32}, arguments(out, 3));
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::unsupported);
  CHECK(result.fault->message.starts_with("kernel.cu:11: kernel work uses wgmma.fence"));
  REQUIRE(result.fault->lacking);
  CHECK(result.fault->lacking->line == 11);
}

TEST_CASE("What the simulator lacks hinders nobody who does not execute it", "[simulator][ptx]") {
  const std::string lacking =
      GENERATE("wgmma.fence.sync.aligned;", "mov.u32 %r9, %nothing;", "add.u32 %r9, %rd1, 1;",
               "add.u32 %r9, %r77, 1;", "call.uni elsewhere, ();", "call.uni nowhere, ();");
  CAPTURE(lacking);
  const auto text = [&](const char* lanes) {
    return std::string(R"(.version 8.0
.target sm_90
.address_size 64
.extern .func elsewhere ();
.visible .entry work(.param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  setp.ge.u32 %p1, %r1, )") +
           lanes + ";\n @%p1 " + lacking + "\n setp.lt.u32 %p2, %r1, " + lanes +
           ";\n @%p2 bra $DONE;\n " + lacking +
           "\n ld.global.u32 %r9, [%rd9];\n$DONE:\n st.global.u32 [%rd3], %r1;\n ret;\n}\n";
  };
  const auto declared = [](std::string ptx) {
    return replaced(std::move(ptx), ".reg .b64 %rd<6>", ".reg .b64 %rd<12>");
  };
  Loaded never(declared(text("64")));
  const auto out = never.zeros<int>(64);
  never.run("work", {1}, {64}, arguments(out));
  CHECK(never.download<int>(out, 64)[63] == 63);
  CHECK(never.kernel("work").info().unsupported.size() == 2);

  Loaded once(declared(text("63")));
  const auto there = once.zeros<int>(64);
  const LaunchResult stopped = once.launch("work", {1}, {64}, arguments(there));
  REQUIRE(stopped.fault);
  CHECK(stopped.fault->code == FaultCode::unsupported);
  CHECK(stopped.fault->lacking);
  CHECK(stopped.findings.empty());  // the load behind it has no address
}

TEST_CASE("Mutilated texts never crash or hang the interpreter", "[simulator][ptx][fuzz]") {
  std::mt19937 random(GENERATE(1u, 2u, 3u, 4u));
  const std::string pieces[] = {"%r1",
                                "%rd3",
                                "%p1",
                                "0",
                                "-1",
                                "{",
                                "}",
                                "[",
                                "]",
                                ";",
                                ",",
                                "@",
                                ".",
                                "bra",
                                "ret;",
                                "$LOOP:",
                                "0f",
                                "9999999999999999999",
                                ".reg .b32 %r<3>;",
                                "call",
                                "bar.sync 1, 32;",
                                "ld.global.v4.f32",
                                "st.shared.b64",
                                "mma.sync.aligned.m16n8k16",
                                "%tid.x",
                                "::",
                                "\"",
                                "/*",
                                "wmma.load.a"};
  for (int round = 0; round < 150; ++round) {
    std::string text = good;
    const int edits = 1 + static_cast<int>(random() % 6);
    for (int i = 0; i < edits; ++i) {
      const std::size_t at = random() % text.size();
      switch (random() % 5) {
        case 0:
          text.erase(at, 1 + random() % 12);
          break;
        case 1:
          text[at] = static_cast<char>(random() % 96 + 32);
          break;
        case 2:
          text.insert(at, pieces[random() % std::size(pieces)]);
          break;
        case 3:
          text.insert(at, text.substr(random() % text.size(), random() % 40));
          break;
        case 4:
          text[at] = static_cast<char>(random());
          break;
      }
    }
    CAPTURE(round);
    attempt(text, true);
  }
  SUCCEED();
}

// What nvcc makes of most of what the interpreter knows.
constexpr const char* compiled_source = R"(
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdio>
__device__ int counter;
__constant__ float weights[16] = {1, 2, 3};
__device__ __noinline__ int recurse(int n) { return n < 2 ? n : recurse(n - 1) + recurse(n - 2); }
__device__ int (*steps[])(int) = {recurse};
__global__ void memory(float4* out, unsigned n) {
  __shared__ float4 tile[64];
  extern __shared__ unsigned char bytes[];
  double local[8];
  tile[threadIdx.x] = out[threadIdx.x];
  bytes[threadIdx.x & 63] = threadIdx.x;
  __syncthreads();
  for (unsigned i = 0; i < (n & 7); ++i) local[(i * 3) & 7] = tile[i].x * weights[i] + bytes[i];
  out[threadIdx.x].y = local[n & 7];
  atomicAdd(&counter, 1);
}
__global__ void control(int* out, unsigned n) {
  int v = steps[0](threadIdx.x & 7);
  switch (v % 5) {
    case 0: v += __shfl_xor_sync(~0u, v, 1); break;
    case 1: v = __popc(v) + __clz(v); break;
    case 2: v /= (threadIdx.x + 1); break;
    default: while (v-- > 0) n += v * n; v = n;
  }
  if (threadIdx.x == 0 && n == 77) printf("%d %s\n", v, "text");
  int* piece = static_cast<int*>(malloc(16));
  if (piece) { piece[0] = v; v = piece[0] + 1; free(piece); }
  out[threadIdx.x] = v + __syncthreads_count(v & 1);
}
__global__ void numbers(double* out, unsigned n) {
  using namespace nvcuda;
  __shared__ __half a[256]; __shared__ float c[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) a[i] = __float2half(i & 3);
  __syncthreads();
  if (threadIdx.x < 32) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    wmma::load_matrix_sync(fa, a, 16); wmma::load_matrix_sync(fb, a, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
  }
  out[threadIdx.x] = sqrt(sin(double(n)) + expf(threadIdx.x) + c[threadIdx.x]) / 3;
}
)";

TEST_CASE("Mutilated texts of a compiler never crash or hang the interpreter",
          "[simulator][ptx][fuzz]") {
  const auto compiled = compile_to_ptx(compiled_source);
  if (!compiled) SKIP("no nvcc");
  REQUIRE(attempt(*compiled, false).message.empty());
  std::vector<std::string> lines;
  std::istringstream text(*compiled);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  std::mt19937 random(GENERATE(11u, 12u, 13u, 14u));
  const auto any = [&] { return random() % lines.size(); };
  // Words of a line, without its indentation and its semicolon.
  const auto words = [](const std::string& line) {
    std::vector<std::pair<std::size_t, std::size_t>> out;
    for (std::size_t at = 0;
         (at = line.find_first_not_of("\t ,;[]{}()", at)) != std::string::npos;) {
      const std::size_t end = std::min(line.find_first_of("\t ,;[]{}()", at), line.size());
      out.emplace_back(at, end - at);
      at = end;
    }
    return out;
  };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::vector<std::string> mutilated = lines;
    for (int edit = 1 + static_cast<int>(random() % 4); edit > 0; --edit) {
      std::string& line = mutilated[any()];
      const std::string& other = lines[any()];
      const auto mine = words(line), theirs = words(other);
      switch (random() % 5) {
        case 0:
          line = other;
          break;
        case 1:
          line.clear();
          break;
        case 2:
          line += "\n" + other;
          break;
        default:  // a word of another line in place of one of this line
          if (mine.empty() || theirs.empty()) break;
          const auto [at, length] = mine[random() % mine.size()];
          const auto [from, count] = theirs[random() % theirs.size()];
          line.replace(at, length, other.substr(from, count));
      }
    }
    std::string joined;
    for (const std::string& line : mutilated) joined += line + "\n";
    attempt(joined, true);
  }
  SUCCEED();
}

TEST_CASE("Source lines of inlined library code are charged to the caller", "[simulator][ptx]") {
  const std::string files = replaced(good, ".file 1", ".file 2 \"lib.h\"\n.file 1");
  Loaded device(replaced(files, ".loc 1 11 3",
                         ".loc 1 20 1\n.loc 2 7 2, function_name info, inlined_at 1 42 5"));
  const auto out = device.zeros<int>(64);
  device.run("work", {1}, {32}, arguments(out, 2));
  bool charged = false;
  for (const LineCounts& line : device.kernel("work").counts().lines) {
    CHECK(line.file != "lib.h");
    charged |= line.line == 42;
  }
  CHECK(charged);
}

TEST_CASE("Parameters that no kernel can have are refused, not wrapped around",
          "[simulator][ptx]") {
  for (const char* size : {"4294967296", "4294967295", "32765"}) {
    Loaded device(fmt::format(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry large(.param .align 8 .b8 "
        "p[{}])\n{{ .reg .b64 x; ld.param.u64 x, [p+8]; ret; }}\n",
        size));
    INFO(size);
    REQUIRE(device.kernel("large").info().error);
    const LaunchResult result = device.launch("large", {1}, {1}, arguments(std::uint64_t{0}));
    REQUIRE(result.fault);
    CHECK(result.fault->code == FaultCode::malformed);
  }
}
