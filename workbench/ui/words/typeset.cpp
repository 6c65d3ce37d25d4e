// Typeset: replaces comparison signs, and the u of microseconds after a number.
#include "ui/words/typeset.hpp"

#include <cctype>
#include <string_view>
#include <utility>

namespace klab::ui {

std::string typeset(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {
      {"<= ", "≤ "}, {">= ", "≥ "}, {"== ", "= "}};
  for (const auto& [plain, sign] : signs)
    for (auto at = text.find(plain); at != std::string::npos; at = text.find(plain, at + 1))
      text.replace(at, plain.size(), sign);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  for (auto at = text.find(" us"); at != std::string::npos; at = text.find(" us", at + 1))
    if (at > 0 && std::isdigit(static_cast<unsigned char>(text[at - 1])) &&
        (at + 3 == text.size() || !is_letter(text[at + 3])))
      text.replace(at, 3, " µs");
  return text;
}

}  // namespace klab::ui
