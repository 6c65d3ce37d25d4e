// A PTX module: an index of its kernels and variables; kernels are decoded when first used.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/device_memory.hpp"
#include "simulator/kernel.hpp"

namespace klab::sim {

namespace ptx {
struct ModuleText;
}

// Why a text is not a usable module: a sentence, and the line of the PTX text.
struct ParseError {
  std::string message;
  std::uint32_t line = 0;
};

struct ModuleVariable {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  // 0 until the module is placed
  bool constant = false;
  bool managed = false;
};

class Module {
 public:
  // Reads the module's directives; kernel bodies are only delimited. Never throws on bad text: then
  // `module` is null and `error` says why.
  struct Parsed;
  static Parsed parse(std::string_view text);
  ~Module();

  // Allocates and initializes the variables. False when memory is exhausted. Call before any
  // launch.
  bool place(DeviceMemory& memory);
  // Frees the variables (module unload).
  void remove(DeviceMemory& memory);

  Kernel* find_kernel(std::string_view name);
  const ModuleVariable* find_variable(std::string_view name) const;
  const std::vector<std::unique_ptr<Kernel>>& kernels() const { return kernels_; }
  const std::vector<ModuleVariable>& variables() const { return variables_; }
  // What a pointer to a `.func` holds; nothing for other names.
  std::optional<std::uint64_t> function_address(std::string_view name) const;
  // The functions whose address the module takes, in initial values or by `mov`.
  std::vector<std::string_view> address_taken() const;

  // For the decoder.
  const ptx::ModuleText& text() const { return *text_; }

 private:
  Module();
  std::unique_ptr<ptx::ModuleText> text_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
  std::vector<ModuleVariable> variables_;
  std::map<std::string, std::size_t, std::less<>> kernel_index_;
  std::map<std::string, std::size_t, std::less<>> variable_index_;
};

struct Module::Parsed {
  std::unique_ptr<Module> module;
  std::optional<ParseError> error;
};

}  // namespace klab::sim
