// Runs one PTX instruction over lists of operands and compares every result with the CPU's.
#pragma once
#include <bit>
#include <string>
#include <type_traits>
#include <vector>

#include "simulator/kernel_harness.hpp"

namespace klab::sim::test {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

template <class T>
Bits<T> bits(T value) {
  return std::bit_cast<Bits<T>>(value);
}

// A kernel whose threads load a, b, c, execute `body` and store d; threads outside `when` (a PTX
// predicate expression on %i, empty for all) store the preset value.
template <class D, class... A>
std::string opcode_kernel(const std::string& body, bool some_lanes) {
  const auto reg = [](std::size_t bytes, const char* name) {
    return fmt::format(".reg .b{} {};\n", 8 * bytes, name);
  };
  std::string text =
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry opcode(.param .u64 pa, "
      ".param .u64 pb, .param "
      ".u64 pc, .param .u64 pd, .param .u32 n)\n{\n.reg .pred p, q, skip;\n.reg .b32 i, m;\n.reg "
      ".b64 at, base;\n";
  text += reg(sizeof(D), "d");
  std::size_t index = 0;
  const char* names[] = {"a", "b", "c"};
  ((text += reg(sizeof(A), names[index++])), ...);
  text +=
      "mov.u32 i, %ctaid.x;\nmov.u32 m, %ntid.x;\nmul.lo.u32 i, i, m;\nmov.u32 m, %tid.x;\nadd.u32 "
      "i, i, m;\n"
      "ld.param.u32 m, [n];\nsetp.ge.u32 skip, i, m;\n@skip bra END;\n";
  index = 0;
  const auto load = [&](std::size_t bytes, const char* name) {
    text += fmt::format(
        "ld.param.u64 base, [p{}];\nmul.wide.u32 at, i, {};\nadd.u64 at, at, base;\nld.global.b{} "
        "{}, [at];\n",
        name, bytes, 8 * bytes, name);
  };
  ((load(sizeof(A), names[index++])), ...);
  text += fmt::format("mov.b{} d, 0;\n", 8 * sizeof(D));
  // Lanes 0, 3, 6, ... jump over the instruction.
  if (some_lanes) text += "rem.u32 m, i, 3;\nsetp.eq.u32 skip, m, 0;\n@skip bra STORE;\n";
  text += body + "\nSTORE:\nld.param.u64 base, [pd];\n";
  text += fmt::format(
      "mul.wide.u32 at, i, {};\nadd.u64 at, at, base;\nst.global.b{} [at], d;\nEND:\nret;\n}}\n",
      sizeof(D), 8 * sizeof(D));
  return text;
}

// Executes `body` for the i-th elements of the operand lists, once for all lanes of every warp and
// once for some, and requires expected(a, b, c) to the bit; NaN results need only be NaN.
template <class D, class Expected, class... A>
void check_opcode(const std::string& body, Expected expected, const std::vector<A>&... operands) {
  CAPTURE(body);
  const std::size_t count = std::min({operands.size()...});
  for (const bool some_lanes : {false, true}) {
    Loaded device(opcode_kernel<D, A...>(body, some_lanes));
    std::vector<std::uint64_t> uploaded{device.upload(operands)...};
    uploaded.resize(3);
    const auto result = device.zeros<D>(count);
    device.run("opcode", {static_cast<std::uint32_t>((count + 63) / 64)}, {64},
               arguments(uploaded[0], uploaded[1], uploaded[2], result,
                         static_cast<std::uint32_t>(count)));
    const std::vector<D> got = device.template download<D>(result, count);
    for (std::size_t i = 0; i < count; ++i) {
      const bool skipped = some_lanes && i % 3 == 0;
      const D want = skipped ? D{} : expected(operands[i]...);
      if constexpr (std::is_floating_point_v<D>)
        if (want != want && got[i] != got[i]) continue;
      if (bits(got[i]) == bits(want)) continue;
      UNSCOPED_INFO("element " << i << (some_lanes ? ", diverged" : ""));
      ((UNSCOPED_INFO("operand " << +operands[i])), ...);
      CHECK(bits(got[i]) == bits(want));
      return;
    }
  }
  SUCCEED();
}

// Every pair (and triple) of the values, as parallel lists.
template <class T>
std::pair<std::vector<T>, std::vector<T>> pairs(const std::vector<T>& values) {
  std::pair<std::vector<T>, std::vector<T>> out;
  for (const T a : values)
    for (const T b : values) out.first.push_back(a), out.second.push_back(b);
  return out;
}

}  // namespace klab::sim::test
