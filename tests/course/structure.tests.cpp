// What every lab must have, read from its files alone: a short start, a full gallery, prose whose
// facts exist. The rules themselves are core/admission/structure's.
#include "core/admission/structure.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace klab;

namespace {

/// Fails for every fault that `faults_of` finds in a lab of the course.
void check_course(Faults (*faults_of)(const Lab&)) {
  const Course course = load_course(KLAB_SOURCE_DIR);
  for (const Error& error : course.broken) FAIL_CHECK(error.what);
  REQUIRE(course.labs.size() >= 5);
  for (const Lab& lab : course.labs) CHECK(faults_of(lab) == Faults());
}

}  // namespace

TEST_CASE("a flawed kernel is at most 40 lines, says what to do and includes only its contract",
          "[course][structure]") {
  check_course(start_faults);
}

TEST_CASE("a gallery has two wrong files and a slow one, and each names the gate that rejects it",
          "[course][structure]") {
  check_course(gallery_faults);
}

TEST_CASE("every lab has a lesson and an explanation whose placeholders name facts",
          "[course][structure]") {
  check_course(prose_faults);
}

TEST_CASE("every lab asks before it measures, hints in three to five steps and checks odd sizes",
          "[course][structure]") {
  check_course(fact_faults);
}
