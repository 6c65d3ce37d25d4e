#include "simulator/program/kept_variables.hpp"

#include <algorithm>

namespace klab::sim {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 20;

}  // namespace

KeptVariables::KeptVariables(const DeviceMemory& memory,
                             const std::vector<ModuleVariable>& variables) {
  std::uint64_t all = 0;
  for (const ModuleVariable& variable : variables) all += variable.constant ? 0 : variable.bytes;
  if (all > most_bytes) return;
  for (const ModuleVariable& variable : variables) {
    if (variable.constant) continue;
    if (const std::byte* view = memory.host_view(variable.address, variable.bytes))
      kept_.push_back({variable.address, {view, view + variable.bytes}});
  }
}

void KeptVariables::put_back(const DeviceMemory& memory) const {
  for (const Kept& kept : kept_)
    if (std::byte* view = memory.host_view(kept.address, kept.bytes.size()))
      std::copy(kept.bytes.begin(), kept.bytes.end(), view);
}

}  // namespace klab::sim
