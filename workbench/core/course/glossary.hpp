// Glossary: the words of the field, written once in docs/glossary.md.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace klab {

struct Term {
  std::vector<std::string> forms;  ///< "sector", "sectors"; the first is its name
  std::string meaning;
};

/// The paragraphs of the form "**sector**, **sectors**: 32 bytes in a row.", in their order.
std::vector<Term> parse_glossary(std::string_view markdown);

/// That of a repository, by name; empty if there is none.
std::vector<Term> load_glossary(const std::filesystem::path& root);

/// The terms of which a form is written in `text` as whole words, in the order of the text. Where
/// one is part of another ("memory" in "local memory"), the longer one counts.
std::vector<const Term*> terms_in(const std::vector<Term>& glossary, std::string_view text);

}  // namespace klab
