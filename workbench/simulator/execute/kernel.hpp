// A kernel of a loaded module: its launch facts, what it needs that is missing, and its counts.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "simulator/base/counts.hpp"
#include "simulator/program/kernel_info.hpp"

namespace klab::sim {

class ModuleSymbols;
struct KernelState;  // decoded program and per-worker execution state

class Kernel {
 public:
  Kernel(const ModuleSymbols& module, std::string name);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const std::string& name() const { return name_; }
  // Launch facts; decodes the kernel on first use.
  const KernelInfo& info();
  // Counts since the last reset, and the reset (not while the kernel runs).
  KernelCounts counts();
  // Their total of warp instructions alone, which a clock may ask for around each launch.
  std::uint64_t warp_instructions() const;
  void reset_counts();

  // For the interpreter: the decoded kernel.
  KernelState& state();

 private:
  const ModuleSymbols& module_;
  std::string name_;
  std::unique_ptr<KernelState> state_;
};

}  // namespace klab::sim
