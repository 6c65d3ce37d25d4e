// What the code of a PTX module can name: its variables and functions, with their addresses.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/memory/device_memory.hpp"

namespace klab::sim {

namespace ptx {
struct ModuleText;
}

struct ModuleVariable {
  std::string name;
  std::uint64_t bytes = 0;
  std::uint64_t address = 0;  // 0 until the module is placed
  bool constant = false;
  bool managed = false;
};

class ModuleSymbols {
 public:
  explicit ModuleSymbols(std::unique_ptr<ptx::ModuleText> text);
  ~ModuleSymbols();
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;

  // Allocates and initializes the variables. False when memory is exhausted. Call before any
  // launch.
  bool place(DeviceMemory& memory);
  // Gives the variables, if they have their place, their initial values again.
  void restore(DeviceMemory& memory) const;
  // Frees the variables (module unload).
  void remove(DeviceMemory& memory);

  const ModuleVariable* find_variable(std::string_view name) const;
  const std::vector<ModuleVariable>& variables() const { return variables_; }
  // What a pointer to a function holds; nothing for other names.
  std::optional<std::uint64_t> function_address(std::string_view name) const;
  // The functions whose address the module takes, in initial values or by `mov`; no kernels.
  std::vector<std::string_view> address_taken() const;

  const ptx::ModuleText& text() const { return *text_; }

 private:
  void write_initial_values(DeviceMemory& memory) const;

  std::unique_ptr<ptx::ModuleText> text_;
  std::vector<ModuleVariable> variables_;
  std::map<std::string, std::size_t, std::less<>> variable_index_;
};

}  // namespace klab::sim
