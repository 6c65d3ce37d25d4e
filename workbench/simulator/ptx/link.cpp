// Several modules to one, as nvcc's device linker makes of files built with -rdc=true.
#include <map>
#include <set>

#include "simulator/ptx/text.hpp"

namespace klab::sim::ptx {

namespace {

class Linker {
 public:
  explicit Linker(ModuleText& out) : out_(out) {}

  std::optional<ParseError> run() {
    for (ModuleText& part : out_.parts) {
      if (auto error = read_module(part)) return error;
      visit_names(part, [&](std::string_view name, Linkage linkage) {
        if (linkage != Linkage::internal) taken_.insert(name);
      });
    }
    for (ModuleText& part : out_.parts) {
      if (rename_internal_names(part))
        if (auto error = read_directives(part)) return error;
      take_files(part);
      take_tokens(part);
      for (const Variable& variable : part.variables) take(variable);
      for (const Function& function : part.functions) take(function);
    }
    out_.tokens.push_back({});
    return std::nullopt;
  }

 private:
  template <class F>
  static void visit_names(const ModuleText& part, F&& visit) {
    for (const Variable& variable : part.variables) visit(variable.name, variable.linkage);
    for (const Function& function : part.functions) visit(function.name, function.linkage);
  }

  // Names that only this part means get another where a different part has them, too: every module
  // calls its first text $str. The host knows variables by name, so the others keep theirs.
  bool rename_internal_names(ModuleText& part) {
    std::map<std::string_view, std::string_view> names;
    visit_names(part, [&](std::string_view name, Linkage linkage) {
      if (linkage != Linkage::internal || names.contains(name) || taken_.insert(name).second)
        return;
      out_.renamed.push_back(std::string(name) + "$" + std::to_string(out_.renamed.size()));
      names[name] = out_.renamed.back();
    });
    for (Token& token : part.tokens) {
      if (token.kind != TokenKind::word) continue;
      if (const auto found = names.find(token.text); found != names.end())
        token.text = found->second;
    }
    return !names.empty();
  }

  void take_files(const ModuleText& part) {
    out_.is_debug |= part.is_debug;
    out_.narrows_pointers |= part.narrows_pointers;
    first_file_ = out_.files.empty() ? 0 : out_.files.rbegin()->first + 1;
    for (const auto& [id, path] : part.files) out_.files[first_file_ + id] = path;
  }

  // But for the end.
  void take_tokens(const ModuleText& part) {
    first_token_ = out_.tokens.size();
    out_.tokens.insert(out_.tokens.end(), part.tokens.begin(), part.tokens.end() - 1);
  }

  void take(const Variable& variable) {
    const auto [known, is_new] = variables_.try_emplace(variable.name, out_.variables.size());
    if (is_new)
      out_.variables.push_back(variable);
    else if (out_.variables[known->second].linkage == Linkage::external)
      out_.variables[known->second] = variable;
  }

  void take(Function function) {
    function.begin += first_token_;
    function.end += first_token_;
    function.first_file = first_file_;
    const auto [known, is_new] =
        out_.function_index.try_emplace(function.name, out_.functions.size());
    if (is_new)
      out_.functions.push_back(std::move(function));
    else if (!out_.functions[known->second].has_body)
      out_.functions[known->second] = std::move(function);
  }

  ModuleText& out_;
  std::set<std::string_view> taken_;
  std::map<std::string_view, std::size_t> variables_;
  std::uint32_t first_file_ = 0;
  std::size_t first_token_ = 0;
};

}  // namespace

std::optional<ParseError> link_modules(std::vector<std::string> texts, ModuleText& module) {
  if (texts.size() == 1) {
    module.text = std::move(texts.front());
    return read_module(module);
  }
  for (std::string& text : texts) module.parts.emplace_back().text = std::move(text);
  return Linker(module).run();
}

}  // namespace klab::sim::ptx
