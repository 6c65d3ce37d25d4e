// Several modules to one: which names are shared, and which each has for itself.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "simulator/kernel_harness.hpp"

using namespace klab::sim;
using namespace klab::sim::test;

namespace {

constexpr const char* header = ".version 9.0\n.target sm_90\n.address_size 64\n";

// Calls what the other defines, and has a `text` and a function `own` of its own.
const std::string caller = std::string(header) + R"(
.extern .func (.param .b32 r) answer (.param .b32 p);
.extern .global .align 4 .u32 total;
.global .align 4 .u32 text[2] = {1, 2};
.func (.param .b32 r) own () { st.param.b32 [r], 30; ret; }
.weak .func (.param .b32 r) either () { st.param.b32 [r], 400; ret; }
.visible .entry work(.param .u64 out)
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  .loc 1 12 1
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [text+4];
  { .param .b32 p0; .param .b32 q0; st.param.b32 [p0], %r1;
  call.uni (q0), answer, (p0); ld.param.b32 %r2, [q0]; }
  { .param .b32 q0; call.uni (q0), own, (); ld.param.b32 %r3, [q0]; }
  { .param .b32 q0; call.uni (q0), either, (); ld.param.b32 %r4, [q0]; }
  add.u32 %r5, %r2, %r3;
  add.u32 %r6, %r5, %r4;
  ld.global.u32 %r7, [total];
  add.u32 %r8, %r6, %r7;
  st.global.u32 [%rd1], %r8;
  ret;
}
.file 1 "caller.cu"
)";
const std::string callee = std::string(header) + R"(
.visible .global .align 4 .u32 total = 50000;
.global .align 4 .u32 text[2] = {7, 8};
.func (.param .b32 r) own () { st.param.b32 [r], 5; ret; }
.weak .func (.param .b32 r) either () { st.param.b32 [r], 900; ret; }
.visible .func (.param .b32 r) answer (.param .b32 p)
{
  .reg .b32 %r<6>;
  .loc 1 34 1
  ld.param.b32 %r1, [p];
  { .param .b32 q0; call.uni (q0), own, (); ld.param.b32 %r2, [q0]; }
  ld.global.u32 %r3, [text];
  mad.lo.u32 %r4, %r1, 1000, %r2;
  add.u32 %r5, %r4, %r3;
  st.param.b32 [r], %r5;
  ret;
}
.file 1 "callee.cu"
)";

struct Linked {
  Device device;
  std::unique_ptr<Module> module;
  std::string error;

  explicit Linked(const std::vector<std::string_view>& texts) {
    device.set_threads(1);
    Module::Parsed parsed = Module::link(texts);
    module = std::move(parsed.module);
    if (parsed.error) error = parsed.error->message;
    if (module) REQUIRE(module->place(device.memory()));
  }
  int run() {
    const auto out = device.memory().allocate(4, MemoryKind::device).value();
    const Parameters parameters = arguments(out);
    const LaunchResult result =
        device.launch(*module->find_kernel("work"),
                      {.grid = {1}, .block = {1}, .parameters = parameters.span()}, {});
    if (result.fault) FAIL(result.fault->message);
    int value = 0;
    std::memcpy(&value, device.memory().host_view(out, 4), 4);
    return value;
  }
};

}  // namespace

TEST_CASE("Linked modules call each other, share what is visible, and keep what is not",
          "[simulator][ptx]") {
  Linked one({caller, callee});
  // answer(text[1] of the caller) = 2 * 1000 + own of the callee + text[0] of the callee
  CHECK(one.run() == 2000 + 5 + 7 + 30 + 400 + 50000);
  Linked other({callee, caller});
  CHECK(other.run() == 2000 + 5 + 7 + 30 + 900 + 50000);  // of weak ones the first counts
  const auto found = other.module->find_variable("total");
  REQUIRE(found != nullptr);
  CHECK(other.module->variables().size() == 3);  // text twice, total once
}

TEST_CASE("Lines of linked modules are those of their own files", "[simulator][ptx]") {
  Linked one({caller, callee});
  one.run();
  std::vector<std::string> places;
  for (const LineCounts& line : one.module->find_kernel("work")->counts().lines)
    places.push_back(line.file + ":" + std::to_string(line.line));
  CHECK(std::count(places.begin(), places.end(), "caller.cu:12") == 1);
  CHECK(std::count(places.begin(), places.end(), "callee.cu:34") == 1);
}

TEST_CASE("A damaged module among linked ones is told", "[simulator][ptx]") {
  CHECK(Linked({caller, "hello"}).error.find("not PTX") != std::string::npos);
  Linked alone({caller});
  const auto out = alone.device.memory().allocate(4, MemoryKind::device).value();
  const Parameters parameters = arguments(out);
  const LaunchResult result =
      alone.device.launch(*alone.module->find_kernel("work"),
                          {.grid = {1}, .block = {1}, .parameters = parameters.span()}, {});
  REQUIRE(result.fault);
  CHECK(result.fault->code == FaultCode::unsupported);
  CHECK(result.fault->message.find("call answer") != std::string::npos);
}
