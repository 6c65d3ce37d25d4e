// The words of the field: read from prose, found in labels.
#include "core/course/glossary.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/measure/catalogue/metric_catalogue.hpp"

using namespace klab;

namespace {

std::vector<std::string> names_in(const std::vector<Term>& glossary, std::string_view text) {
  std::vector<std::string> names;
  for (const Term* term : terms_in(glossary, text)) names.push_back(term->forms.front());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("bold words before a colon are a term, other lines are prose", "[core][glossary]") {
  const auto terms = parse_glossary(
      "# Words\n\nWhat **is** spoken of.\n\n**warp**, **warps**: 32 threads.\n**bad");
  REQUIRE(terms.size() == 1);
  CHECK(terms.front().forms == Names{"warp", "warps"});
  CHECK(terms.front().meaning == "32 threads.");
}

TEST_CASE("terms are found as whole words, the longest one first", "[core][glossary]") {
  const auto terms =
      parse_glossary("**local memory**: b\n**local**: a\n**sector**, **sectors**: c");
  CHECK(names_in(terms, "Local memory load sectors") == Names{"local memory", "sector"});
  CHECK(names_in(terms, "A local sector, sectors") == Names{"local", "sector"});
  CHECK(names_in(terms, "locality of bisectors").empty());
}

TEST_CASE("the glossary of the repository explains each form once", "[core][glossary]") {
  const auto terms = load_glossary(KLAB_SOURCE_DIR);
  CHECK(names_in(terms, find_metric("global_load_sectors_per_request")->label) ==
        Names{"sector", "global memory", "request"});
  Names forms;
  for (const Term& term : terms) forms.insert(forms.end(), term.forms.begin(), term.forms.end());
  std::sort(forms.begin(), forms.end());
  CHECK(std::adjacent_find(forms.begin(), forms.end()) == forms.end());
}
