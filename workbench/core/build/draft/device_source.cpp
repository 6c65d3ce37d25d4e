// Keeping what device code needs of a file, and reading the rest for how it launches kernels.
#include "core/build/draft/device_source.hpp"

#include <algorithm>
#include <map>

#include "core/base/formula.hpp"
#include "core/build/draft/cuda_declarations.hpp"

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

  void read(const CudaDeclaration& host, const std::vector<CudaDeclaration>& all) {
    const Tokens body(tokens_.begin() + static_cast<std::ptrdiff_t>(host.body),
                      tokens_.begin() + static_cast<std::ptrdiff_t>(host.end));
    local_.clear();
    add_constants(body, local_);
    for (std::size_t i = host.body; i < host.end; ++i)
      for (const CudaDeclaration& kernel : all)
        if (kernel.is_kernel && tokens_[i].text == kernel.name) read_use(i, kernel);
  }

 private:
  void read_use(std::size_t at, const CudaDeclaration& kernel) {
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
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
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
  const std::vector<CudaDeclaration> all = cuda_declarations(file, tokens);

  Constants constants;
  const Tokens outside = cuda_tokens(contract);
  add_constants(tokens, constants);
  add_constants(outside, constants);
  add_macros(file, constants);
  HostReader reader(tokens, constants, source);
  for (const CudaDeclaration& d : all) {
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
