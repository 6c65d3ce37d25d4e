// Writing random kernels: steps of a thread alone as text, and what warps and blocks do between
// them.
#include <fmt/format.h>

#include <array>
#include <random>
#include <span>

#include "core/record/random_kernel_forms.hpp"
#include "core/record/random_kernels.hpp"

namespace klab {
namespace {

using namespace random_forms;
using ExpressionForms = std::span<const char* const>;

/// Draws from a seed. The standard's distributions differ between libraries; these do not.
class SeededDraw {
 public:
  explicit SeededDraw(std::uint64_t seed)
      : engine_(static_cast<std::uint32_t>(seed * 0x9e3779b97f4a7c15 >> 32)) {}
  int below(int n) { return static_cast<int>((engine_() >> 8) % static_cast<std::uint32_t>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  const char* of(ExpressionForms words) {
    return words[static_cast<std::size_t>(below(static_cast<int>(words.size())))];
  }

 private:
  std::mt19937 engine_;
};

/// Whether machine code takes a subroutine, or many instructions, for what PTX takes one for.
bool divides(std::string_view form) {
  return form.starts_with("over") || form.starts_with("rest") || form.starts_with("quotient") ||
         form.starts_with("root") || form.find("(over(") != std::string_view::npos;
}

/// Writes the steps and the body of one kernel.
class KernelWriter {
 public:
  explicit KernelWriter(std::uint64_t seed)
      : draw_(seed), number_(seed), wide_(seed >= first_wide_seed), divides_(draw_.one_in(3)) {}

  std::string kernel() {
    const int parts = 5 + draw_.below(5);
    for (int i = 0; i < parts; ++i) part(2);
    return functions_ + steps_ +
           fmt::format(
               "#pragma nv_exec_check_disable\n"
               "template <class Side> __host__ __device__ void body_{0}(Side& side) {{\n{1}}}\n"
               "__global__ void kernel_{0}(const u32* in, u64* out, u32* sums) {{\n"
               "  __shared__ alignas(16) u32 room[room_words];\n"
               "  DeviceSide side(in, out, sums, room);\n  body_{0}(side);\n  end(side.t, "
               "out);\n}}\n"
               "static void host_{0}(HostSide& side) {{ body_{0}(side); }}\n\n",
               number_, body_);
  }
  bool has_divisions() const { return divides_; }
  int blocks() { return 1 + draw_.below(4); }
  int threads() { return 32 << draw_.below(4); }

 private:
  /// The form with its letters replaced by expressions of at most this depth.
  std::string expand(std::string_view form, int depth) {
    std::string out;
    for (std::size_t i = 0; i < form.size(); ++i)
      out += form[i] == '@' ? expression(form[++i], depth) : std::string(1, form[i]);
    return out;
  }
  struct Forms {
    char type;
    ExpressionForms of_all, of_wide;
  };
  /// One of the forms, without divisions in a kernel that has none.
  const char* form_of(const Forms& forms) {
    const bool more = wide_ && draw_.one_in(2);
    const ExpressionForms list = more ? forms.of_wide : forms.of_all;
    const char* form = draw_.of(list);
    while (!divides_ && divides(form)) form = draw_.of(list);
    return form;
  }
  std::string expression(char type, int depth) {
    if (type == 'w') return draw_.of(word_forms);
    if (type == 'k') return fmt::format("{}", draw_.below(32));
    if (type == 'b') return fmt::format("{}", draw_.below(256));
    if (type == 'y') return draw_.of(directions);
    if (type == 'p') return draw_.of(pair_operations);
    static constexpr Forms conditions{'c', condition_forms, wide_condition_forms};
    if (type == 'c') return expand(form_of(conditions), depth > 0 ? depth - 1 : 0);
    static constexpr Forms all[] = {
        {'n', number_forms, wide_number_forms}, {'l', large_forms, wide_large_forms},
        {'f', real_forms, wide_real_more},      {'d', wide_real_forms, wide_double_forms},
        {'h', half_forms, wide_half_forms},     {'s', small_forms, small_forms}};
    if (depth <= 0) return leaf(type);
    for (const Forms& forms : all)
      if (forms.type == type) return expand(form_of(forms), depth - 1);
    return leaf('n');
  }
  std::string leaf(char type) {
    if (type != 'n') return fmt::format("t.{}{}", type == 'l' ? 'w' : type, draw_.below(2));
    if (!draw_.one_in(3)) return draw_.of(word_forms);
    return fmt::format("{}u", draw_.below(draw_.one_in(2) ? 64 : 1 << 24));
  }
  std::string number(int depth) { return expression('n', depth); }
  std::string condition(int depth) { return expression('c', depth); }

  // ---- statements of a thread alone ----

  std::string assignment() { return expand(draw_.of(assignment_forms), 3); }
  /// A chain of instructions that hand a carry on, as assembly and as what it means.
  std::string carries() {
    static constexpr std::array<const char*, 8> names{
        "add.cc", "addc", "sub.cc", "subc", "mad.lo.cc", "madc.lo", "mad.hi.cc", "madc.hi"};
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
  std::string call() {
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
  std::string block(int depth) {
    std::string out;
    const int count = 1 + draw_.below(3);
    for (int i = 0; i < count; ++i) out += statement(depth);
    return out;
  }
  std::string statement(int depth) {
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
        return fmt::format(
            "for (u32 {0} = 0, end_{0} = {1} % {2}; {0} < end_{0}; ++{0}) {{\n{3}}}\n", i,
            number(1), 3 + draw_.below(9), block(depth - 1));
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

  std::string wide_statement(int depth) {
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
        return fmt::format("{{ u32 {0} = {1} % {2};\ndo {{\n{3}}} while ({0}-- > 0 && {4}); }}\n",
                           i, number(1), 2 + draw_.below(6), block(depth - 1), condition(1));
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
  /// An array whose elements are chosen while the kernel runs, filled by a function that takes it.
  std::string local_array(const char* type, const std::string& name) {
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
  std::string recursion() {
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
  std::string call_through_pointer() {
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

  // ---- the body: steps, and what threads do together ----

  void part(int depth) {
    if (depth > 0 && draw_.one_in(8)) {
      const int times = 2 + draw_.below(3);
      body_ += fmt::format("for (int round_{0} = 0; round_{0} < {1}; ++round_{0}) {{\n", loops_++,
                           times);
      part(depth - 1), part(depth - 1);
      body_ += "}\n";
    } else if (depth > 0 && draw_.one_in(8)) {
      body_ += "if (side.block() % 2 == 0) {\n";
      part(depth - 1);
      body_ += "} else {\n";
      part(depth - 1);
      body_ += "}\n";
    } else if (draw_.one_in(2)) {
      step();
    } else {
      together();
    }
  }
  void step() {
    const int step = steps_written_++;
    steps_ += fmt::format(
        "static __host__ __device__ void step_{}_{}(Thread& t, const u32* in) {{\n{}}}\n", number_,
        step, block(3) + block(2));
    body_ += fmt::format("side.template each<step_{}_{}>();\n", number_, step);
  }
  std::string member(bool any_type) {
    static constexpr std::array<const char*, 8> members{"u0", "u1", "u2", "u3",
                                                        "w0", "w1", "f0", "d1"};
    return fmt::format("&Thread::{}",
                       members[static_cast<std::size_t>(draw_.below(any_type ? 8 : 4))]);
  }
  void together() {
    const auto m = [&] { return member(false); };
    if (wide_ && draw_.one_in(3)) return together_wide();
    switch (draw_.below(20)) {
      case 0:
        body_ += fmt::format("side.flip({}, {});\n", member(true), 1 << draw_.below(5));
        break;
      case 1:
        body_ += fmt::format("side.shift_up({}, {});\n", member(true), 1 + draw_.below(31));
        break;
      case 2:
        body_ += fmt::format("side.shift_down({}, {}, {});\n", member(true), 1 + draw_.below(7),
                             8 << draw_.below(3));
        break;
      case 3:
        body_ += fmt::format("side.pick({}, {});\n", member(true), m());
        break;
      case 4:
        body_ += fmt::format("side.flip_halves({}, {});\n", m(), 1 << draw_.below(4));
        break;
      case 5:
        body_ += fmt::format("side.vote({}, {});\n", m(), m());
        break;
      case 6:
        body_ += fmt::format("side.agree({}, {});\n", m(), m());
        break;
      case 7:
        body_ += fmt::format("side.match({}, {});\n", m(), m());
        break;
      case 8:
        body_ += fmt::format("side.reduce({}, {});\n", m(), m());
        break;
      case 9:
        body_ += fmt::format("side.count({}, {}, {});\n", m(), m(), m());
        break;
      case 10:
      case 11:
        body_ += fmt::format("side.exchange({}, {}, {});\n", member(true), 1 + draw_.below(33),
                             draw_.below(40));
        break;
      case 12:
        body_ += fmt::format("side.template exchange_narrow<{}>({}, {}, {});\n",
                             draw_.of(std::array{"u8", "i8", "u16", "i16"}), m(),
                             1 + draw_.below(33), draw_.below(40));
        break;
      case 13:
        body_ += fmt::format("side.exchange_four({}, {});\n", 1 + draw_.below(33), draw_.below(40));
        break;
      case 14:
        body_ += fmt::format("side.mark({}, {}, {});\n", m(), m(), m());
        break;
      case 15:
        body_ += fmt::format("side.collect_wide({});\n", m());
        break;
      default:
        body_ += fmt::format("side.template collect<Sum::{}>({}, {});\n",
                             draw_.of(std::array{"add", "least", "most", "flip", "either", "both"}),
                             m(), m());
    }
  }

  void together_wide() {
    const auto m = [&] { return member(false); };
    switch (draw_.below(7)) {
      case 0:
        body_ += fmt::format("side.match_all({}, {});\n", m(), m());
        break;
      case 1:
        body_ += fmt::format("side.reduce_more({}, {});\n", m(), m());
        break;
      case 2:
        body_ += fmt::format("side.flip_within({}, {}, {});\n", member(true), 1 << draw_.below(5),
                             2 << draw_.below(5));
        break;
      case 3:
        body_ += fmt::format("side.template fetch<{}>({}, {}, {});\n", 4 << draw_.below(3), m(),
                             1 + draw_.below(9), draw_.below(40));
        break;
      case 4:
        body_ += fmt::format("side.tally({}, {}, {});\n", m(), m(), m());
        break;
      case 5:
        body_ += fmt::format("side.poll({}, {});\n", m(), m());
        break;
      default:
        body_ += fmt::format("side.exchange_two({}, {});\n", 1 + draw_.below(33), draw_.below(40));
    }
  }

  SeededDraw draw_;
  std::uint64_t number_;
  bool wide_;
  bool divides_;
  std::string functions_, steps_, body_;
  int functions_written_ = 0, steps_written_ = 0, loops_ = 0;
};

}  // namespace

bool random_kernel_divides(std::uint64_t seed) { return KernelWriter(seed).has_divisions(); }

std::string random_kernels_source(const std::vector<std::uint64_t>& seeds) {
  std::string out =
      "// Written from seeds; see core/record/random_kernels.hpp.\n#include \"support.cuh\"\n\n";
  std::string list;
  for (const std::uint64_t seed : seeds) {
    KernelWriter writer(seed);
    const int blocks = writer.blocks(), threads = writer.threads();
    out += writer.kernel();
    list += fmt::format("    {{{0}u, {1}, {2}, kernel_{0}, host_{0}}},\n", seed, blocks, threads);
  }
  return out + "static const bool added = add_subjects({\n" + list + "});\n";
}

}  // namespace klab
