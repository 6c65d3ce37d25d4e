// A phrase in what a program printed for a person, wherever its lines break: that depends on the
// width of the terminal and on the length of the paths in the text.
#pragma once

#include <algorithm>
#include <catch2/matchers/catch_matchers_templated.hpp>
#include <string>
#include <string_view>

namespace klab::test {

/// The words with one space between them.
inline std::string one_line(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  std::string result;
  for (std::size_t at = text.find_first_not_of(blank); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blank, at), text.size());
    if (!result.empty()) result += ' ';
    result += text.substr(at, end - at);
    at = text.find_first_not_of(blank, end);
  }
  return result;
}

class Says : public Catch::Matchers::MatcherGenericBase {
 public:
  explicit Says(std::string_view phrase) : phrase_(one_line(phrase)) {}
  bool match(const std::string& text) const {
    return one_line(text).find(phrase_) != std::string::npos;
  }
  std::string describe() const override { return "says, wherever its lines break: " + phrase_; }

 private:
  std::string phrase_;
};

}  // namespace klab::test
