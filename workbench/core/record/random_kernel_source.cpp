// Writing random kernels: steps of a thread alone as text, and what warps and blocks do between
// them.
#include <fmt/format.h>

#include <array>
#include <random>
#include <span>
#include <utility>

#include "core/record/random_kernels.hpp"

namespace klab {
namespace {

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

// Forms of expressions by type. @ and a letter stand for a smaller one: @n u32, @l u64, @f float,
// @d double, @h half, @s i16, @c a condition; @k is a number below 32.
constexpr std::array word_forms{"t.u0", "t.u1", "t.u2", "t.u3"};
constexpr std::array number_forms{
    "(@n + @n)",
    "(@n - @n)",
    "(@n * @n)",
    "(@n & @n)",
    "(@n | @n)",
    "(@n ^ @n)",
    "(~@n)",
    "(@n << @k)",
    "(@n >> @k)",
    "((@n >> @k) & 1023u)",
    "static_cast<u32>(static_cast<i32>(@n) >> @k)",
    "funnel(@n, @n, @n)",
    "high_product(@n, @n)",
    "ones(@n)",
    "zeros(@n)",
    "mirrored(@n)",
    "permuted(@n, @n, @n)",
    "distance(@n, @n, @n)",
    "dot(@n, @n, @n)",
    "byte_distance(@n, @n)",
    "pair_maximum(@n, @n)",
    "over(@n, @n)",
    "rest(@n, @n)",
    "(@c ? @n : @n)",
    "in[@n % inputs]",
    "kept(in, @n)",
    "narrow<u8>(in, @n)",
    "narrow<i8>(in, @n)",
    "narrow<u16>(in, @n)",
    "narrow<i16>(in, @n)",
    "two(in, @n)",
    "four(in, @n)",
    "from_row<u8>(t, @n)",
    "from_row<i16>(t, @n)",
    "from_row<u32>(t, @n)",
    "from_row<u64>(t, @n)",
    "four_from_row(t, @n)",
    "from_column(t, @n)",
    "static_cast<u32>(@l >> @k)",
    "static_cast<u32>(whole(@f))",
    "bits_of(@h)",
    "static_cast<u32>(@s)",
    "static_cast<u32>(over(static_cast<i32>(@n), static_cast<i32>(@n)))"};
constexpr std::array large_forms{"(@l + @l)",
                                 "(@l - @l)",
                                 "(@l * @l)",
                                 "(@l ^ @l)",
                                 "(@l << @k | @l >> @k)",
                                 "high_product(@l, @l)",
                                 "over(@l, @l >> @k)",
                                 "(u64{@n} * @n)",
                                 "static_cast<u64>(whole(@d))",
                                 "over_wide(@l, @l)",
                                 "static_cast<u64>(Wide{@l} * @l >> @k)",
                                 "static_cast<u64>((Wide{@l} - @l) >> 40)",
                                 "static_cast<u64>(((Wide{@l} << @k) + @l) >> 40)",
                                 "(static_cast<u64>(@n) << 32 | @n)"};
constexpr std::array real_forms{"(@f + @f)",
                                "(@f - @f)",
                                "(@f * @f)",
                                "fused(@f, @f, @f)",
                                "quotient(@f, @f)",
                                "root(@f)",
                                "product_down(@f, @f)",
                                "(@f < @f ? @f : @f)",
                                "static_cast<float>(@d)",
                                "__half2float(@h)",
                                "float_of(@n)"};
constexpr std::array wide_real_forms{
    "(@d + @d)", "(@d * @d)",     "fused(@d, @d, @d)",      "quotient(@d, @d)",
    "root(@d)",  "double_of(@l)", "static_cast<double>(@f)"};
constexpr std::array half_forms{"sum(@h, @h)",         "product(@h, @h)",
                                "fused(@h, @h, @h)",   "fused_pair(@h, @h, @h)",
                                "__float2half_rn(@f)", "small_half(@n)"};
constexpr std::array small_forms{"static_cast<i16>(@s * @s)", "static_cast<i16>(@s - @s)",
                                 "static_cast<i16>(@s >> (@k & 15))", "static_cast<i16>(@n)"};
constexpr std::array condition_forms{
    "((@n & 4u) != 0)", "((@n & 1u) != 0)",
    "(@n < @n)",        "(static_cast<i32>(@n) < static_cast<i32>(@n))",
    "(@f < @f)",        "(@l > @l)",
    "(less(@h, @h))"};
constexpr std::array assignment_forms{"@w = @n;\n",
                                      "@w += @n;\n",
                                      "@w ^= @n;\n",
                                      "@w -= @n;\n",
                                      "@w = @n;\n",
                                      "@w ^= @n;\n",
                                      "t.w0 = @l;\n",
                                      "t.w1 += @l;\n",
                                      "t.f0 = @f;\n",
                                      "t.f1 = @f;\n",
                                      "t.d0 = @d;\n",
                                      "t.d1 = @d;\n",
                                      "t.h0 = @h;\n",
                                      "t.h1 = @h;\n",
                                      "t.s0 = @s;\n",
                                      "t.s1 = @s;\n",
                                      "to_row<u8>(t, @n, static_cast<u8>(@n));\n",
                                      "to_row<u16>(t, @n, static_cast<u16>(@n));\n",
                                      "to_row<u32>(t, @n, @n);\n",
                                      "to_row<u64>(t, @n, @l);\n",
                                      "four_to_row(t, @n);\n",
                                      "to_column(t, @n, @n);\n",
                                      "@w ^= add_to_own(t, @n, @n);\n",
                                      "@w += swap_own(t, @n, @n);\n",
                                      "@w ^= swap_own_if(t, @n, @n);\n"};

/// Whether machine code takes a subroutine, or many instructions, for what PTX takes one for.
bool divides(std::string_view form) {
  return form.starts_with("over") || form.starts_with("rest") || form.starts_with("quotient") ||
         form.starts_with("root") || form.find("(over(") != std::string_view::npos;
}

/// Writes the steps and the body of one kernel.
class KernelWriter {
 public:
  explicit KernelWriter(std::uint64_t seed)
      : draw_(seed), number_(seed), divides_(draw_.one_in(3)) {}

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
               "void host_{0}(HostSide& side) {{ body_{0}(side); }}\n\n",
               number_, body_);
  }
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
  /// One of the forms, without divisions in a kernel that has none.
  const char* form_of(ExpressionForms forms) {
    const char* form = draw_.of(forms);
    while (!divides_ && divides(form)) form = draw_.of(forms);
    return form;
  }
  std::string expression(char type, int depth) {
    if (type == 'w') return draw_.of(word_forms);
    if (type == 'k') return fmt::format("{}", draw_.below(32));
    if (type == 'c') return expand(draw_.of(condition_forms), depth > 0 ? depth - 1 : 0);
    static constexpr std::array<std::pair<char, ExpressionForms>, 6> forms{{{'n', number_forms},
                                                                            {'l', large_forms},
                                                                            {'f', real_forms},
                                                                            {'d', wide_real_forms},
                                                                            {'h', half_forms},
                                                                            {'s', small_forms}}};
    if (depth <= 0) return leaf(type);
    for (const auto& [known, list] : forms)
      if (known == type) return expand(form_of(list), depth - 1);
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
    steps_ +=
        fmt::format("__host__ __device__ void step_{}_{}(Thread& t, const u32* in) {{\n{}}}\n",
                    number_, step, block(3) + block(2));
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

  SeededDraw draw_;
  std::uint64_t number_;
  bool divides_;
  std::string functions_, steps_, body_;
  int functions_written_ = 0, steps_written_ = 0, loops_ = 0;
};

}  // namespace

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
  return out + "static const std::vector<Subject> subjects{\n" + list +
         "};\n"
         "extern \"C\" void launch(const Args& args, cudaStream_t stream) {\n"
         "  launch_named(subjects, args, stream);\n}\n"
         "int main() { return run_subjects(subjects); }\n";
}

}  // namespace klab
