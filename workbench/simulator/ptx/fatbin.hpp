// The images inside a fat binary that nvcc embeds in host code: PTX text, and what machine code
// says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace klab::sim {

/// What ptxas decided for one kernel, read from the sm_90 machine code next to the PTX.
struct CompiledKernel {
  int registers = 0;            ///< registers per thread
  std::size_t stack_bytes = 0;  ///< per-thread stack: local arrays and spills
};

/// The useful contents of one fat binary. Without PTX, `problem` says why in a sentence with a
/// remedy, and the kernels of this binary can't run.
struct Fatbin {
  std::string ptx;           ///< of the architecture nearest to sm_90: the highest up to it
  int ptx_architecture = 0;  ///< 90 for compute_90; 0 without PTX
  std::string problem;
  std::map<std::string, CompiledKernel> compiled;  ///< by mangled kernel name; empty without SASS
};

/// Reads the fat binary that starts at `data`. The container states its own size, which is trusted
/// because the bytes are part of a loaded library; everything inside is bounds-checked.
/// The layout is not documented by NVIDIA; it was observed with nvcc 13.0.
Fatbin read_fatbin(const void* data);

/// What the first four bytes say that code is; PTX is text.
bool is_container(std::uint32_t magic);
bool is_machine_code(std::uint32_t magic);

/// The bytes of the fat binary that starts at `data`; its header alone where it is none.
std::span<const std::byte> container_at(const void* data);

/// The same for bytes of known length (files, tests). Never reads past the end.
Fatbin read_fatbin(std::span<const std::byte> bytes);

/// The same for code of any form that a program may load: a fat binary, or PTX as text.
Fatbin read_code(std::span<const std::byte> bytes);

/// Register and stack figures of a cubin (ELF64 of machine NVIDIA CUDA, section .nv.info).
/// An image that can't be read yields an empty map.
std::map<std::string, CompiledKernel> read_cubin(std::span<const std::byte> cubin);

}  // namespace klab::sim
