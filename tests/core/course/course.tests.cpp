// Finding labs by name, and the kernel files of one.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/course/lab.hpp"
#include "support/example_lab.hpp"

using namespace klab;
using namespace klab::test;
using Catch::Matchers::ContainsSubstring;

namespace {
Course example_course(const TemporaryFolder& folder) {
  write_lab(folder, "01_divergence");
  write_lab(folder, "02_coalescing");
  write_lab(folder, "03_register_spill");
  write_lab(folder, "10_coarsening");
  return load_course(folder.path());
}
}  // namespace

TEST_CASE("labs come in the order of their numbers", "[core][course]") {
  const TemporaryFolder folder;
  const Course course = example_course(folder);
  REQUIRE(course.broken.empty());
  REQUIRE(course.labs.size() == 4);
  CHECK(course.labs[0].id == "01-divergence");
  CHECK(course.labs[3].id == "10-coarsening");
}

TEST_CASE("a lab is found by number, slug, id, folder and unique prefix", "[core][course]") {
  const TemporaryFolder folder;
  const Course course = example_course(folder);
  const std::string name = GENERATE("3", "03", "register-spill", "03-register-spill",
                                    "03_register_spill", "reg", "Register-Spill", "03-r");
  const auto lab = find_lab(course, name);
  CAPTURE(name);
  REQUIRE(lab);
  CHECK(lab->slug == "register-spill");
}

TEST_CASE("a wrong name lists the near ones", "[core][course]") {
  const TemporaryFolder folder;
  const Course course = example_course(folder);
  CHECK_THAT(shell_words(find_lab(course, "coalesing").error().remedy),
             ContainsSubstring("Did you mean coalescing"));
  CHECK_THAT(shell_words(find_lab(course, "spill").error().remedy),
             ContainsSubstring("register-spill"));
  CHECK_THAT(shell_words(find_lab(course, "zzzzzz").error().remedy),
             ContainsSubstring("klab list"));
  CHECK(find_lab(course, "").error().code == ErrorCode::usage);
}

TEST_CASE("a prefix that fits several labs names them", "[core][course]") {
  const TemporaryFolder folder;
  const auto lab = find_lab(example_course(folder), "coa");
  REQUIRE_FALSE(lab);
  CHECK_THAT(shell_words(lab.error().remedy), ContainsSubstring("coalescing or coarsening"));
}

TEST_CASE("a broken lab leaves the others usable and is reported by its name", "[core][course]") {
  const TemporaryFolder folder;
  write_lab(folder, "01_divergence");
  write_lab(folder, "02_coalescing", "title = 1\n");
  const Course course = load_course(folder.path());
  CHECK(course.labs.size() == 1);
  REQUIRE(course.broken.size() == 1);
  CHECK(find_lab(course, "coalescing").error().code == ErrorCode::bad_lab);
  CHECK(find_lab(course, "divergence"));
}

TEST_CASE("two labs of one number are an error", "[core][course]") {
  const TemporaryFolder folder;
  write_lab(folder, "02_coalescing");
  write_lab(folder, "02_fusion");
  const Course course = load_course(folder.path());
  REQUIRE(course.broken.size() == 1);
  CHECK_THAT(course.broken[0].what, ContainsSubstring("02_coalescing"));
}

TEST_CASE("the variants of a lab are its flawed, optimized, wrong and slow kernels",
          "[core][course]") {
  const TemporaryFolder folder;
  const Course course = example_course(folder);
  std::vector<std::string> names;
  for (const Variant& variant : variants(course.labs[0])) names.push_back(variant.name.name());
  CHECK(names == std::vector<std::string>{"flawed", "optimized", "wrong_nan", "slow_copy"});
}
