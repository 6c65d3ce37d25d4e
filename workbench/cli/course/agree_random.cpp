// agree --random: kernels made from seeds, on the simulator, on the host and on this GPU.
#include <algorithm>
#include <mutex>
#include <numeric>
#include <thread>

#include "cli/verbs/check_session.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/record/random_agreement.hpp"
#include "core/record/results.hpp"

namespace klab::cli {
namespace {

/// More of them keep nvcc busy and the GPU waiting; fewer, and the GPU mostly starts processes.
constexpr int most_kernels_a_program = 64;
/// In this order a difference is looked at again.
constexpr RandomForm other_forms[] = {
    {.optimized = false}, {.divides = false}, {.optimized = false, .divides = false}};

using Sides = std::map<std::uint64_t, RandomSide>;

/// Builds, runs and counts the kernels of some seeds on the simulator and, where there is one, the
/// GPU.
class RandomComparison {
 public:
  RandomComparison(const Context& context, const Toolchain& toolchain, const AgreementPlan& plan,
                   std::optional<ComputeCapability> gpu)
      : context_(context), toolchain_(toolchain), plan_(plan), capability_(gpu) {}

  /// What is counted needs a workload. Errors: those of build_workload().
  Result<> prepare() {
    if (!has_gpu()) return Ok{};
    auto built = build_random_workload(context_.tree, toolchain_, *capability_, &canceled());
    if (!built) return built.error();
    workload_ = std::move(*built);
    return Ok{};
  }
  /// The sources stay where a difference has no reason.
  Result<RandomAgreement> compare(const Seeds& seeds) {
    RandomAgreement found;
    std::vector<std::filesystem::path> sources;
    const auto sides = both_sides(seeds, {}, random_metrics(plan_), sources);
    if (!sides) return sides.error();
    for (const std::uint64_t seed : seeds)
      compare_random(plan_, seed, side_of(sides->first, seed),
                     has_gpu() ? &side_of(sides->second, seed) : nullptr, found);
    for (const RandomForm& form : other_forms) {
      const Seeds open = open_seeds(found);
      if (open.empty() || !has_gpu()) break;
      const auto again = both_sides(open, form, open_metrics(found), sources);
      if (!again) return again.error();
      for (RandomDifference& difference : found.differences)
        if (difference.reason.empty())
          explain_random(plan_, form, side_of(again->first, difference.seed),
                         side_of(again->second, difference.seed), difference);
    }
    for (const auto& source : sources)
      if (std::error_code ignored; unexplained(found).empty())
        std::filesystem::remove(source, ignored);
    return found;
  }

 private:
  static const std::atomic<bool>& canceled() { return canceled_by_user(); }
  bool has_gpu() const { return capability_.has_value(); }
  static const RandomSide& side_of(const Sides& sides, std::uint64_t seed) {
    static const RandomSide none;
    const auto found = sides.find(seed);
    return found == sides.end() ? none : found->second;
  }
  static Seeds open_seeds(const RandomAgreement& found) {
    Seeds seeds;
    for (const RandomDifference& difference : found.differences)
      if (difference.reason.empty() && (seeds.empty() || seeds.back() != difference.seed))
        seeds.push_back(difference.seed);
    return seeds;
  }

  /// Fewer metrics take fewer launches.
  std::vector<std::string> open_metrics(const RandomAgreement& found) const {
    std::vector<std::string> metrics = random_metrics(plan_);
    std::erase_if(metrics, [&](const std::string& metric) {
      return std::none_of(found.differences.begin(), found.differences.end(),
                          [&](const auto& d) { return d.subject == metric && d.reason.empty(); });
    });
    return metrics;
  }

  /// The simulator's side and the GPU's, empty without one.
  Result<std::pair<Sides, Sides>> both_sides(const Seeds& seeds, const RandomForm& form,
                                             const std::vector<std::string>& metrics,
                                             std::vector<std::filesystem::path>& sources) {
    const auto build =
        build_random_kernels(toolchain_, context_.tree.root, context_.tree.build / "random", seeds,
                             capability_, form, &canceled());
    if (!build) return build.error();
    sources.push_back(build->source);
    auto simulated = side(*build, seeds, metrics, true);
    if (!simulated) return simulated.error();
    Sides measured;
    if (has_gpu()) {
      const std::scoped_lock one_at_a_time(gpu_);
      auto sides = side(*build, seeds, metrics, false);
      if (!sides) return sides.error();
      measured = std::move(*sides);
    }
    for (const auto& file : {build->program, build->library}) {
      std::error_code ignored;
      std::filesystem::remove(file, ignored);
    }
    return std::pair(std::move(*simulated), std::move(measured));
  }
  Result<Sides> side(const RandomBuild& build, const Seeds& seeds,
                     const std::vector<std::string>& metrics, bool simulator) const {
    Sides sides;
    const auto results = run_random_program(
        build.program,
        simulator ? context_.tree.build / "simulator" : toolkit_runtime_folder(toolchain_),
        &canceled());
    if (!results) return results.error();
    for (const RandomResult& result : *results) sides[result.seed].result = result;
    if (!has_gpu() || metrics.empty()) return sides;
    auto counted = count_random_kernels(context_.tree, simulator, workload_.library, build, seeds,
                                        metrics, &canceled());
    if (!counted) return counted.error();
    for (auto& [seed, counters] : *counted) sides[seed].counters = std::move(counters);
    return sides;
  }

  const Context& context_;
  const Toolchain& toolchain_;
  const AgreementPlan& plan_;
  std::optional<ComputeCapability> capability_;
  BuiltPlugin workload_;
  std::mutex gpu_;
};

/// Compares all seeds, as many programs at once as there are cores. Errors: the first of any.
Result<> compare_all(const Context& context, RandomComparison& comparison,
                     const RandomOptions& options, RandomAgreement& agreement) {
  std::mutex mutex;  // guards the agreement and the error
  std::optional<Error> error;
  const int workers = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int at_once =
      std::clamp((options.kernels + workers - 1) / workers, 1, most_kernels_a_program);
  std::atomic<int> next = 0;
  const auto work = [&] {
    for (int at = next.fetch_add(at_once); at < options.kernels && !canceled_by_user();
         at = next.fetch_add(at_once)) {
      Seeds seeds(static_cast<std::size_t>(std::min(at_once, options.kernels - at)));
      std::iota(seeds.begin(), seeds.end(), options.seed + static_cast<std::uint64_t>(at));
      const auto found = comparison.compare(seeds);
      const std::scoped_lock lock(mutex);
      if (!found) {
        if (!error) error = found.error();
        next = options.kernels;
        return;
      }
      agreement.add(*found);
      say(context, std::to_string(agreement.kernels) + " of " + std::to_string(options.kernels) +
                       " kernels, " + std::to_string(unexplained(agreement).size()) +
                       " difference(s) without a reason …");
    }
  };
  std::vector<std::thread> threads(static_cast<std::size_t>(workers));
  for (std::thread& thread : threads) thread = std::thread(work);
  for (std::thread& thread : threads) thread.join();
  if (canceled_by_user()) return make_error(ErrorCode::canceled, "The comparison was stopped.");
  if (error) return *error;
  return Ok{};
}

}  // namespace

int agree_random(const Context& context, const AgreementPlan& plan, const Toolchain& toolchain,
                 const DeviceFacts* gpu, const AgreeOptions& options) {
  const RandomOptions& random = options.random;
  std::optional<GpuLock> lock;
  RandomAgreement agreement;
  agreement.date = now_utc();
  agreement.first_seed = random.seed;
  agreement.last_seed = random.seed + static_cast<std::uint64_t>(random.kernels) - 1;
  if (gpu != nullptr) {
    lock.emplace(std::function<void()>(), canceled_by_user());
    agreement.device = *gpu;
    agreement.device.toolkit = toolchain.version;
  }
  RandomComparison comparison(context, toolchain, plan,
                              gpu == nullptr ? std::nullopt : gpu->compute_capability);
  if (auto prepared = comparison.prepare(); !prepared) return fail(context, prepared.error());
  if (auto all = compare_all(context, comparison, random, agreement); !all)
    return fail(context, all.error());
  const auto open = unexplained(agreement);
  for (const std::string& sentence : open)
    print("  " + context.out.paint(Tone::bad, "✘ ") + printable(sentence) + "\n");
  print("  " + std::to_string(agreement.kernels) + " random kernels from seed " +
        std::to_string(random.seed) + ", on the simulator and the host" +
        (gpu == nullptr ? std::string() : " and " + printable(gpu->name)) + ": " +
        std::to_string(agreement.same_results) + " give the same bits; " +
        std::to_string(agreement.differences.size()) + " difference(s), " +
        std::to_string(open.size()) + " without a reason.\n");
  if (!open.empty())
    print(
        "  → `./klab course agree --random 1 --seed S` repeats one; its source stays in "
        "build/*/random.\n");
  if (gpu != nullptr) {
    const auto digest = generator_digest(context.tree.root, agreement.seeds());
    if (!digest) return fail(context, digest.error());
    agreement.generator = *digest;
    const auto path = options.output.empty() ? random_agreement_file(context.tree.root, *gpu)
                                             : std::filesystem::absolute(options.output);
    if (auto written = write_random_agreement(path, agreement); !written)
      return fail(context, written.error());
    print("  Recorded in " + shown_path(context, path) +
          "; `./klab course agree --report` brings it into docs/agreement.md.\n");
  }
  return open.empty() ? exit_ok : exit_failed;
}

}  // namespace klab::cli
