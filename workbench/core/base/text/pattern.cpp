#include "core/base/text/pattern.hpp"

#include <regex>

namespace klab {

struct Pattern::Compiled {
  std::regex expression;
};

namespace {

Pattern::Groups groups_of(const std::smatch& match) { return {match.begin(), match.end()}; }

}  // namespace

Pattern::Pattern(const std::string& expression)
    : compiled_(std::make_shared<Compiled>(Compiled{std::regex(expression)})) {}

std::optional<Pattern::Groups> Pattern::match(const std::string& text) const {
  std::smatch match;
  if (!std::regex_match(text, match, compiled_->expression)) return std::nullopt;
  return groups_of(match);
}

std::optional<Pattern::Groups> Pattern::find(const std::string& text) const {
  std::smatch match;
  if (!std::regex_search(text, match, compiled_->expression)) return std::nullopt;
  return groups_of(match);
}

std::vector<Pattern::Groups> Pattern::find_all(const std::string& text) const {
  std::vector<Groups> all;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled_->expression), end; at != end;
       ++at)
    all.push_back(groups_of(*at));
  return all;
}

std::string Pattern::removed_from(const std::string& text) const {
  return std::regex_replace(text, compiled_->expression, "");
}

}  // namespace klab
