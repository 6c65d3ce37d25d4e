// Registers Catch2 test cases that are found at run time, such as one for every kernel file of the
// course.
#pragma once

#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>

namespace klab::test {

/// Runs a closure as a test case.
class Closure : public Catch::ITestInvoker {
 public:
  explicit Closure(std::function<void()> body) : body_(std::move(body)) {}
  void invoke() const override { body_(); }

 private:
  std::function<void()> body_;
};

/// Adds one test case; call it before main(), from a static object's constructor. Catch2 keeps
/// views of name and tags only while it copies them.
inline void add_test(const std::string& name, const std::string& tags, std::function<void()> body) {
  Catch::AutoReg(Catch::Detail::make_unique<Closure>(std::move(body)), CATCH_INTERNAL_LINEINFO,
                 Catch::StringRef(), Catch::NameAndTags{name, tags});
}

}  // namespace klab::test
