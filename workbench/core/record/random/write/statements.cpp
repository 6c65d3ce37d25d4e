// Writing statements: what one thread does, with branches, loops, arrays and calls.
#include "core/record/random/write/statements.hpp"

#include <fmt/format.h>

#include <array>

#include "core/record/random/write/forms.hpp"

namespace klab::random_kernel {

std::string StatementWriter::assignment() { return expand(draw_.of(assignment_forms), 3); }

std::string StatementWriter::carries() {
  static constexpr std::array<const char*, 8> names{"add.cc",    "addc",    "sub.cc",    "subc",
                                                    "mad.lo.cc", "madc.lo", "mad.hi.cc", "madc.hi"};
  const bool wide = draw_.one_in(3);
  const char* const bits = wide ? "64" : "32";
  const int words = wide ? 2 : 4;
  const auto word = [&](int i) { return fmt::format("t.{}{}", wide ? "w" : "u", i); };
  std::string assembly, meaning;
  const int count = 2 + draw_.below(6);
  for (int i = 0; i < count; ++i) {
    const int kind = i == 0 ? 2 * draw_.below(4) : draw_.below(8);
    const int d = draw_.below(words), a = draw_.below(words), b = draw_.below(words),
              c = draw_.below(words);
    const bool first = kind % 2 == 0, leaves = first || draw_.one_in(2);
    assembly += fmt::format("{}{}.u{} %{}, %{}, %{}{}; ", names[static_cast<std::size_t>(kind)],
                            !first && leaves ? ".cc" : "", bits, d, a, b,
                            kind >= 4 ? fmt::format(", %{}", c) : "");
    const std::string in = first ? (kind == 2 ? "true" : "false") : "flag.carry";
    const std::string x = kind < 4   ? word(a)
                          : kind < 6 ? fmt::format("{} * {}", word(a), word(b))
                                     : fmt::format("high_product({}, {})", word(a), word(b));
    const std::string y = kind < 2 ? word(b) : kind < 4 ? "~" + word(b) : word(c);
    meaning +=
        fmt::format("{} = flag.add<u{}>({}, {}, {}, {});\n", word(d), bits, x, y, in, leaves);
  }
  return fmt::format(
      "#ifdef __CUDA_ARCH__\nasm volatile(\"{}\" : {});\n#else\n{{ Flag "
      "flag;\n{}}}\n#endif\n",
      assembly,
      wide ? "\"+l\"(t.w0), \"+l\"(t.w1)"
           : "\"+r\"(t.u0), \"+r\"(t.u1), \"+r\"(t.u2), \"+r\"(t.u3)",
      meaning);
}

std::string StatementWriter::call() {
  const int number = functions_written_++;
  const bool wide = draw_.one_in(2);
  functions_ += fmt::format(
      "__host__ __device__ __noinline__ {0} called_{1}_{2}({0} a, u32 b, {3} c, const u32* in) "
      "{{\n"
      "  for (u32 i = 0; i < b % 5; ++i) a = a * 3 + static_cast<{0}>(c) + in[(b + i) % "
      "inputs];\n  return a ^ b;\n}}\n",
      wide ? "u64" : "u32", number_, number, draw_.one_in(2) ? "i16" : "u64");
  return wide ? fmt::format("t.w0 = called_{}_{}({}, {}, t.s1, in);\n", number_, number,
                            expression('l', 1), this->number(1))
              : fmt::format("t.u1 = called_{}_{}({}, {}, t.s0, in);\n", number_, number,
                            this->number(1), this->number(1));
}

std::string StatementWriter::block(int depth) {
  std::string out;
  const int count = 1 + draw_.below(3);
  for (int i = 0; i < count; ++i) out += statement(depth);
  return out;
}

std::string StatementWriter::statement(int depth) {
  if (depth <= 0) return assignment();
  if (wide_ && draw_.one_in(3)) return wide_statement(depth);
  switch (draw_.below(12)) {
    case 0:
      return fmt::format("if {} {{\n{}}}\n", condition(1), block(depth - 1));
    case 1:
      return fmt::format("if {} {{\n{}}} else {{\n{}}}\n", condition(1), block(depth - 1),
                         block(depth - 1));
    case 2: {
      const std::string i = fmt::format("turn_{}", loops_++);
      return fmt::format("for (u32 {0} = 0, end_{0} = {1} % {2}; {0} < end_{0}; ++{0}) {{\n{3}}}\n",
                         i, number(1), 3 + draw_.below(9), block(depth - 1));
    }
    case 3: {
      std::string ways;
      const int count = 3 + draw_.below(5);
      for (int i = 0; i < count; ++i)
        ways += fmt::format("case {}: {{\n{}break; }}\n", i, block(0));
      return fmt::format("switch ({} % {}) {{\n{}default: {}}}\n", number(1), count + 1, ways,
                         assignment());
    }
    case 4: {
      // Rolled up, so that ptxas has no neighbouring stores to merge.
      const std::string a = fmt::format("list_{}", loops_++);
      return fmt::format(
          "{{ u32 {0}[8];\n#pragma unroll 1\nfor (u32 i = 0; i < 8; ++i) {0}[i] = {1} + i;\n"
          "#pragma unroll 1\nfor (u32 i = 0; i < 6; ++i) {{ const u32 at = ({2} + i) % 8;\n"
          "{0}[at] = {0}[at] ^ ({0}[{3} % 8] * 5 + i); }}\n{4} += {0}[{5} % 8]; }}\n",
          a, number(1), number(1), number(1), expression('w', 0), number(1));
    }
    case 7: {
      const std::string i = fmt::format("turn_{}", loops_++);
      return fmt::format(
          "for (u32 {0} = 0; {0} < {1}; ++{0}) {{\nif {2} continue;\n{3}if {4} break;\n}}\n", i,
          3 + draw_.below(6), condition(1), block(depth - 1), condition(1));
    }
    case 8:
      return fmt::format("if ({} && {}) return;\n", condition(1), condition(1));
    case 5:
      return carries();
    case 6:
      return call();
    default:
      return assignment();
  }
}

std::string StatementWriter::wide_statement(int depth) {
  const std::string i = fmt::format("turn_{}", loops_++);
  switch (draw_.below(8)) {
    case 0:  // two loops, and a way out of both
      return fmt::format(
          "{{ bool left_{0} = false;\nfor (u32 {0} = 0; {0} < {1} && !left_{0}; ++{0})\n"
          "for (u32 in_{0} = {0}; in_{0} < {2}; ++in_{0}) {{\n{3}if {4} {{ left_{0} = true; "
          "break; }}\nif {5} break;\n{6}}} }}\n",
          i, 2 + draw_.below(4), 2 + draw_.below(5), block(depth - 1), condition(1), condition(1),
          assignment());
    case 1:
      return fmt::format("{{ u32 {0} = {1} % {2};\ndo {{\n{3}}} while ({0}-- > 0 && {4}); }}\n", i,
                         number(1), 2 + draw_.below(6), block(depth - 1), condition(1));
    case 2: {  // cases that fall through, leave, or go on
      std::string ways;
      const int count = 4 + draw_.below(8);
      for (int way = 0; way < count; ++way)
        ways += fmt::format("case {}: {{\n{}}} {}\n", way + way / 3, block(0),
                            draw_.one_in(3) ? "[[fallthrough]];" : "break;");
      return fmt::format("switch ({} % {}) {{\n{}default: {}}}\n", number(1), count + count / 3,
                         ways, assignment());
    }
    case 3:
      return local_array("u8", i);
    case 4:
      return local_array("u64", i);
    case 5:
      return recursion();
    case 6:
      return call_through_pointer();
    default:
      return assignment() + carries();
  }
}

std::string StatementWriter::local_array(const char* type, const std::string& name) {
  const int number = functions_written_++;
  functions_ += fmt::format(
      "__host__ __device__ __noinline__ void fill_{0}_{1}({2}* list, u32 seed) {{\n"
      "#pragma unroll 1\nfor (u32 i = 0; i < 12; ++i) list[(i * 5 + seed % 12) % 12] = "
      "static_cast<{2}>(seed * (i + 1) ^ seed >> i);\n}}\n",
      number_, number, type);
  return fmt::format(
      "{{ {3} {0}[12]; fill_{1}_{2}({0}, {4});\n"
      "#pragma unroll 1\nfor (u32 i = 0; i < 5; ++i) {0}[({5} + i) % 12] += "
      "static_cast<{3}>({0}[({6} + i * 3) % 12] * 7 + i);\n{7} ^= static_cast<u32>({0}[{8} % "
      "12]); "
      "}}\n",
      name, number_, number, type, this->number(1), this->number(1), this->number(0),
      expression('w', 0), this->number(1));
}

std::string StatementWriter::recursion() {
  const int number = functions_written_++;
  functions_ += fmt::format(
      "__host__ __device__ __noinline__ u32 walk_{0}_{1}(u32 a, u32 left, const u32* in) {{\n"
      "  if (left == 0) return a ^ in[a % inputs];\n"
      "  const u32 deeper = walk_{0}_{1}(a * 5 + left, left - 1, in);\n"
      "  return (deeper & 1) != 0 ? deeper + a : deeper ^ in[(a + left) % inputs];\n}}\n",
      number_, number);
  return fmt::format("{} ^= walk_{}_{}({}, {} % {}, in);\n", expression('w', 0), number_, number,
                     this->number(1), this->number(1), 2 + draw_.below(5));
}

std::string StatementWriter::call_through_pointer() {
  const int number = functions_written_++;
  for (const char* which : {"one", "other"})
    functions_ += fmt::format(
        "__host__ __device__ __noinline__ u32 {2}_{0}_{1}(u32 a, const u32* in) {{\n"
        "  return in[(a >> {3}) % inputs] {4} a;\n}}\n",
        number_, number, which, draw_.below(20), draw_.one_in(2) ? "+" : "^");
  return fmt::format(
      "{{ u32 (*const way)(u32, const u32*) = {0} ? one_{1}_{2} : other_{1}_{2};\n{3} += "
      "way({4}, in); }}\n",
      condition(1), number_, number, expression('w', 0), this->number(1));
}

}  // namespace klab::random_kernel
