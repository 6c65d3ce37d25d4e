// Cutting a file into its declarations, and keeping those that device code needs.
#include "core/device_source.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/cuda_tokens.hpp"
#include "core/formula.hpp"

namespace klab {
namespace {

using Tokens = std::vector<CudaToken>;

/// One declaration of a namespace: tokens [begin, end).
struct Declaration {
  std::size_t begin = 0, end = 0;
  std::size_t body = 0;  ///< of a function: its "{"; else end
  std::string name;
  std::string path;  ///< named namespaces around it, "a::b::"
  bool is_function = false, is_template = false, is_kernel = false, kept = false;
  bool is_type = false;  ///< a class, alias or constant: kept where it is named
};

template <class List>
bool among(const List& list, std::string_view word) {
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

class Parser {
 public:
  Parser(const Tokens& tokens, const std::set<std::string, std::less<>>& device)
      : tokens_(tokens), device_(device) {}

  std::vector<Declaration> declarations() {
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
    Declaration d{.begin = at, .path = path};
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
        if (!assigned && i > at && !among(not_names_, text(i - 1)) && last_group == 0) {
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
      } else if (among(classes, word) && last_group == 0) {
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

  bool has_word(const Declaration& d, std::string_view word) const {
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
  std::vector<Declaration> found_;
};

/// Types and constants stay where something that stays names them.
void keep_what_is_named(const Tokens& tokens, std::vector<Declaration>& all) {
  std::vector<const Declaration*> fresh;
  for (const Declaration& d : all)
    if (d.kept) fresh.push_back(&d);
  while (!fresh.empty()) {
    std::set<std::string_view> named;
    for (const Declaration* d : fresh)
      for (std::size_t i = d->begin; i < d->end; ++i)
        if (tokens[i].kind == CudaToken::Kind::word) named.insert(tokens[i].text);
    fresh.clear();
    for (Declaration& d : all)
      if (!d.kept && d.is_type && named.contains(d.name)) {
        d.kept = true;
        fresh.push_back(&d);
      }
  }
}

std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
    const bool space = !text.empty() && tokens[i].kind != CudaToken::Kind::sign &&
                       tokens[i - 1].kind != CudaToken::Kind::sign;
    text += (space ? " " : "") + std::string(tokens[i].text);
  }
  return text;
}

/// Constants of the file by name: the text of what they are made from.
using Constants = std::map<std::string, std::string, std::less<>>;

void add_constants(const Tokens& tokens, Constants& constants) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    const bool constant = tokens[i].text == "constexpr" || tokens[i].text == "const";
    const bool dim = tokens[i].text == "dim3";
    if (!constant && !dim) continue;
    std::size_t at = i + 1;
    while (at < tokens.size() &&
           (tokens[at].kind == CudaToken::Kind::word || tokens[at].text == ":"))
      ++at;
    if (at >= tokens.size() || at < i + 2 || tokens[at - 1].kind != CudaToken::Kind::word) continue;
    const std::string name(tokens[at - 1].text);
    const std::string_view sign = tokens[at].text;
    if (sign == "(" || sign == "{") {
      const std::size_t close = closing(tokens, at);
      if (close < tokens.size() &&
          tokens[close + 1 < tokens.size() ? close + 1 : close].text == ";")
        constants.emplace(name, (dim || tokens[at - 2].text == "dim3" ? "dim3(" : "(") +
                                    joined(tokens, at + 1, close) + ")");
    } else if (sign == "=") {
      std::size_t end = at + 1;
      while (end < tokens.size() && tokens[end].text != ";" && tokens[end].text != ",") ++end;
      constants.emplace(name, joined(tokens, at + 1, end));
    }
  }
}

std::optional<double> constant_value(const Constants& constants, std::string_view text, int depth) {
  if (depth > 8) return std::nullopt;
  std::string formula(text);
  if (formula.starts_with("dim3(") && formula.ends_with(")")) {
    // The number of threads: x times y times z.
    formula = "(" + formula.substr(5, formula.size() - 6) + ")";
    std::replace(formula.begin(), formula.end(), ',', '*');
  }
  std::string plain;
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const bool suffix = i > 0 && std::isdigit(static_cast<unsigned char>(formula[i - 1])) != 0 &&
                        (formula[i] == 'u' || formula[i] == 'U');
    if (!suffix && formula[i] != '\'') plain += formula[i];
  }
  return evaluate_formula(plain, [&](std::string_view name) -> std::optional<double> {
    const auto found = constants.find(name);
    if (found == constants.end()) return std::nullopt;
    return constant_value(constants, found->second, depth + 1);
  });
}

template <class Integer>
std::optional<Integer> integer_value(const Constants& constants, std::string_view text) {
  const auto value = constant_value(constants, text, 0);
  const auto whole = value ? static_cast<Integer>(*value) : Integer{0};
  if (!value || *value < 0 || static_cast<double>(whole) != *value) return std::nullopt;
  return whole;
}

/// Template arguments with constants of the host function replaced by what they are made from.
std::string arguments_text(const Tokens& tokens, std::size_t begin, std::size_t end,
                           const Constants& local) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    const auto constant = local.find(tokens[i].text);
    text += constant != local.end() ? "(" + constant->second + ")" : joined(tokens, i, i + 1);
    if (tokens[i].kind == CudaToken::Kind::word) text += ' ';
  }
  return text;
}

/// What host functions say of kernels: which of them they name, and how they launch them.
class HostReader {
 public:
  HostReader(const Tokens& tokens, const Constants& constants, DeviceSource& source)
      : tokens_(tokens), constants_(constants), source_(source) {}

  void read(const Declaration& host, const std::vector<Declaration>& all) {
    const Tokens body(tokens_.begin() + static_cast<std::ptrdiff_t>(host.body),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(host.end));
    local_.clear();
    add_constants(body, local_);
    for (std::size_t i = host.body; i < host.end; ++i)
      for (const Declaration& kernel : all)
        if (kernel.is_kernel && tokens_[i].text == kernel.name) read_use(i, kernel);
  }

 private:
  void read_use(std::size_t at, const Declaration& kernel) {
    std::string name = kernel.path + kernel.name;
    std::size_t next = at + 1;
    if (kernel.is_template) {
      const bool arguments =
          next < tokens_.size() && tokens_[next].text == "<" && !is_launch(tokens_, next);
      if (!arguments) return add(source_.undetermined, kernel.name);
      const std::size_t close = closing_angle(tokens_, next);
      name += "<" + arguments_text(tokens_, next + 1, close, local_) + ">";
      next = close + 1;
    }
    add(source_.kernels, name);
    if (is_launch(tokens_, next)) read_launch(next + 3, std::move(name));
  }

  void read_launch(std::size_t at, std::string name) {
    std::vector<std::string> arguments;
    std::size_t begin = at;
    for (std::size_t i = at; i + 2 < tokens_.size(); ++i) {
      const std::string_view text = tokens_[i].text;
      if (text == "(" || text == "{" || text == "[") {
        i = closing(tokens_, i);
        continue;
      }
      const bool end = text == ">" && tokens_[i + 1].text == ">" && tokens_[i + 2].text == ">";
      if (text == ";") return;
      if (text != "," && !end) continue;
      arguments.push_back(joined(tokens_, begin, i));
      begin = i + 1;
      if (end) break;
    }
    if (arguments.size() < 2) return;
    Constants constants = local_;
    constants.insert(constants_.begin(), constants_.end());
    LaunchSite launch{.kernel = std::move(name), .dynamic_shared_bytes = 0};
    std::string block = arguments[1];
    if (block.starts_with("{") && block.ends_with("}"))
      block = "dim3(" + block.substr(1, block.size() - 2) + ")";
    launch.block_threads = integer_value<int>(constants, block);
    if (arguments.size() > 2)
      launch.dynamic_shared_bytes = integer_value<std::int64_t>(constants, arguments[2]);
    source_.launches.push_back(std::move(launch));
  }

  static void add(std::vector<std::string>& list, const std::string& name) {
    if (!among(list, name)) list.push_back(name);
  }

  const Tokens& tokens_;
  const Constants& constants_;
  DeviceSource& source_;
  Constants local_;
};

/// `std::` followed by something else than an integer type.
bool uses_standard_library(const Tokens& tokens) {
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i) {
    if (tokens[i].text != "std" || tokens[i + 1].text != ":") continue;
    const std::string_view name = tokens[i + 3].text;
    if (name != "size_t" && name.find("int") == std::string_view::npos) return true;
  }
  return false;
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < std::min(end, text.size()); ++i)
    if (text[i] != '\n') text[i] = ' ';
}

}  // namespace

DeviceSource device_source(std::string_view file, std::string_view contract) {
  DeviceSource source{.text = std::string(file)};
  const Tokens tokens = cuda_tokens(file);
  std::vector<Declaration> all = Parser(tokens, device_words(file)).declarations();
  keep_what_is_named(tokens, all);

  Constants constants;
  const Tokens outside = cuda_tokens(contract);
  add_constants(tokens, constants);
  add_constants(outside, constants);
  HostReader reader(tokens, constants, source);
  for (const Declaration& d : all) {
    if (d.kept) continue;
    blank(source.text, tokens[d.begin].begin, tokens[d.end - 1].end);
    if (!d.is_function) continue;
    source.host_functions.push_back(d.name);
    reader.read(d, all);
  }
  // Headers of libcu++ and what builds on them bring its own integer types.
  const bool builds_on_libcudacxx = file.find("#include <cuda/") != std::string_view::npos ||
                                    file.find("#include <cooperative") != std::string_view::npos;
  source.uses_standard_library = builds_on_libcudacxx ||
                                 uses_standard_library(cuda_tokens(source.text)) ||
                                 uses_standard_library(outside);
  return source;
}

}  // namespace klab
