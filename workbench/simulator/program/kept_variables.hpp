// KeptVariables: a module's variables as they were before a kernel of which some blocks run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/memory/device_memory.hpp"
#include "simulator/program/module_symbols.hpp"

namespace klab::sim {

/// A counter that the last block sets back would stay where those that ran left it, and the next
/// launch would find no work.
class KeptVariables {
 public:
  /// Nothing is kept of modules with very large variables.
  KeptVariables(const DeviceMemory& memory, const std::vector<ModuleVariable>& variables);
  void put_back(const DeviceMemory& memory) const;

 private:
  struct Kept {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;
  };
  std::vector<Kept> kept_;
};

}  // namespace klab::sim
