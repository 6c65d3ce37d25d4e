// TableReader: one table of a TOML file, read defensively; what is wrong is said with file, line,
// key and what was expected. For the .cpp files that read such files.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Errors are values here, not exceptions; the library asks for that by this definition.
#define TOML_EXCEPTIONS 0
// What a file holds must not end the program: the library also refuses what it asserts here.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include "core/base/names.hpp"
#include "core/base/result.hpp"
#include "core/base/text.hpp"
#include "core/verdict/bound.hpp"

namespace klab {

/// The first thing wrong with one file; later ones would often only follow from it.
class Complaint {
 public:
  explicit Complaint(std::string file) : file_(std::move(file)) {}
  void at(toml::source_region where, const std::string& what, std::string remedy = {}) {
    if (error_) return;
    error_ =
        make_error(ErrorCode::bad_lab,
                   file_ + ":" + std::to_string(std::max<toml::source_index>(where.begin.line, 1)) +
                       ": " + what,
                   std::move(remedy));
  }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::string file_;
  std::optional<Error> error_;
};

/// What a node is, in words.
inline std::string kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "text";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

/// Reads the keys of one table and remembers which it was asked for; finish() reports the others.
class TableReader {
 public:
  TableReader(Complaint& complaint, const toml::table& table, std::string prefix)
      : complaint_(complaint), table_(table), prefix_(std::move(prefix)) {}

  bool has(const std::string& key) {
    asked_.push_back(key);
    return table_.contains(key);
  }

  /// The node under a key that must be there; null and a complaint if it is not.
  const toml::node* needed(const std::string& key, const std::string& expected) {
    if (has(key)) return table_.get(key);
    std::vector<std::string> present;
    for (const auto& [name, node] : table_)
      if (std::find(asked_.begin(), asked_.end(), name.str()) == asked_.end())
        present.emplace_back(name.str());
    const auto near = near_names(key, present, 1);
    complaint_.at(table_.source(),
                  "the key `" + prefix_ + key + "` is missing; expected " + expected + ".",
                  near.empty() ? "" : "Did you mean it by `" + prefix_ + near.front() + "`?");
    return nullptr;
  }

  std::string text(const std::string& key) {
    const std::string expected = "text of 1 to 4000 characters";
    const toml::node* node = needed(key, expected);
    return node ? text_of(*node, key, expected) : std::string{};
  }

  std::vector<std::string> texts(const std::string& key, std::size_t least) {
    const std::string expected = "an array of at least " + std::to_string(least) + " texts";
    std::vector<std::string> values;
    each(key, expected, least, 64, [&](const toml::node& node, const std::string& name) {
      values.push_back(text_of(node, name, expected));
    });
    return values;
  }

  /// Calls `use(element, "key[i]")` for each element of an array of `least` to `most` elements.
  template <class Use>
  void each(const std::string& key, const std::string& expected, std::size_t least,
            std::size_t most, Use use) {
    const toml::node* node = least > 0  ? needed(key, expected)
                             : has(key) ? table_.get(key)
                                        : nullptr;
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || array->size() < least || array->size() > most) {
      wrong(*node, key, expected);
      return;
    }
    std::size_t index = 0;
    for (const toml::node& element : *array) {
      use(element, key + "[" + std::to_string(index) + "]");
      ++index;
    }
  }

  double number(const std::string& key, double fallback, bool required, double low, double high) {
    const std::string expected = "a number from " + short_number(low) + " to " + short_number(high);
    if (!required && !has(key)) return fallback;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return fallback;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value >= low && *value <= high) return *value;
    wrong(*node, key, expected);
    return fallback;
  }

  int whole(const std::string& key, int fallback, bool required, int low, int high) {
    const std::string expected =
        "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    if (!required && !has(key)) return fallback;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return fallback;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= low && *value <= high) return static_cast<int>(*value);
    wrong(*node, key, expected);
    return fallback;
  }

  /// One of `allowed`; `fallback` if the key may be absent and is.
  std::string one_of(const std::string& key, const std::vector<std::string>& allowed,
                     const std::optional<std::string>& fallback = {}) {
    if (fallback && !has(key)) return *fallback;
    // A long list helps nobody; the near names do.
    constexpr std::size_t most_listed = 12;
    const std::string expected =
        allowed.size() <= most_listed
            ? join_or(allowed)
            : "one of the " + std::to_string(allowed.size()) + " known names";
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return {};
    const auto value = node->value_exact<std::string>();
    if (value && std::find(allowed.begin(), allowed.end(), *value) != allowed.end()) return *value;
    std::string remedy;
    if (const auto near = near_names(value.value_or(""), allowed); value && !near.empty())
      remedy = "Did you mean \"" + near.front() + "\"?";
    wrong(*node, key, expected, remedy);
    return {};
  }

  std::optional<Bound> bound(const std::string& key, bool required) {
    const std::string expected = "a bound as text, such as \"<= 4.5\", \">= 16\" or \"== 1\"";
    if (!required && !has(key)) return std::nullopt;
    const toml::node* node = needed(key, expected);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value_exact<std::string>();
    const auto parsed = value ? parse_bound(*value) : std::nullopt;
    if (!parsed) wrong(*node, key, expected);
    return parsed;
  }

  /// Calls `use(reader)` for the table under a key; an optional one may be absent.
  template <class Use>
  void table(const std::string& key, bool required, Use use) {
    if (!required && !has(key)) return;
    const toml::node* node = needed(key, "a table");
    if (node == nullptr) return;
    if (const toml::table* inner = node->as_table())
      with(*inner, prefix_ + key + ".", use);
    else
      wrong(*node, key, "a table");
  }

  /// Calls `use(reader)` for each table of an array of tables.
  template <class Use>
  void tables(const std::string& key, std::size_t least, Use use) {
    const std::string expected = "at least " + std::to_string(least) + " table [[" + key + "]]";
    each(key, expected, least, 32, [&](const toml::node& node, const std::string& name) {
      if (const toml::table* inner = node.as_table())
        with(*inner, prefix_ + name + ".", use);
      else
        wrong(node, name, "a table");
    });
  }

  void wrong(const toml::node& node, const std::string& key, const std::string& expected,
             std::string remedy = {}) {
    std::string found = kind_of(node);
    if (const auto value = node.value_exact<std::string>())
      found = in_quotes(*value);
    else if (const auto number = node.value_exact<std::int64_t>())
      found = std::to_string(*number);
    complaint_.at(node.source(),
                  "`" + prefix_ + key + "` must be " + expected + ", found " + found + ".",
                  std::move(remedy));
  }

  void finish() {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
      const auto near = near_names(name, asked_, 1);
      complaint_.at(key.source(), "the key `" + prefix_ + name + "` is unknown.",
                    near.empty() ? "Remove it, or see docs/adding-a-lab.md for the keys there are."
                                 : "Did you mean `" + prefix_ + near.front() + "`?");
    }
  }

 private:
  template <class Use>
  void with(const toml::table& inner, std::string prefix, Use use) {
    TableReader reader(complaint_, inner, std::move(prefix));
    use(reader);
    reader.finish();
  }

  std::string text_of(const toml::node& node, const std::string& key, const std::string& expected) {
    const auto value = node.value_exact<std::string>();
    if (value && !value->empty() && value->size() <= 4000) return *value;
    wrong(node, key, expected);
    return {};
  }

  static std::string short_number(double value) {
    std::string text = std::to_string(value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  }

  Complaint& complaint_;
  const toml::table& table_;
  std::string prefix_;
  std::vector<std::string> asked_;
};

}  // namespace klab
