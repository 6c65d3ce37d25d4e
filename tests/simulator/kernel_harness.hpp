// Runs kernels given as PTX text or CUDA source on the interpreter, without the runtime around it.
#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/execute/launch.hpp"
#include "simulator/execute/module.hpp"

namespace klab::sim::test {

// Kernel parameters laid out one after the other, each aligned to its size.
class Parameters {
 public:
  template <class T>
  Parameters& add(T value) {
    while (bytes_.size() % sizeof(T) != 0) bytes_.push_back(std::byte{0});
    bytes_.resize(bytes_.size() + sizeof(T));
    std::memcpy(bytes_.data() + bytes_.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  std::span<const std::byte> span() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

template <class... T>
Parameters arguments(T... values) {
  Parameters out;
  (out.add(values), ...);
  return out;
}

// The first finding of that kind, or nullptr.
inline const Finding* find(const LaunchResult& result, FindingKind kind) {
  for (const Finding& finding : result.findings)
    if (finding.kind == kind) return &finding;
  return nullptr;
}

// A device with one module loaded.
class Loaded {
 public:
  explicit Loaded(std::string_view ptx, unsigned threads = 1) {
    device.set_threads(threads);
    Module::Parsed parsed = Module::parse(ptx);
    if (parsed.error) FAIL("line " << parsed.error->line << ": " << parsed.error->message);
    module = std::move(parsed.module);
    REQUIRE(module->place(device.memory()));
  }

  // The kernel whose mangled name contains `part`.
  Kernel& kernel(std::string_view part) {
    for (const auto& kernel : module->kernels())
      if (kernel->name().find(part) != std::string::npos) return *kernel;
    FAIL("no kernel named " << part);
    throw 0;
  }

  template <class T>
  std::uint64_t upload(const std::vector<T>& values) {
    const auto address = device.memory().allocate(values.size() * sizeof(T), MemoryKind::device);
    REQUIRE(address.has_value());
    std::memcpy(device.memory().host_view(*address, values.size() * sizeof(T)), values.data(),
                values.size() * sizeof(T));
    device.memory().mark_initialized(*address, values.size() * sizeof(T));
    return *address;
  }
  template <class T>
  std::uint64_t zeros(std::size_t count) {
    return upload(std::vector<T>(count));
  }
  template <class T>
  std::vector<T> download(std::uint64_t address, std::size_t count) {
    std::vector<T> out(count);
    const std::byte* from = device.memory().host_view(address, count * sizeof(T));
    REQUIRE(from != nullptr);
    std::memcpy(out.data(), from, count * sizeof(T));
    return out;
  }

  LaunchResult launch(std::string_view name, Dim3 grid, Dim3 block, const Parameters& parameters,
                      Limits limits = {}, std::uint32_t shared = 0) {
    LaunchConfig config{.grid = grid,
                        .block = block,
                        .dynamic_shared_bytes = shared,
                        .parameters = parameters.span()};
    return device.launch(kernel(name), config, limits);
  }
  // A launch that must succeed, with nothing found.
  void run(std::string_view name, Dim3 grid, Dim3 block, const Parameters& parameters,
           std::uint32_t shared = 0) {
    const LaunchResult result = launch(name, grid, block, parameters, {}, shared);
    if (result.fault) FAIL(result.fault->message);
    for (const Finding& finding : result.findings) FAIL(finding.message);
  }

  Device device;
  std::unique_ptr<Module> module;
};

// PTX of a CUDA source by nvcc, the way labs are built; compiled once per content and kept in the
// build folder. Nothing when there is no nvcc. Fails the test when nvcc rejects the source.
inline std::optional<std::string> compile_to_ptx(const std::string& source,
                                                 const std::string& options = "-lineinfo") {
  const std::filesystem::path nvcc = KLAB_NVCC;
  if (!std::filesystem::exists(nvcc)) return std::nullopt;
  const auto folder = std::filesystem::path(KLAB_BINARY_DIR) / "simulator" / "ptx";
  std::filesystem::create_directories(folder);
  const std::string stem = fmt::format("{:016x}", std::hash<std::string>{}(options + source));
  const auto cuda = folder / (stem + ".cu"), ptx = folder / (stem + ".ptx");
  if (!std::filesystem::exists(ptx)) {
    // Several tests may run at once: each writes its own file and moves it into place.
    const auto mine = folder / fmt::format("{}.{}.ptx", stem, getpid());
    std::ofstream(cuda) << source;
    const std::string command = fmt::format("'{}' -std=c++20 -ptx -arch=compute_90 {} -o '{}' '{}'",
                                            nvcc.string(), options, mine.string(), cuda.string());
    REQUIRE(std::system(command.c_str()) == 0);
    std::filesystem::rename(mine, ptx);
  }
  std::ostringstream text;
  text << std::ifstream(ptx).rdbuf();
  return text.str();
}

// The same for a test that cannot do without: skipped where there is no nvcc.
inline std::string ptx_of(const std::string& source) {
  const auto text = compile_to_ptx(source);
  if (!text) SKIP("no nvcc");
  return *text;
}

// One block of 64 threads over as many ints, with all checks; `kernel` takes their address alone.
inline LaunchResult run_block(Loaded& loaded, const std::string& kernel) {
  const auto out = loaded.zeros<int>(64);
  return loaded.launch(std::to_string(kernel.size()) + kernel, {1}, {64}, arguments(out),
                       {.instruction_budget = 1'000'000, .checks = Checks::full});
}

}  // namespace klab::sim::test
