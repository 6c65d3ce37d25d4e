// Writing expressions: a form is drawn, and its letters are written the same way.
#include "core/record/random/write/expressions.hpp"

#include <fmt/format.h>

#include "core/record/random/write/forms.hpp"

namespace klab::random_kernel {
namespace {

/// Whether machine code takes a subroutine, or many instructions, for what PTX takes one for.
bool divides(std::string_view form) {
  return form.starts_with("over") || form.starts_with("rest") || form.starts_with("quotient") ||
         form.starts_with("root") || form.find("(over(") != std::string_view::npos;
}

/// Whether lanes may take different ways within it.
bool branches(std::string_view form) { return form.find('?') != std::string_view::npos; }

/// Whether it loads what a compiler may load once for several, or earlier, or what lanes share.
bool loads_plainly(std::string_view form) {
  return form.starts_with("in[") || form.starts_with("kept(") || form.starts_with("narrow<") ||
         form.starts_with("two(") || form.starts_with("four(");
}

}  // namespace

ExpressionWriter::ExpressionWriter(std::uint64_t seed, RandomKind kind)
    : draw_(seed),
      wide_(kind == RandomKind::usual && seed >= first_wide_seed),
      divides_(draw_.one_in(3) && kind == RandomKind::usual),
      converges_(kind == RandomKind::structured || kind == RandomKind::masked) {}

bool ExpressionWriter::may_use(std::string_view form) const {
  if (divides(form)) return divides_;
  return !converges_ || !(branches(form) || loads_plainly(form));
}

std::string ExpressionWriter::expand(std::string_view form, int depth) {
  std::string out;
  for (std::size_t i = 0; i < form.size(); ++i)
    out += form[i] == '@' ? expression(form[++i], depth) : std::string(1, form[i]);
  return out;
}

const char* ExpressionWriter::form_of(const Forms& forms) {
  if (converges_ && forms.type == 'n' && draw_.one_in(5)) return draw_.of(converging_number_forms);
  const bool more = wide_ && draw_.one_in(2);
  const Words list = more ? forms.of_wide : forms.of_all;
  const char* form = draw_.of(list);
  while (!may_use(form)) form = draw_.of(list);
  return form;
}

std::string ExpressionWriter::expression(char type, int depth) {
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

std::string ExpressionWriter::leaf(char type) {
  if (type != 'n') return fmt::format("t.{}{}", type == 'l' ? 'w' : type, draw_.below(2));
  if (!draw_.one_in(3)) return draw_.of(word_forms);
  return fmt::format("{}u", draw_.below(draw_.one_in(2) ? 64 : 1 << 24));
}

}  // namespace klab::random_kernel
