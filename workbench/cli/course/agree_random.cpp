// agree --random: kernels made from seeds, on the simulator, on the host and on this GPU.
#include <algorithm>
#include <mutex>
#include <thread>

#include "cli/verbs/verbs.hpp"
#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/record/random_kernels.hpp"

namespace klab::cli {
namespace {

constexpr int kernels_a_program = 25;

/// What came of all kernels so far; programs are compiled and run side by side.
struct Tally {
  std::mutex mutex;  ///< guards everything; the GPU runs one program at a time under its own
  std::mutex gpu;
  int compared = 0;
  std::vector<std::string> differences;
  std::optional<Error> error;
};

/// A sentence for each kernel of a program that is not the same everywhere.
std::vector<std::string> differences_of(std::uint64_t first, int count,
                                        const std::vector<RandomResult>& simulated,
                                        const std::vector<RandomResult>* measured) {
  std::vector<std::string> out;
  const auto find = [](const std::vector<RandomResult>& results, std::uint64_t seed) {
    const auto found = std::find_if(results.begin(), results.end(),
                                    [&](const RandomResult& r) { return r.seed == seed; });
    return found == results.end() ? nullptr : &*found;
  };
  for (int i = 0; i < count; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const std::string name = "seed " + std::to_string(seed);
    const auto judge = [&](const RandomResult* result, const char* where) {
      if (result == nullptr)
        out.push_back(name + " did not run " + where + ".");
      else if (result->verdict != "host")
        out.push_back(name + " " + where + ": " + result->verdict + ".");
    };
    const RandomResult* ours = find(simulated, seed);
    judge(ours, "on the simulator");
    if (measured == nullptr) continue;
    const RandomResult* theirs = find(*measured, seed);
    judge(theirs, "on the GPU");
    if (ours != nullptr && theirs != nullptr && ours->digest != theirs->digest)
      out.push_back(name + " makes " + ours->digest + " on the simulator and " + theirs->digest +
                    " on the GPU.");
  }
  return out;
}

/// Builds and runs the program of `count` seeds. A program without a difference is deleted.
Result<std::vector<std::string>> compare(const Context& context, const Toolchain& toolchain,
                                         std::uint64_t first, int count, int compute_capability,
                                         Tally& tally) {
  const auto folder = context.tree.build / "random";
  auto program = build_random_program(toolchain, context.tree.root, folder, first, count,
                                      compute_capability, &canceled_by_user());
  if (!program) return program.error();
  const auto simulated =
      run_random_program(*program, context.tree.build / "simulator", &canceled_by_user());
  if (!simulated) return simulated.error();
  std::vector<std::string> found;
  if (compute_capability == 0) {
    found = differences_of(first, count, *simulated, nullptr);
  } else {
    const std::scoped_lock lock(tally.gpu);
    const auto measured =
        run_random_program(*program, toolkit_runtime_folder(toolchain), &canceled_by_user());
    if (!measured) return measured.error();
    found = differences_of(first, count, *simulated, &*measured);
  }
  std::error_code ignored;
  std::filesystem::remove(*program, ignored);
  if (found.empty()) std::filesystem::remove(program->string() + ".cu", ignored);
  return found;
}

}  // namespace

int agree_random(const Context& context, const Toolchain& toolchain, const DeviceFacts* gpu,
                 const RandomOptions& options) {
  Tally tally;
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int at = next.fetch_add(kernels_a_program); at < options.kernels && !canceled_by_user();
         at = next.fetch_add(kernels_a_program)) {
      const int count = std::min(kernels_a_program, options.kernels - at);
      auto found = compare(context, toolchain, options.seed + static_cast<std::uint64_t>(at), count,
                           gpu == nullptr ? 0 : gpu->compute_capability, tally);
      const std::scoped_lock lock(tally.mutex);
      if (!found) {
        if (!tally.error) tally.error = found.error();
        return;
      }
      tally.compared += count;
      tally.differences.insert(tally.differences.end(), found->begin(), found->end());
      if (context.err.interactive)
        std::fprintf(stderr, "  %d of %d kernels, %zu difference(s)\n", tally.compared,
                     options.kernels, tally.differences.size());
    }
  };
  std::vector<std::thread> workers(std::max(1u, std::thread::hardware_concurrency()));
  for (std::thread& worker : workers) worker = std::thread(work);
  for (std::thread& worker : workers) worker.join();
  if (canceled_by_user())
    return fail(context, make_error(ErrorCode::canceled, "The comparison was stopped."));
  if (tally.error) return fail(context, *tally.error);
  std::sort(tally.differences.begin(), tally.differences.end());
  for (const std::string& sentence : tally.differences)
    print("  " + context.out.paint(Tone::bad, "✘ ") + printable(sentence) + "\n");
  print("  " + std::to_string(tally.compared) + " random kernels from seed " +
        std::to_string(options.seed) + ", on the simulator and the host" +
        (gpu == nullptr ? std::string() : " and " + printable(gpu->name)) + ": " +
        std::to_string(tally.differences.size()) + " difference(s).\n");
  if (!tally.differences.empty())
    print(
        "  → `./klab course agree --random 1 --seed S` repeats one; its program stays in "
        "build/*/random.\n");
  return tally.differences.empty() ? exit_ok : exit_failed;
}

}  // namespace klab::cli
