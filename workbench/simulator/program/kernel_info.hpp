// What a launch must know of a kernel: its parameters and memory, and what of it can't run.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace klab::sim {

struct KernelParameter {
  std::uint32_t offset_bytes = 0;
  std::uint32_t size_bytes = 0;
};

// An instruction that the interpreter does not implement.
struct Unsupported {
  std::string opcode;
  std::string file;
  std::uint32_t line = 0;
};

// Why a kernel can't be decoded as a whole, and where.
struct Undecoded {
  std::string reason;  // a sentence with the line of the PTX
  std::string file;    // of the source, where known
  std::uint32_t line = 0;
};

struct KernelInfo {
  std::string name;  // mangled
  std::vector<KernelParameter> parameters;
  std::uint32_t parameter_bytes = 0;
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  // per thread
  std::uint32_t constant_bytes = 0;
  std::uint32_t max_threads = 0;                    // from __launch_bounds__; 0: none stated
  std::uint32_t min_blocks = 0;                     // from __launch_bounds__; 0: none stated
  std::array<std::uint32_t, 3> required_threads{};  // .reqntid; zeros: none
  std::array<std::uint32_t, 3> required_cluster{};  // __cluster_dims__; zeros: none
  bool explicit_cluster = false;                    // launchable only with a cluster
  bool is_of_cub = false;                           // of CUB or Thrust, not of who calls them
  bool may_order_blocks = false;                    // has fences, volatile or ordered accesses
  std::vector<Unsupported> unsupported;             // a launch is stopped where it executes one
  std::optional<Undecoded> error;                   // nothing of it can run
};

// What someone is told who launches a kernel that can't be decoded.
std::string refusal_of(const std::string& kernel, const Undecoded& error);

}  // namespace klab::sim
