// Loaded plugins' device code: fat binaries, kernels and variables, found by their host addresses.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/execute/module.hpp"
#include "simulator/ptx/fatbin.hpp"

namespace klab::sim {

/// Shared memory a block may use without asking for more (cudaFuncSetAttribute), compute
/// capability 9.0: CUDA programming guide, technical specifications.
inline constexpr int default_dynamic_shared_bytes = 48 * 1024;

struct ModuleRecord;

/// A __global__ function; its address is the cudaKernel_t that host code sees.
struct KernelRecord {
  ModuleRecord* module = nullptr;
  std::string name;  ///< mangled
  const void* host_function = nullptr;
  Kernel* kernel = nullptr;                  ///< resolved at first use
  const CompiledKernel* compiled = nullptr;  ///< its machine code's, where there is one
  int max_dynamic_shared_bytes = default_dynamic_shared_bytes;
  int preferred_carveout = -1;  ///< percent; -1: default
  int required_cluster[3] = {0, 0, 0};
  int cluster_policy = 0;
  bool non_portable_cluster = false;
};

struct VariableRecord {
  ModuleRecord* module = nullptr;
  std::string name;
  std::uint64_t bytes = 0;        ///< as the host declared it
  void** host_pointer = nullptr;  ///< managed variables: where the host keeps the address
};

/// One fat binary, registered or loaded as a library, or one text. Read, parsed and placed in
/// memory at first use.
struct ModuleRecord {
  const void* image = nullptr;
  std::vector<std::byte> own;      ///< of a library: its code, which `image` points to
  bool is_library = false;         ///< loaded by cudaLibraryLoadData and its like
  std::vector<const void*> parts;  ///< fat binaries that were linked to this one (-rdc=true)
  std::unique_ptr<Module> module;
  std::map<std::string, CompiledKernel> compiled;
  int ptx_architecture = 0;
  std::string problem;  ///< why nothing of it can run; empty if all is well
  cudaError_t problem_code = cudaSuccess;
  bool loaded = false;
  bool retired = false;  ///< its plugin was unloaded; kept for the report
  std::vector<std::unique_ptr<KernelRecord>> kernels;
  std::vector<std::unique_ptr<VariableRecord>> variables;
};

class Modules {
 public:
  ModuleRecord* add(const void* image);
  /// Forgets the host addresses of an unloaded plugin and frees its variables.
  void retire(ModuleRecord* module);
  /// One without a host function goes by its handle alone.
  void add_kernel(ModuleRecord* module, const void* host_function, std::string name);
  void add_variable(ModuleRecord* module, const void* host_variable, VariableRecord variable);
  /// A library of this code, a fat binary or text; its kernels have handles alone.
  cudaError_t add_library(std::vector<std::byte> code, ModuleRecord*& library);
  /// The library of that handle; null when it was unloaded, or never was.
  ModuleRecord* find_library(const void* handle) const;

  /// The kernel of a host function, or of a handle given out before; null when unknown.
  KernelRecord* find_kernel(const void* host_function_or_handle);
  VariableRecord* find_variable(const void* host_variable);
  /// What the host has in the place of a __device__ or __constant__ variable, if the address is
  /// there: whose it is, and what to do; empty elsewhere.
  std::string shadow_at(std::uint64_t address) const;

  /// Parses and places the module; success, or the code whose sentence is in `problem`.
  cudaError_t load(ModuleRecord& module);
  /// Makes `record.kernel` valid, or says why it can't be.
  cudaError_t resolve(KernelRecord& record);
  /// Device address of a variable; cudaErrorInvalidSymbol when the module has none of that name.
  cudaError_t address_of(VariableRecord& record, std::uint64_t& address);

  void reset_counts();
  /// Variables of all modules have their initial values again.
  void restore_variables(DeviceMemory& memory);
  const std::vector<std::unique_ptr<ModuleRecord>>& all() const { return modules_; }

 private:
  std::vector<std::unique_ptr<ModuleRecord>> modules_;
  std::unordered_map<const void*, KernelRecord*> kernels_;  // by host function and by handle
  std::unordered_map<const void*, VariableRecord*> variables_;
};

}  // namespace klab::sim
