// Brackets within template arguments are none of the parameters.
#include "core/base/text/kernel_name.hpp"

#include <algorithm>

namespace klab {

std::string short_name(std::string_view name) {
  std::string text(name);
  constexpr std::string_view unnamed = "(anonymous namespace)::", returns_nothing = "void ";
  for (auto at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed))
    text.erase(at, unnamed.size());
  if (text.starts_with(returns_nothing)) text.erase(0, returns_nothing.size());
  std::string remark;
  if (const auto last = text.rfind(" ("); last != std::string::npos) {
    const auto begin = text.begin(), end = begin + static_cast<std::ptrdiff_t>(last);
    if (std::count(begin, end, '(') == std::count(begin, end, ')')) {
      remark = text.substr(last);
      text.resize(last);
    }
  }
  int depth = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] != '(' || depth != 0) continue;
    text.resize(i);
    break;
  }
  return text + remark;
}

}  // namespace klab
