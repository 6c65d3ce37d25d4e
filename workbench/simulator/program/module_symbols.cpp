// The variables and functions of a module: finding them, placing the variables in memory.
#include "simulator/program/module_symbols.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "simulator/program/address_windows.hpp"
#include "simulator/ptx/text.hpp"

namespace klab::sim {

namespace {

// "factors" of _ZN..._GLOBAL__N__...7factorsE: the name as the source has it.
std::string readable(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" alone would be read as a type: float
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 && text != nullptr ? text : symbol;
  std::free(text);
  const auto scope = name.rfind("::");
  return scope == std::string::npos || name.find('<') != std::string::npos ? name
                                                                           : name.substr(scope + 2);
}

}  // namespace

ModuleSymbols::ModuleSymbols(std::unique_ptr<ptx::ModuleText> text) : text_(std::move(text)) {
  for (const ptx::Variable& variable : text_->variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (!variable_index_.emplace(variable.name, variables_.size()).second) continue;
    variables_.push_back({.name = std::string(variable.name),
                          .bytes = variable.bytes,
                          .constant = variable.space == ptx::Space::constant,
                          .managed = variable.managed});
  }
}

ModuleSymbols::~ModuleSymbols() = default;

bool ModuleSymbols::place(DeviceMemory& memory) {
  for (ModuleVariable& variable : variables_) {
    if (variable.address != 0) continue;
    const auto kind = variable.managed ? MemoryKind::managed : MemoryKind::module_variable;
    const auto address =
        memory.allocate(std::max<std::uint64_t>(variable.bytes, 1), kind, readable(variable.name));
    if (!address) return false;
    variable.address = *address;
    // Variables without an initial value are zero, and count as initialized.
    memory.mark_initialized(variable.address, variable.bytes);
  }
  write_initial_values(memory);
  return true;
}

void ModuleSymbols::restore(DeviceMemory& memory) const {
  for (const ModuleVariable& variable : variables_) {
    std::byte* bytes = memory.host_view(variable.address, variable.bytes);
    if (bytes != nullptr) std::fill_n(bytes, variable.bytes, std::byte{0});
  }
  write_initial_values(memory);
}

void ModuleSymbols::write_initial_values(DeviceMemory& memory) const {
  for (const ptx::Variable& declared : text_->variables) {
    const ModuleVariable* variable = find_variable(declared.name);
    if (variable == nullptr || declared.initial.empty()) continue;
    const std::uint64_t step = ptx::bytes_of(declared.element);
    std::byte* bytes = memory.host_view(variable->address, variable->bytes);
    if (bytes == nullptr) continue;
    std::uint64_t at = 0;
    for (const ptx::Initializer& initial : declared.initial) {
      if (at + step > variable->bytes) break;
      std::uint64_t value = initial.value;
      if (!initial.symbol.empty()) {
        const ModuleVariable* target = find_variable(initial.symbol);
        value += target != nullptr ? target->address : function_address(initial.symbol).value_or(0);
        if (initial.mask != ~0ull && initial.mask != 0)
          value = (value & initial.mask) >> __builtin_ctzll(initial.mask);
      }
      std::memcpy(bytes + at, &value, std::min<std::uint64_t>(step, 8));
      at += step;
    }
  }
}

void ModuleSymbols::remove(DeviceMemory& memory) {
  for (ModuleVariable& variable : variables_) {
    if (variable.address != 0) memory.release(variable.address);
    variable.address = 0;
  }
}

const ModuleVariable* ModuleSymbols::find_variable(std::string_view name) const {
  const auto it = variable_index_.find(name);
  return it == variable_index_.end() ? nullptr : &variables_[it->second];
}

std::optional<std::uint64_t> ModuleSymbols::function_address(std::string_view name) const {
  constexpr std::uint64_t stride = 16;
  const auto it = text_->function_index.find(name);
  if (it == text_->function_index.end()) return std::nullopt;
  return function_window + stride * it->second;
}

std::vector<std::string_view> ModuleSymbols::address_taken() const {
  std::set<std::string_view> names;
  const auto note = [&](std::string_view name) {
    const auto it = text_->function_index.find(name);
    if (it != text_->function_index.end() && !text_->functions[it->second].entry)
      names.insert(name);
  };
  for (const ptx::Variable& variable : text_->variables)
    for (const ptx::Initializer& initial : variable.initial) note(initial.symbol);
  // mov.u64 %rd1, name
  const std::vector<ptx::Token>& tokens = text_->tokens;
  for (std::size_t i = 0; i + 3 < tokens.size(); ++i)
    if (tokens[i].text.starts_with("mov.") && tokens[i + 2].is(",")) note(tokens[i + 3].text);
  return {names.begin(), names.end()};
}

}  // namespace klab::sim
