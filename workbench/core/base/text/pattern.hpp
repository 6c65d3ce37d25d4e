// Pattern: a regular expression. In one place, because the library's are compiled anew wherever
// they are used.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace klab {

class Pattern {
 public:
  /// What the expression's parts in brackets matched, the whole first; empty for those that took no
  /// part.
  using Groups = std::vector<std::string>;

  /// As ECMAScript writes them.
  explicit Pattern(const std::string& expression);

  /// All of the text.
  std::optional<Groups> match(const std::string& text) const;
  /// The first place in it.
  std::optional<Groups> find(const std::string& text) const;
  /// All places, in order; they do not overlap.
  std::vector<Groups> find_all(const std::string& text) const;
  /// The text without them.
  std::string removed_from(const std::string& text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace klab
