// Lazy loading of device code. Registration happens in ELF constructors, so it only takes notes.
#include "simulator/runtime/state/modules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simulator/runtime/state/runtime.hpp"

namespace klab::sim {

ModuleRecord* Modules::add(const void* image) {
  modules_.push_back(std::make_unique<ModuleRecord>());
  modules_.back()->image = image;
  return modules_.back().get();
}

void Modules::retire(ModuleRecord* module) {
  const auto known = std::find_if(modules_.begin(), modules_.end(),
                                  [&](const auto& entry) { return entry.get() == module; });
  if (known == modules_.end() || module->retired) return;
  std::erase_if(kernels_, [&](const auto& entry) { return entry.second->module == module; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second->module == module; });
  if (module->module && Runtime::instance().has_device()) {
    module->module->remove(Runtime::instance().device().memory());
  }
  module->retired = true;
  module->image = nullptr;
}

void Modules::add_kernel(ModuleRecord* module, const void* host_function, std::string name) {
  auto record = std::make_unique<KernelRecord>();
  record->module = module;
  record->name = std::move(name);
  record->host_function = host_function != nullptr ? host_function : record.get();
  kernels_[record->host_function] = record.get();
  kernels_[record.get()] = record.get();
  module->kernels.push_back(std::move(record));
}

void Modules::add_variable(ModuleRecord* module, const void* host_variable,
                           VariableRecord variable) {
  variable.module = module;
  auto record = std::make_unique<VariableRecord>(std::move(variable));
  variables_[host_variable] = record.get();
  module->variables.push_back(std::move(record));
}

cudaError_t Modules::add_library(std::vector<std::byte> code, ModuleRecord*& library) {
  ModuleRecord* record = add(nullptr);
  record->own = std::move(code);
  record->image = record->own.data();
  record->is_library = true;
  if (const cudaError_t failed = load(*record); failed != cudaSuccess) {
    retire(record);
    return failed;
  }
  for (const auto& kernel : record->module->kernels()) add_kernel(record, nullptr, kernel->name());
  library = record;
  return cudaSuccess;
}

ModuleRecord* Modules::find_library(const void* handle) const {
  const auto found = std::find_if(modules_.begin(), modules_.end(), [&](const auto& entry) {
    return entry.get() == handle && entry->is_library && !entry->retired;
  });
  return found == modules_.end() ? nullptr : found->get();
}

KernelRecord* Modules::find_kernel(const void* host_function_or_handle) {
  const auto found = kernels_.find(host_function_or_handle);
  return found == kernels_.end() ? nullptr : found->second;
}

VariableRecord* Modules::find_variable(const void* host_variable) {
  const auto found = variables_.find(host_variable);
  return found == variables_.end() ? nullptr : found->second;
}

std::string Modules::shadow_at(std::uint64_t address) const {
  for (const auto& [host_variable, variable] : variables_) {
    const std::uint64_t begin = reinterpret_cast<std::uint64_t>(host_variable);
    if (variable->host_pointer != nullptr || address < begin ||
        address - begin >= std::max<std::uint64_t>(variable->bytes, 1))
      continue;
    return fmt::format(
        "what the host has in the place of the device's variable {}, and no address of it: kernels "
        "use the variable by its name, or the address that cudaGetSymbolAddress() gives, and the "
        "host cudaMemcpyToSymbol() and cudaMemcpyFromSymbol()",
        readable_name(variable->name));
  }
  return {};
}

namespace {

/// The module's texts: one, or one of each file that was linked. Parts without PTX, such as those
/// of NVIDIA's own libraries, are left out; a call of what they define is refused where it happens.
Fatbin read(const ModuleRecord& record, std::vector<std::string>& texts) {
  Fatbin whole = record.is_library ? read_code(record.own) : read_fatbin(record.image);
  if (record.parts.empty()) {
    texts.push_back(std::move(whole.ptx));
    return whole;
  }
  for (const void* image : record.parts) {
    Fatbin part = read_fatbin(image);
    if (part.ptx.empty()) continue;
    whole.ptx_architecture = std::max(whole.ptx_architecture, part.ptx_architecture);
    texts.push_back(std::move(part.ptx));
  }
  if (!texts.empty()) whole.problem.clear();
  return whole;
}

}  // namespace

cudaError_t Modules::load(ModuleRecord& record) {
  if (record.loaded) return record.problem_code;
  record.loaded = true;
  const auto fail = [&](cudaError_t code, std::string sentence) {
    record.problem = std::move(sentence);
    Runtime::instance().say(record.problem);
    return record.problem_code = code;
  };
  // A GPU may well take it.
  const auto refuse = [&](cudaError_t code, const std::string& sentence) {
    Runtime::instance().add(Missing{"the program's device code", {}, {}, 0, sentence});
    return fail(code, sentence);
  };
  std::vector<std::string> texts;
  Fatbin fatbin = read(record, texts);
  record.compiled = std::move(fatbin.compiled);
  record.ptx_architecture = fatbin.ptx_architecture;
  if (!fatbin.problem.empty()) return refuse(cudaErrorNoKernelImageForDevice, fatbin.problem);
  Module::Parsed parsed = Module::link({texts.begin(), texts.end()});
  if (!parsed.module) {
    const ParseError error = parsed.error.value_or(ParseError{});
    return refuse(cudaErrorInvalidPtx,
                  fmt::format("The PTX of this program can't be read: {} (line {} of the PTX). The "
                              "simulator reads what nvcc 13 writes; build the program with that, "
                              "or run it on a GPU.",
                              error.message, error.line));
  }
  if (!parsed.module->place(Runtime::instance().device().memory())) {
    return fail(cudaErrorMemoryAllocation,
                "This build's __device__ and __constant__ variables do not fit in the simulated "
                "device memory. Raise the memory limit.");
  }
  record.module = std::move(parsed.module);
  for (const auto& variable : record.variables) {
    const ModuleVariable* placed = record.module->find_variable(variable->name);
    if (variable->host_pointer != nullptr && placed != nullptr) {
      *variable->host_pointer = reinterpret_cast<void*>(placed->address);
    }
  }
  return cudaSuccess;
}

cudaError_t Modules::resolve(KernelRecord& record) {
  if (record.kernel != nullptr) return cudaSuccess;
  if (const cudaError_t code = load(*record.module); code != cudaSuccess) return code;
  record.kernel = record.module->module->find_kernel(record.name);
  const auto compiled = record.module->compiled.find(record.name);
  if (compiled != record.module->compiled.end()) record.compiled = &compiled->second;
  if (record.kernel != nullptr) return cudaSuccess;
  Runtime::instance().add(Missing{
      "machine code",
      record.name,
      {},
      0,
      fmt::format("Kernel {} is in this build as machine code alone, and the simulator runs PTX. "
                  "Build its file with nvcc -gencode arch=compute_90,code=[compute_90,sm_90].",
                  readable_name(record.name))});
  return cudaErrorInvalidDeviceFunction;
}

cudaError_t Modules::address_of(VariableRecord& record, std::uint64_t& address) {
  if (const cudaError_t code = load(*record.module); code != cudaSuccess) return code;
  const ModuleVariable* variable = record.module->module->find_variable(record.name);
  if (variable == nullptr) return cudaErrorInvalidSymbol;
  address = variable->address;
  return cudaSuccess;
}

void Modules::restore_variables(DeviceMemory& memory) {
  for (const auto& module : modules_)
    if (module->module && !module->retired) module->module->restore(memory);
}

void Modules::reset_counts() {
  std::erase_if(modules_, [](const auto& module) { return module->retired; });
  for (const auto& module : modules_) {
    if (!module->module) continue;
    for (const auto& kernel : module->module->kernels()) kernel->reset_counts();
  }
}

}  // namespace klab::sim
