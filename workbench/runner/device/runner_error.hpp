// RunnerError: the exception that carries an Error from anywhere in the runner up to its record.
#pragma once

#include <exception>
#include <utility>

#include "core/base/result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab::runner {

class RunnerError : public std::exception {
 public:
  explicit RunnerError(Error error, VariantName variant = {})
      : error_(std::move(error)), variant_(std::move(variant)) {}

  const char* what() const noexcept override { return error_.what.c_str(); }
  const Error& error() const { return error_; }
  /// The kernel file to blame; empty if none is.
  const VariantName& variant() const { return variant_; }

 private:
  Error error_;
  VariantName variant_;
};

}  // namespace klab::runner
