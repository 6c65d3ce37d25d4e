// The course under test, read once for all its tests.
#pragma once

#include "core/course/lab.hpp"
#include "support/checking.hpp"

namespace klab::test {

/// It lives as long as the program, so that tests that are registered for a lab keep a reference to
/// it: each of some hundred tests is a process of its own, which registers all of them.
inline const Course& course_under_test() {
  static const Course read = load_course(tree().root);
  return read;
}

}  // namespace klab::test
