// StatementWriter: statements of a thread alone, and the functions that they call.
#pragma once

#include "core/record/random/write/expressions.hpp"

namespace klab::random_kernel {

class StatementWriter : public ExpressionWriter {
 public:
  explicit StatementWriter(std::uint64_t seed, RandomKind kind = RandomKind::usual)
      : ExpressionWriter(seed, kind), number_(seed) {}
  virtual ~StatementWriter() = default;

 protected:
  virtual std::string block(int depth);
  std::string assignment();
  /// A chain of instructions that hand a carry on, as assembly and as what it means.
  std::string carries();

  const std::uint64_t number_;
  std::string functions_;
  int loops_ = 0;
  int functions_written_ = 0;

 private:
  std::string call();
  std::string statement(int depth);
  std::string wide_statement(int depth);
  /// An array whose elements are chosen while the kernel runs, filled by a function that takes it.
  std::string local_array(const char* type, const std::string& name);
  std::string recursion();
  std::string call_through_pointer();
};

}  // namespace klab::random_kernel
