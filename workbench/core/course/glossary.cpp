// Glossary: bold words before a colon are the forms of a term.
#include "core/course/glossary.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "core/base/files.hpp"
#include "core/base/text.hpp"

namespace klab {
namespace {

constexpr std::size_t longest_glossary_bytes = 64 << 10;
constexpr std::string_view bold = "**";

bool within_word(std::string_view text, std::size_t at) {
  return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
}

std::optional<Term> parse_term(std::string_view line) {
  Term term;
  while (line.starts_with(bold)) {
    const auto end = line.find(bold, bold.size());
    if (end == line.npos) return std::nullopt;
    term.forms.emplace_back(line.substr(bold.size(), end - bold.size()));
    line.remove_prefix(end + bold.size());
    if (line.starts_with(", ")) line.remove_prefix(2);
  }
  if (term.forms.empty() || !line.starts_with(": ")) return std::nullopt;
  term.meaning = line.substr(2);
  return term;
}

/// The longest form that begins at `at` as whole words.
std::pair<const Term*, std::size_t> term_at(const std::vector<Term>& glossary,
                                            std::string_view text, std::size_t at) {
  std::pair<const Term*, std::size_t> found{nullptr, 0};
  for (const Term& term : glossary)
    for (const std::string& form : term.forms)
      if (form.size() > found.second && text.substr(at).starts_with(lowered(form)) &&
          !within_word(text, at + form.size()))
        found = {&term, form.size()};
  return found;
}

}  // namespace

std::vector<Term> parse_glossary(std::string_view markdown) {
  std::vector<Term> terms;
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size());
    if (auto term = parse_term(markdown.substr(0, end))) terms.push_back(std::move(*term));
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return terms;
}

std::vector<Term> load_glossary(const std::filesystem::path& root) {
  const auto text = read_file(root / "docs" / "glossary.md", longest_glossary_bytes);
  std::vector<Term> terms = text ? parse_glossary(*text) : std::vector<Term>();
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return lowered(a.forms.front()) < lowered(b.forms.front());
  });
  return terms;
}

std::vector<const Term*> terms_in(const std::vector<Term>& glossary, std::string_view words) {
  const std::string text = lowered(words);
  std::vector<const Term*> found;
  for (std::size_t at = 0; at < text.size();) {
    const auto [term, length] = within_word(text, at) && (at == 0 || !within_word(text, at - 1))
                                    ? term_at(glossary, text, at)
                                    : std::pair<const Term*, std::size_t>{};
    if (term && std::find(found.begin(), found.end(), term) == found.end()) found.push_back(term);
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

}  // namespace klab
