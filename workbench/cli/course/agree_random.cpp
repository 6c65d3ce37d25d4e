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
  std::vector<std::string> explained;  ///< differences that ptxas makes, not the simulator
  std::optional<Error> error;
};

/// What a program showed, a sentence each.
struct Found {
  std::vector<std::string> differences, explained;
};

const RandomResult* result_of(const std::vector<RandomResult>& results, std::uint64_t seed) {
  const auto found = std::find_if(results.begin(), results.end(),
                                  [&](const RandomResult& r) { return r.seed == seed; });
  return found == results.end() ? nullptr : &*found;
}

/// A sentence for each way in which the kernel of a seed is not the same everywhere.
std::vector<std::string> differences_of(std::uint64_t seed,
                                        const std::vector<RandomResult>& simulated,
                                        const std::vector<RandomResult>* measured) {
  std::vector<std::string> out;
  const std::string name = "seed " + std::to_string(seed);
  const auto judge = [&](const RandomResult* result, const char* where) {
    if (result == nullptr)
      out.push_back(name + " did not run " + where + ".");
    else if (result->verdict != "host")
      out.push_back(name + " " + where + ": " + result->verdict + ".");
  };
  const RandomResult* ours = result_of(simulated, seed);
  judge(ours, "on the simulator");
  if (measured == nullptr) return out;
  const RandomResult* theirs = result_of(*measured, seed);
  judge(theirs, "on the GPU");
  if (ours != nullptr && theirs != nullptr && ours->digest != theirs->digest)
    out.push_back(name + " makes " + ours->digest + " on the simulator and " + theirs->digest +
                  " on the GPU.");
  return out;
}

/// Builds and runs the programs of some seeds on the simulator and, where there is one, the GPU.
class RandomComparison {
 public:
  RandomComparison(const Context& context, const Toolchain& toolchain, int compute_capability,
                   Tally& tally)
      : context_(context),
        toolchain_(toolchain),
        compute_capability_(compute_capability),
        tally_(tally) {}

  /// A program without a difference is deleted.
  Result<Found> compare(std::uint64_t first, int count) const {
    auto program = build(first, count, MachineCode::optimized);
    if (!program) return program.error();
    const auto simulated =
        run_random_program(*program, context_.tree.build / "simulator", &canceled_by_user());
    if (!simulated) return simulated.error();
    std::optional<std::vector<RandomResult>> measured;
    if (compute_capability_ != 0) {
      auto results = on_gpu(*program);
      if (!results) return results.error();
      measured = std::move(*results);
    }
    Found found;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
      auto sentences = differences_of(seed, *simulated, measured ? &*measured : nullptr);
      if (sentences.empty()) continue;
      if (measured && agrees_as_written(seed, *simulated))
        found.explained.push_back("seed " + std::to_string(seed) +
                                  ": the GPU agrees once ptxas optimizes nothing.");
      else
        found.differences.insert(found.differences.end(), sentences.begin(), sentences.end());
    }
    std::error_code ignored;
    std::filesystem::remove(*program, ignored);
    if (found.differences.empty() && found.explained.empty())
      std::filesystem::remove(program->string() + ".cu", ignored);
    return found;
  }

 private:
  Result<std::filesystem::path> build(std::uint64_t first, int count, MachineCode code) const {
    return build_random_program(toolchain_, context_.tree.root, context_.tree.build / "random",
                                first, count, compute_capability_, &canceled_by_user(), code);
  }
  Result<std::vector<RandomResult>> on_gpu(const std::filesystem::path& program) const {
    const std::scoped_lock lock(tally_.gpu);
    return run_random_program(program, toolkit_runtime_folder(toolchain_), &canceled_by_user());
  }
  /// The same PTX, translated instruction by instruction, makes what the simulator and the host
  /// make: then ptxas's optimizer changed the program's meaning.
  bool agrees_as_written(std::uint64_t seed, const std::vector<RandomResult>& simulated) const {
    const RandomResult* ours = result_of(simulated, seed);
    if (ours == nullptr || ours->verdict != "host") return false;
    const auto program = build(seed, 1, MachineCode::as_written);
    if (!program) return false;
    const auto results = on_gpu(*program);
    const RandomResult* theirs = results ? result_of(*results, seed) : nullptr;
    return theirs != nullptr && theirs->verdict == "host" && theirs->digest == ours->digest;
  }

  const Context& context_;
  const Toolchain& toolchain_;
  int compute_capability_;
  Tally& tally_;
};

}  // namespace

int agree_random(const Context& context, const Toolchain& toolchain, const DeviceFacts* gpu,
                 const RandomOptions& options) {
  Tally tally;
  const RandomComparison comparison(context, toolchain,
                                    gpu == nullptr ? 0 : gpu->compute_capability, tally);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int at = next.fetch_add(kernels_a_program); at < options.kernels && !canceled_by_user();
         at = next.fetch_add(kernels_a_program)) {
      const int count = std::min(kernels_a_program, options.kernels - at);
      const auto found = comparison.compare(options.seed + static_cast<std::uint64_t>(at), count);
      const std::scoped_lock lock(tally.mutex);
      if (!found) {
        if (!tally.error) tally.error = found.error();
        return;
      }
      tally.compared += count;
      tally.differences.insert(tally.differences.end(), found->differences.begin(),
                               found->differences.end());
      tally.explained.insert(tally.explained.end(), found->explained.begin(),
                             found->explained.end());
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
  std::sort(tally.explained.begin(), tally.explained.end());
  for (const std::string& sentence : tally.explained) print("  " + printable(sentence) + "\n");
  for (const std::string& sentence : tally.differences)
    print("  " + context.out.paint(Tone::bad, "✘ ") + printable(sentence) + "\n");
  print("  " + std::to_string(tally.compared) + " random kernels from seed " +
        std::to_string(options.seed) + ", on the simulator and the host" +
        (gpu == nullptr ? std::string() : " and " + printable(gpu->name)) + ": " +
        std::to_string(tally.differences.size()) + " difference(s), " +
        std::to_string(tally.explained.size()) + " that ptxas makes.\n");
  if (!tally.differences.empty())
    print(
        "  → `./klab course agree --random 1 --seed S` repeats one; its program stays in "
        "build/*/random.\n");
  return tally.differences.empty() ? exit_ok : exit_failed;
}

}  // namespace klab::cli
