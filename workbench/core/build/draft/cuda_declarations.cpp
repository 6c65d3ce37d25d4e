// Cutting a file into its declarations, by the words and brackets that they are made of.
#include "core/build/draft/cuda_declarations.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace klab {
namespace {

using Tokens = std::vector<CudaToken>;

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Words that put a declaration on the device, and macros of the file that stand for them.
std::set<std::string, std::less<>> device_words(std::string_view file) {
  std::set<std::string, std::less<>> words = {"__device__",  "__global__", "__constant__",
                                              "__managed__", "constexpr",  "consteval"};
  for (std::size_t at = file.find("#define"); at != std::string_view::npos;
       at = file.find("#define", at + 1)) {
    const std::string_view line = file.substr(at + 7, file.find('\n', at) - at - 7);
    const Tokens tokens = cuda_tokens(line);
    if (tokens.size() < 2) continue;
    for (std::size_t i = 1; i < tokens.size(); ++i)
      if (words.contains(tokens[i].text)) words.insert(std::string(tokens[0].text));
  }
  return words;
}

class CudaDeclarationParser {
 public:
  CudaDeclarationParser(const Tokens& tokens, const std::set<std::string, std::less<>>& device)
      : tokens_(tokens), device_(device) {}

  std::vector<CudaDeclaration> declarations() {
    scope(0, tokens_.size(), "");
    return std::move(found_);
  }

 private:
  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }

  void scope(std::size_t at, std::size_t end, const std::string& path) {
    while (at < end) {
      const std::size_t inside = namespace_body(at);
      if (inside == 0) {
        at = declaration(at, end, path);
        continue;
      }
      const std::size_t close = std::min(closing(tokens_, inside), end);
      std::string inner = path;
      for (std::size_t i = at; i < inside; ++i)
        if (tokens_[i].kind == CudaToken::Kind::word && text(i) != "namespace" &&
            text(i) != "inline" && text(i) != "extern")
          inner += std::string(text(i)) + "::";
      scope(inside + 1, close, inner);
      at = close + 1;
    }
  }

  /// The "{" of a namespace or of extern "C" that begins at `at`; 0 if none does.
  std::size_t namespace_body(std::size_t at) const {
    if (text(at) == "extern" && text(at + 2) == "{") return at + 2;
    if (text(at) == "inline") ++at;
    if (text(at) != "namespace") return 0;
    while (at < tokens_.size() && text(at) != "{" && text(at) != ";" && text(at) != "=") ++at;
    return text(at) == "{" ? at : 0;
  }

  /// Takes in the declaration at `at` and returns what follows it.
  std::size_t declaration(std::size_t at, std::size_t end, const std::string& path) {
    CudaDeclaration d{.begin = at, .path = path};
    if (text(at) == ";" || text(at) == "}") return at + 1;
    std::size_t i = at;
    while (text(i) == "template") {
      d.is_template = text(i + 2) != ">";
      i = closing_angle(tokens_, i + 1) + 1;
    }
    static constexpr std::array<std::string_view, 4> classes = {"struct", "class", "union", "enum"};
    const bool alias = text(i) == "using" || text(i) == "typedef";
    const bool aside = text(i) == "static_assert" || text(i) == "concept";
    bool is_class = false, assigned = false, initializers = false;
    std::size_t last_group = 0;
    for (; i < end; ++i) {
      const std::string_view word = text(i);
      if (word == ";") break;
      if (word == "operator") {
        d.name = word;
        while (i + 1 < end && (text(i + 1) != "(" || (text(i) == "operator" && text(i + 2) == ")")))
          i += text(i + 1) == "(" ? 2 : 1;
        last_group = i + 1;
        i = closing(tokens_, i + 1);
      } else if (word == "(") {
        if (!assigned && i > at && !holds(not_names_, text(i - 1)) && last_group == 0) {
          d.name = text(i - 1);
          last_group = i;
        }
        i = closing(tokens_, i);
      } else if (word == "[") {
        if (d.name.empty() && i > at && tokens_[i - 1].kind == CudaToken::Kind::word)
          d.name = text(i - 1);
        i = closing(tokens_, i);
      } else if (word == "{") {
        const bool member = initializers && text(i - 1) != ")" && text(i - 1) != "}";
        if (!is_class && !assigned && !member && last_group > 0) {
          d.is_function = true;
          d.body = i;
          i = closing(tokens_, i);
          break;
        }
        i = closing(tokens_, i);
      } else if (word == "=") {
        assigned = true;
        if (d.name.empty() && !alias) d.name = text(i - 1);
        if (alias) d.name = text(at + 1);
      } else if (word == ":" && last_group > 0 && text(i + 1) != ":" && text(i - 1) != ":") {
        initializers = true;
      } else if (holds(classes, word) && last_group == 0) {
        is_class = true;
        if (d.name.empty()) d.name = class_name(i);
      } else if (!assigned && device_.contains(word)) {
        d.kept = true;
        d.is_kernel |= word == "__global__";
      } else if (assigned && word == "__device__") {
        d.kept = true;  // a lambda
      }
    }
    d.end = std::min(i + 1, end);
    if (d.body == 0) d.body = d.end;
    if (!d.is_function && last_group > 0 && !is_class && !assigned) d.is_function = true;
    if (alias && d.name.empty()) d.name = text(d.end - 2);
    if (aside) d.kept = true;
    d.is_type = alias || (is_class && !d.is_function) || has_word(d, "const");
    if (alias && text(d.begin + 1) == "namespace") d.kept = true;
    found_.push_back(std::move(d));
    return found_.back().end;
  }

  std::string class_name(std::size_t at) const {
    for (std::size_t i = at + 1; i < tokens_.size(); ++i) {
      if (text(i) == "(" || text(i) == "[") {
        i = closing(tokens_, i);
        continue;
      }
      if (tokens_[i].kind != CudaToken::Kind::word) return {};
      if (text(i) == "alignas" || text(i) == "__align__" || text(i) == "class" ||
          text(i) == "struct")
        continue;
      return std::string(text(i));
    }
    return {};
  }

  bool has_word(const CudaDeclaration& d, std::string_view word) const {
    if (d.is_function) return false;
    for (std::size_t i = d.begin; i < d.end && text(i) != "="; ++i)
      if (text(i) == word) return true;
    return false;
  }

  /// Words before parentheses that do not name what is declared.
  static constexpr std::array<std::string_view, 12> not_names_ = {
      "__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__",
      "__attribute__",     "__align__",   "alignas",          "decltype",
      "noexcept",          "requires",    "explicit",         "__declspec"};
  const Tokens& tokens_;
  const std::set<std::string, std::less<>>& device_;
  std::vector<CudaDeclaration> found_;
};

/// Types and constants stay where something that stays names them.
void keep_what_is_named(const Tokens& tokens, std::vector<CudaDeclaration>& all) {
  std::vector<const CudaDeclaration*> fresh;
  for (const CudaDeclaration& d : all)
    if (d.kept) fresh.push_back(&d);
  while (!fresh.empty()) {
    std::set<std::string_view> named;
    for (const CudaDeclaration* d : fresh)
      for (std::size_t i = d->begin; i < d->end; ++i)
        if (tokens[i].kind == CudaToken::Kind::word) named.insert(tokens[i].text);
    fresh.clear();
    for (CudaDeclaration& d : all)
      if (!d.kept && d.is_type && named.contains(d.name)) {
        d.kept = true;
        fresh.push_back(&d);
      }
  }
}

}  // namespace

std::vector<CudaDeclaration> cuda_declarations(std::string_view file, const Tokens& tokens) {
  std::vector<CudaDeclaration> all =
      CudaDeclarationParser(tokens, device_words(file)).declarations();
  keep_what_is_named(tokens, all);
  return all;
}

}  // namespace klab
