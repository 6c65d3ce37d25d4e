// ExpressionWriter: expressions of a thread alone, from forms.
#pragma once

#include <string>
#include <string_view>

#include "core/record/random/write/draw.hpp"
#include "core/record/random/write/kinds.hpp"

namespace klab::random_kernel {

class ExpressionWriter {
 public:
  explicit ExpressionWriter(std::uint64_t seed, RandomKind kind = RandomKind::usual);
  bool has_divisions() const { return divides_; }

 protected:
  /// The form with its letters replaced by expressions of at most this depth.
  std::string expand(std::string_view form, int depth);
  std::string expression(char type, int depth);
  std::string number(int depth) { return expression('n', depth); }
  std::string condition(int depth) { return expression('c', depth); }

  SeededDraw draw_;
  const bool wide_;

 private:
  struct Forms {
    char type;
    Words of_all, of_wide;
  };
  /// One of the forms, without divisions in a kernel that has none.
  const char* form_of(const Forms& forms);
  bool may_use(std::string_view form) const;
  std::string leaf(char type);

  const bool divides_;
  const bool converges_;
};

}  // namespace klab::random_kernel
