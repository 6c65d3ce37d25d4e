// A PTX module with its kernels, which are decoded when first used.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/execute/kernel.hpp"
#include "simulator/program/module_symbols.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

class Module : public ModuleSymbols {
 public:
  // Reads the module's directives; kernel bodies are only delimited. Never throws on bad text: then
  // `module` is null and `error` says why.
  struct Parsed;
  static Parsed parse(std::string_view text);
  // Of several texts that refer to each other.
  static Parsed link(const std::vector<std::string_view>& texts);
  ~Module();

  Kernel* find_kernel(std::string_view name);
  const std::vector<std::unique_ptr<Kernel>>& kernels() const { return kernels_; }

 private:
  explicit Module(std::unique_ptr<ptx::ModuleText> text);
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::map<std::string, std::size_t, std::less<>> kernel_index_;
};

struct Module::Parsed {
  std::unique_ptr<Module> module;
  std::optional<ParseError> error;
};

}  // namespace klab::sim
