// Building kernel files and workloads into shared libraries, once per digest of everything that
// went in.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/compute_capability.hpp"
#include "core/base/result.hpp"
#include "core/base/tree.hpp"
#include "core/build/plugin_cache.hpp"
#include "core/build/toolchain.hpp"
#include "core/course/lab.hpp"
#include "core/verdict/check_result.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

enum class Severity { error, warning };
constexpr std::string_view to_string(Severity severity) {
  return severity == Severity::error ? "error" : "warning";
}

/// A message of nvcc with its place in the learner's file, as far as it names one.
struct CompilerMessage {
  std::string file;  ///< or the tool that complains; may be empty
  int line = 0;      ///< 0: none was named
  Severity severity = Severity::error;
  std::string text;
};

/// "kernel.cu:12", "ptxas", or nothing.
std::string place_of(const CompilerMessage& message);

/// What it says, printable, as long as a sentence may be: compilers quote names and texts of any
/// length, and templates make pages of one message.
std::string told(const CompilerMessage& message);

/// Null if all are warnings.
const CompilerMessage* first_error(std::span<const CompilerMessage> messages);

struct BuiltPlugin {
  std::filesystem::path library;
  std::string source_digest;          ///< SHA-256 of the source file alone
  std::vector<KernelReport> kernels;  ///< the compiler's report, one entry per kernel
  std::vector<CompilerMessage> warnings;
  double seconds = 0;  ///< of nvcc; 0 if it came from the cache
  bool from_cache = false;
  LibraryHold held{};  ///< keeps the library from being deleted to make room
};

/// A constant passed to nvcc as -Dname=value.
struct Define {
  std::string name;
  std::int64_t value = 0;
};

/// With the features of its own where the lab asks for what only that generation has and the GPU is
/// one of it.
Architecture architecture_for(const Lab& lab, ComputeCapability capability);

/// Builds the kernel file `source` of `lab` for `capability`, as machine code and PTX, linked with
/// the libraries that the lab names. Errors: build_failed, whose
/// text is the first message as file:line: message and whose detail is the compiler's whole output;
/// no_toolkit; io; canceled; hang if nvcc computed for two minutes or got nowhere in fifteen; usage
/// if a path has a character that nvcc cannot read.
Result<BuiltPlugin> build_plugin(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                                 const VariantName& variant, const std::filesystem::path& source,
                                 ComputeCapability capability,
                                 const std::atomic<bool>* canceled = nullptr,
                                 const std::optional<Define>& define = {});

/// Builds the workload of `lab`; the same errors.
Result<BuiltPlugin> build_workload(const Tree& tree, const Toolchain& toolchain, const Lab& lab,
                                   ComputeCapability capability,
                                   const std::atomic<bool>* canceled = nullptr);

/// The device passes alone, which take a fraction of a build: the compiler's report of `source`,
/// and its machine code in the file `cubin`, in whose folder nvcc also leaves what it needs on its
/// way. Errors: those of build_plugin().
Result<BuiltPlugin> build_cubin(const Toolchain& toolchain, const Lab& lab,
                                const std::filesystem::path& source, ComputeCapability capability,
                                const std::filesystem::path& cubin,
                                const std::atomic<bool>* canceled = nullptr);

/// nvcc's messages, in order. Understands `file(line): error: text` and `file:line:column: error:
/// text`.
std::vector<CompilerMessage> parse_compiler_messages(std::string_view log);
/// What `ptxas -v` says of each kernel: registers, stack, spills, static shared memory.
std::vector<KernelReport> parse_ptxas_report(std::string_view log);

}  // namespace klab
