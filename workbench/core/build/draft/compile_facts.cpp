// The draft is laid into a folder of its own for nvcc; how it launches its kernels is read from it.
#include "core/build/draft/compile_facts.hpp"

#include "core/base/files.hpp"
#include "core/build/draft/launch_sites.hpp"
#include "core/process/scratch_folder.hpp"

namespace klab {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t longest_contract_bytes = 1u << 20;

void erase_all(std::string& text, const std::string& piece) {
  for (std::size_t at; (at = text.find(piece)) != std::string::npos;) text.erase(at, piece.size());
}

Result<BuiltPlugin> compiled(const Tree& tree, const FactsQuestion& question,
                             const std::atomic<bool>* canceled) {
  const auto toolchain = find_toolchain(tree);
  if (!toolchain) return toolchain.error();
  const auto folder = ScratchFolder::make();
  if (!folder) return folder.error();
  const fs::path file = folder->path() / fs::path(question.name).filename();
  if (const auto written = write_file(file, question.source); !written) return written.error();
  auto report = build_cubin(*toolchain, question.lab, file, question.compute_capability,
                            folder->path() / "draft.cubin", canceled);
  if (report) return report;
  // The reader knows the file by its own name, not by where the draft was laid.
  Error error = report.error();
  for (std::string* text : {&error.what, &error.detail})
    erase_all(*text, folder->path().string() + "/");
  return error;
}

}  // namespace

void add_occupancy(CompileFacts& facts) {
  if (!facts.compute_capability) return;
  for (DraftKernel& kernel : facts.kernels) {
    if (!kernel.block_threads || !kernel.dynamic_shared_bytes) continue;
    const auto result = occupancy({.compute_capability = *facts.compute_capability,
                                   .block_threads = *kernel.block_threads,
                                   .registers_per_thread = kernel.report.registers,
                                   .static_shared_bytes = kernel.report.static_shared_bytes,
                                   .dynamic_shared_bytes = *kernel.dynamic_shared_bytes});
    if (result) kernel.occupancy = *result;
  }
}

CompileFacts compile_facts(const Tree& tree, const FactsQuestion& question,
                           const std::atomic<bool>* canceled) {
  CompileFacts facts{.number = question.number, .compute_capability = question.compute_capability};
  auto built = compiled(tree, question, canceled);
  if (!built) {
    facts.error = built.error();
    facts.messages = parse_compiler_messages(facts.error->detail);
    return facts;
  }
  facts.messages = std::move(built->warnings);
  facts.compile_time = std::chrono::duration<double>(built->seconds);
  const auto contract = read_file(question.lab.contract(), longest_contract_bytes);
  const auto sites = launch_sites(question.source, contract ? *contract : "");
  for (KernelReport& report : built->kernels) {
    DraftKernel kernel{.report = std::move(report)};
    if (const LaunchSite* launch = launch_of(sites, kernel.report.kernel)) {
      kernel.block_threads = launch->block_threads;
      kernel.dynamic_shared_bytes = launch->dynamic_shared_bytes;
    }
    facts.kernels.push_back(std::move(kernel));
  }
  add_occupancy(facts);
  return facts;
}

}  // namespace klab
