// Near names by edit distance.
#include "core/base/names.hpp"

#include <algorithm>
#include <utility>

namespace klab {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table suffice: a swap of neighbours looks two rows back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::vector<std::string> near_names(std::string_view wrong, const std::vector<std::string>& known,
                                    std::size_t most) {
  // A third of the letters may be wrong, and always one; otherwise everything would be near.
  const std::size_t limit = std::max<std::size_t>(1, wrong.size() / 3);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& name : known) {
    const bool part = wrong.size() >= 2 && name.find(wrong) != std::string::npos;
    const std::size_t distance = part ? 0 : edit_distance(wrong, name);
    if (distance <= limit) found.emplace_back(distance, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::string> names;
  for (const auto& [distance, name] : found)
    if (names.size() < most) names.push_back(name);
  return names;
}

std::string join_or(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

std::string did_you_mean(const std::vector<std::string>& near) {
  return near.empty() ? "" : "Did you mean " + join_or(near) + "? ";
}

}  // namespace klab
