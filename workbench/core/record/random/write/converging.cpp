// Writing statements after which lanes meet again.
#include "core/record/random/write/converging.hpp"

#include <fmt/format.h>

#include <utility>

namespace klab::random_kernel {

ConvergingWriter::ConvergingWriter(std::uint64_t seed, RandomKind kind)
    : BodyWriter(seed, kind), masked_(kind == RandomKind::masked) {
  rolled_ = "#pragma unroll 1\n";
  inlined_ = "__forceinline__ ";
  at_first_ = "show(side);\n";
  behind_together_ = "meet_all(side);\nshow(side);\n";
  collect_ = "collect_of_lanes<Sum::{}>(side, ";
  collect_wide_ = "collect_wide_of_lanes(side, ";
}

std::string ConvergingWriter::block(int depth) {
  std::string out;
  const int count = 1 + draw_.below(3);
  for (int i = 0; i < count; ++i) out += statement(depth);
  return out;
}

std::string ConvergingWriter::block_of(const std::string& lanes, int depth) {
  const std::string ours = std::exchange(lanes_, lanes);
  std::string out = block(depth);
  lanes_ = ours;
  return out;
}

std::string ConvergingWriter::meet(const std::string& lanes) const {
  return masked_ || lanes == all_lanes ? fmt::format("meet({});\n", lanes) : std::string();
}

std::string ConvergingWriter::statement(int depth) {
  if (depth <= 0) return assignment();
  switch (draw_.below(9)) {
    case 0:
      return branch(depth, false);
    case 1:
      return branch(depth, true);
    case 2:
      return loop(depth);
    case 3:
      return ways(depth);
    case 4:
      return call();
    case 5:
      // They write words before they read them: what was loaded into these is used nowhere else.
      return "show(t);\n" + carries();
    default:
      return assignment();
  }
}

std::string ConvergingWriter::branch(int depth, bool both_ways) {
  const std::string name = fmt::format("{}", loops_++), holds = condition(1);
  const std::string with = "with_" + name, without = fmt::format("({} & ~{})", lanes_, with);
  std::string text = fmt::format("{{ const bool if_{} = {};\n", name, holds);
  if (masked_) text += fmt::format("const u32 {} = those_with({}, if_{});\n", with, lanes_, name);
  text += fmt::format("if (if_{}) {{\n{}{}}}", name, meet(with), block_of(with, depth - 1));
  if (both_ways)
    text += fmt::format(" else {{\n{}{}}}", meet(without), block_of(without, depth - 1));
  return text + "\n" + meet(lanes_) + "}\n";
}

std::string ConvergingWriter::loop(int depth) {
  const std::string name = fmt::format("{}", loops_++), times = number(1), in = "in_" + name;
  std::string text = fmt::format("{{ u32 left_{} = {} % {};\n", name, times, 3 + draw_.below(6));
  std::string still;
  if (masked_) {
    text += fmt::format("u32 {} = {};\n", in, lanes_);
    still = fmt::format("{} = those_with({}, left_{} > 0);\n", in, in, name);
  }
  text += fmt::format("#pragma unroll 1\nfor (;;) {{\n{0}if (left_{1} == 0) break;\n--left_{1};\n",
                      still, name);
  return text + block_of(in, depth - 1) + meet(in) + "}\n" + meet(lanes_) + "}\n";
}

std::string ConvergingWriter::ways(int depth) {
  const std::string name = fmt::format("{}", loops_++), which = number(1), like = "like_" + name;
  const int count = 3 + draw_.below(4);
  std::string text = fmt::format("{{ const u32 way_{} = {} % {};\n", name, which, count + 1);
  if (masked_) text += fmt::format("const u32 {} = alike({}, way_{});\n", like, lanes_, name);
  text += fmt::format("switch (way_{}) {{\n", name);
  for (int i = 0; i < count; ++i)
    text += fmt::format("case {}: {{\n{}{}break; }}\n", i, meet(like),
                        block_of(like, depth > 1 ? 1 : 0));
  return text +
         fmt::format("default: {{\n{}{}}} }}\n{}}}\n", meet(like), block_of(like, 0), meet(lanes_));
}

std::string ConvergingWriter::call() {
  const int function = functions_written_++, turns = 1 + draw_.below(4);
  const bool wide = draw_.one_in(2);
  const char* other = draw_.one_in(2) ? "i16" : "u64";
  const bool apart = draw_.one_in(2) && masked_;
  functions_ += fmt::format(
      "__host__ __device__ {5} {0} called_{1}_{2}({0} a, u32 b, {3} c, const u32* in) "
      "{{\n#pragma unroll 1\n  for (u32 i = 0; i < {4}; ++i) a = a * 3 + static_cast<{0}>(c) + "
      "input_as<u32>(in, b + i);\n  return a ^ b;\n}}\n",
      wide ? "u64" : "u32", number_, function, other, turns,
      apart ? "__noinline__" : "__forceinline__");
  const std::string a = wide ? expression('l', 1) : number(1), b = number(1);
  return fmt::format("t.{} = called_{}_{}({}, {}, t.s{}, of_lane(t, in));\n{}", wide ? "w0" : "u1",
                     number_, function, a, b, wide ? 1 : 0, apart ? meet(lanes_) : std::string());
}

}  // namespace klab::random_kernel
