// Reading launches and the constants that stand in them; what needs a compiler stays unknown.
#include "core/build/draft/launch_sites.hpp"

#include <algorithm>
#include <map>

#include "core/build/draft/cuda_tokens.hpp"
#include "core/measure/formula.hpp"

namespace klab {
namespace {

using Tokens = std::vector<CudaToken>;

std::string joined(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < std::min(end, tokens.size()); ++i) {
    const bool space = !text.empty() && tokens[i].kind != CudaToken::Kind::sign &&
                       tokens[i - 1].kind != CudaToken::Kind::sign;
    text += (space ? " " : "") + std::string(tokens[i].text);
  }
  return text;
}

/// What stands between commas in [begin, end).
std::vector<std::string> listed(const Tokens& tokens, std::size_t begin, std::size_t end) {
  std::vector<std::string> items;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "(" || text == "{" || text == "[") i = closing(tokens, i);
    if (i >= end || tokens[i].text != ",") continue;
    items.push_back(joined(tokens, begin, i));
    begin = i + 1;
  }
  if (begin < end) items.push_back(joined(tokens, begin, end));
  return items;
}

/// Constants by name: the text of what they are made from.
using Constants = std::map<std::string, std::string, std::less<>>;

/// Takes in the constant that is declared at `at`, if one is; it hides earlier ones of that name.
void add_constant(const Tokens& tokens, std::size_t at, Constants& constants) {
  const bool dim = tokens[at].text == "dim3";
  if (!dim && tokens[at].text != "constexpr" && tokens[at].text != "const") return;
  std::size_t sign = at + 1;
  while (sign < tokens.size() &&
         (tokens[sign].kind == CudaToken::Kind::word || tokens[sign].text == ":"))
    ++sign;
  if (sign >= tokens.size() || sign < at + 2 || tokens[sign - 1].kind != CudaToken::Kind::word)
    return;
  const std::string name(tokens[sign - 1].text);
  if (tokens[sign].text == "(" || tokens[sign].text == "{") {
    const std::size_t close = closing(tokens, sign);
    if (close + 1 < tokens.size() && tokens[close + 1].text == ";")
      constants[name] = (dim || tokens[sign - 2].text == "dim3" ? "dim3(" : "(") +
                        joined(tokens, sign + 1, close) + ")";
  } else if (tokens[sign].text == "=") {
    std::size_t end = sign + 1;
    while (end < tokens.size() && tokens[end].text != ";" && tokens[end].text != ",") ++end;
    constants[name] = joined(tokens, sign + 1, end);
  }
}

/// Macros that stand for a formula: `#define BLOCK 256`.
void add_macros(std::string_view file, Constants& constants) {
  for (std::size_t at = file.find("#define"); at != std::string_view::npos;
       at = file.find("#define", at + 1)) {
    const Tokens tokens = cuda_tokens(file.substr(at + 7, file.find('\n', at) - at - 7));
    if (tokens.size() < 2) continue;
    const bool takes_arguments = tokens[1].text == "(" && tokens[1].begin == tokens[0].end;
    if (!takes_arguments)
      constants.emplace(tokens[0].text, "(" + joined(tokens, 1, tokens.size()) + ")");
  }
}

/// Without what C++ allows in a number: 1'024u.
std::string plain_numbers(std::string_view formula) {
  std::string plain;
  for (const CudaToken& token : cuda_tokens(formula)) {
    std::string text(token.text);
    if (token.kind == CudaToken::Kind::literal) {
      std::erase(text, '\'');
      text.erase(text.find_last_not_of("uUlL") + 1);
    }
    plain += text + " ";
  }
  return plain;
}

std::optional<double> constant_value(const Constants& constants, std::string_view text, int depth) {
  if (depth > 8) return std::nullopt;
  std::string formula(text);
  if (formula.starts_with("dim3(") && formula.ends_with(")")) {
    // The number of threads: x times y times z.
    formula = "(" + formula.substr(5, formula.size() - 6) + ")";
    std::replace(formula.begin(), formula.end(), ',', '*');
  }
  return evaluate_formula(plain_numbers(formula),
                          [&](std::string_view name) -> std::optional<double> {
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

std::vector<std::string> argument_values(const Constants& constants,
                                         std::vector<std::string> arguments) {
  for (std::string& argument : arguments)
    if (const auto value = integer_value<std::int64_t>(constants, argument))
      argument = std::to_string(*value);
  return arguments;
}

/// The "<" of the list that the ">" at `close` ends; `close` if there is none.
std::size_t opening_angle(const Tokens& tokens, std::size_t close) {
  int angles = 0, brackets = 0;
  for (std::size_t i = close;; --i) {
    const std::string_view text = tokens[i].text;
    if (text == ";" || text == "{" || text == "}") return close;
    if (text == ")") ++brackets;
    if (text == "(") --brackets;
    if (brackets == 0 && text == ">") ++angles;
    if (brackets == 0 && text == "<" && --angles == 0) return i;
    if (i == 0) return close;
  }
}

/// The launch whose "<<<" begins at `at`.
std::optional<LaunchSite> launch_at(const Tokens& tokens, std::size_t at,
                                    const Constants& constants) {
  LaunchSite launch{.dynamic_shared_bytes = 0};
  std::size_t name_end = at;
  if (at > 0 && tokens[at - 1].text == ">") {
    name_end = opening_angle(tokens, at - 1);
    launch.template_arguments = argument_values(constants, listed(tokens, name_end + 1, at - 1));
  }
  const auto is_word = [&](std::size_t i) { return tokens[i].kind == CudaToken::Kind::word; };
  if (name_end == 0 || !is_word(name_end - 1)) return std::nullopt;
  std::size_t name = name_end - 1;
  while (name >= 3 && tokens[name - 1].text == ":" && tokens[name - 2].text == ":" &&
         is_word(name - 3))
    name -= 3;
  launch.kernel = joined(tokens, name, name_end);

  std::size_t end = at + 3;
  for (; end < tokens.size() && tokens[end].text != ";"; ++end) {
    const std::string_view text = tokens[end].text;
    if (text == "(" || text == "{" || text == "[") end = closing(tokens, end);
    if (is_triple(tokens, end, ">")) break;
  }
  if (!is_triple(tokens, end, ">")) return std::nullopt;
  const std::vector<std::string> arguments = listed(tokens, at + 3, end);
  if (arguments.size() < 2) return std::nullopt;
  std::string block = arguments[1];
  if (block.starts_with("{") && block.ends_with("}"))
    block = "dim3(" + block.substr(1, block.size() - 2) + ")";
  launch.block_threads = integer_value<int>(constants, block);
  if (arguments.size() > 2)
    launch.dynamic_shared_bytes = integer_value<std::int64_t>(constants, arguments[2]);
  return launch;
}

/// A demangled name in parts: "void (anonymous namespace)::scale<4>(float*)".
struct KernelName {
  std::string path;  ///< "scale", with the namespaces that have a name
  std::vector<std::string> template_arguments;
};

KernelName parts_of(std::string_view demangled) {
  std::string name(demangled);
  for (const std::string_view hidden : {"(anonymous namespace)::", "void "})
    for (auto at = name.find(hidden); at != std::string::npos; at = name.find(hidden))
      name.erase(at, hidden.size());
  const std::size_t end = std::min(name.find_first_of("<("), name.size());
  KernelName parts{name.substr(0, end), {}};
  const Tokens tokens = cuda_tokens(std::string_view(name).substr(end));
  if (!tokens.empty() && tokens[0].text == "<")
    parts.template_arguments = argument_values({}, listed(tokens, 1, closing_angle(tokens, 0)));
  return parts;
}

bool names(const LaunchSite& site, const KernelName& kernel) {
  return kernel.path == site.kernel || kernel.path.ends_with("::" + site.kernel);
}

}  // namespace

std::vector<LaunchSite> launch_sites(std::string_view file, std::string_view contract) {
  Constants constants;
  add_macros(file, constants);
  const Tokens outside = cuda_tokens(contract), tokens = cuda_tokens(file);
  for (std::size_t i = 0; i < outside.size(); ++i) add_constant(outside, i, constants);
  std::vector<LaunchSite> sites;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    add_constant(tokens, i, constants);
    if (!is_triple(tokens, i, "<")) continue;
    if (auto site = launch_at(tokens, i, constants)) sites.push_back(std::move(*site));
  }
  return sites;
}

const LaunchSite* launch_of(const std::vector<LaunchSite>& sites, std::string_view kernel) {
  const KernelName name = parts_of(kernel);
  std::vector<const LaunchSite*> possible;
  for (const LaunchSite& site : sites)
    if (names(site, name)) possible.push_back(&site);
  const auto alike = [&](const LaunchSite* site) {
    return site->block_threads == possible.front()->block_threads &&
           site->dynamic_shared_bytes == possible.front()->dynamic_shared_bytes;
  };
  // Of launches that are alike the arguments need not be understood: aliases of types, functions.
  if (!possible.empty() && std::all_of(possible.begin(), possible.end(), alike))
    return possible.front();
  for (const LaunchSite* site : possible) {
    const auto &written = site->template_arguments, &whole = name.template_arguments;
    if (written.empty() == whole.empty() && written.size() <= whole.size() &&
        std::equal(written.begin(), written.end(), whole.begin()))
      return site;
  }
  return nullptr;
}

}  // namespace klab
