// agree --random: kernels made from seeds, on the simulator, on the host and on this GPU.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <thread>

#include "cli/verbs/check_session.hpp"
#include "cli/verbs/verbs.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/side_by_side.hpp"
#include "core/base/text.hpp"
#include "core/check/machine.hpp"
#include "core/measure/format.hpp"
#include "core/record/random/agreement.hpp"
#include "core/record/results.hpp"
#include "core/timing/gpu_lock.hpp"

namespace klab::cli {
namespace {

/// They share a process on the GPU, where most of the time is a start; after so many, what was
/// found is written down.
constexpr int kernels_a_program = 128;
/// While one program is on the GPU, others are compiled, which takes longer.
std::size_t programs_at_once() { return std::max(2u, std::thread::hardware_concurrency() / 4); }
/// In this order a difference is looked at again.
constexpr RandomForm other_forms[] = {
    {.optimized = false}, {.divides = false}, {.optimized = false, .divides = false}};

using Sides = std::map<std::uint64_t, RandomSide>;
using Clock = std::chrono::steady_clock;

/// The time that something takes, by whichever thread it is done.
class TimeSpent {
 public:
  template <class Act>
  auto on(Act act) {
    const Clock::time_point began = Clock::now();
    auto result = act();
    ticks_ += (Clock::now() - began).count();
    return result;
  }
  double seconds() const { return std::chrono::duration<double>(Clock::duration(ticks_)).count(); }

 private:
  std::atomic<Clock::rep> ticks_ = 0;
};

/// Builds, runs and counts the kernels of some seeds on the simulator and, where there is one, the
/// GPU.
class RandomComparison {
 public:
  /// By a random_plan() of this kind.
  RandomComparison(const Context& context, const Toolchain& toolchain, const AgreementPlan& plan,
                   RandomKind kind, std::optional<ComputeCapability> capability)
      : context_(context),
        toolchain_(toolchain),
        plan_(plan),
        kind_(kind),
        capability_(capability) {}

  /// What is counted needs a workload. Errors: those of build_workload().
  Result<> prepare() {
    if (!has_gpu()) return Ok{};
    auto built = build_random_workload(context_.tree, toolchain_, capability_, &canceled());
    if (!built) return built.error();
    workload_ = std::move(*built);
    return Ok{};
  }
  /// The sources stay where a difference has no reason.
  Result<RandomAgreement> compare(const Seeds& seeds) {
    RandomAgreement found;
    std::vector<std::filesystem::path> folders;
    const auto sides = both_sides(seeds, {.kind = kind_}, random_metrics(plan_), true, folders);
    if (!sides) return sides.error();
    for (const std::uint64_t seed : seeds)
      compare_random(plan_, seed, side_of(sides->first, seed),
                     has_gpu() ? &side_of(sides->second, seed) : nullptr, found);
    if (has_gpu()) look_at(*sides, {.kind = kind_}, found);
    for (RandomForm form : other_forms) {
      form.kind = kind_;
      const Seeds open = open_seeds(found, form);
      if (open.empty() || !has_gpu()) continue;
      const auto again =
          both_sides(open, form, open_metrics(found), is_open(found, random_results), folders);
      if (!again) return again.error();
      look_at(*again, form, found);
    }
    forget_explained(found);
    for (const auto& folder : folders)
      if (std::error_code ignored; unexplained(found).empty())
        std::filesystem::remove_all(folder, ignored);
    return found;
  }

  /// "Building took 61 s, the simulator 9 s and the GPU 70 s, side by side."
  std::string times() const {
    return "Building took " + format_seconds(building_.seconds()) + ", the simulator " +
           format_seconds(simulating_.seconds()) +
           (has_gpu() ? " and the GPU " + format_seconds(measuring_.seconds()) : std::string()) +
           ", side by side.";
  }

 private:
  static const std::atomic<bool>& canceled() { return canceled_by_user(); }
  bool has_gpu() const { return capability_.has_value(); }
  static const RandomSide& side_of(const Sides& sides, std::uint64_t seed) {
    static const RandomSide none;
    const auto found = sides.find(seed);
    return found == sides.end() ? none : found->second;
  }
  /// Explains what this form of the kernels explains.
  void look_at(const std::pair<Sides, Sides>& sides, const RandomForm& form,
               RandomAgreement& found) const {
    for (const std::uint64_t seed : open_seeds(found, {.kind = kind_}))
      if (sides.first.count(seed) > 0)
        note_look(form, seed, side_of(sides.first, seed), side_of(sides.second, seed), found);
    for (RandomDifference& difference : found.differences)
      if (sides.first.count(difference.seed) > 0)
        explain_random(plan_, form, side_of(sides.first, difference.seed),
                       side_of(sides.second, difference.seed), difference);
  }
  /// Those that differ without a reason and are other kernels in this form.
  static Seeds open_seeds(const RandomAgreement& found, const RandomForm& form) {
    Seeds seeds;
    for (const RandomDifference& difference : found.differences)
      if (difference.reason == RandomReason::none &&
          (seeds.empty() || seeds.back() != difference.seed) &&
          (form.divides || random_kernel_divides(difference.seed, form.kind)))
        seeds.push_back(difference.seed);
    return seeds;
  }
  static bool is_open(const RandomAgreement& found, const std::string& subject) {
    return reasons_of(found, subject).none > 0;
  }
  /// Fewer metrics take fewer launches; where lanes part, one count tells of another.
  std::vector<std::string> open_metrics(const RandomAgreement& found) const {
    std::vector<std::string> metrics = random_metrics(plan_);
    const bool none_open = std::none_of(metrics.begin(), metrics.end(),
                                        [&](const auto& metric) { return is_open(found, metric); });
    if (none_open || kind_ == RandomKind::memory)
      std::erase_if(metrics, [&](const std::string& metric) { return !is_open(found, metric); });
    return metrics;
  }

  /// The simulator's side and the GPU's, empty without one.
  Result<std::pair<Sides, Sides>> both_sides(const Seeds& seeds, const RandomForm& form,
                                             const std::vector<std::string>& metrics, bool results,
                                             std::vector<std::filesystem::path>& folders) {
    const auto build = building_.on([&] {
      return build_random_kernels(toolchain_, context_.tree.root, context_.tree.build / "random",
                                  seeds, capability_, form, &canceled());
    });
    if (!build) return build.error();
    folders.push_back(build->folder);
    auto simulated = simulating_.on([&] { return side(*build, seeds, metrics, results, true); });
    if (!simulated) return simulated.error();
    Sides measured;
    if (has_gpu()) {
      const std::scoped_lock one_at_a_time(gpu_);
      auto sides = measuring_.on([&] { return side(*build, seeds, metrics, results, false); });
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
                     const std::vector<std::string>& metrics, bool results, bool simulator) const {
    Sides sides;
    if (results) {
      const auto printed = run_random_program(
          build.program,
          simulator ? context_.tree.build / "simulator" : toolkit_runtime_folder(toolchain_),
          &canceled());
      if (!printed) return printed.error();
      for (const RandomResult& result : *printed) sides[result.seed].result = result;
    }
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
  const RandomKind kind_;
  std::optional<ComputeCapability> capability_;
  BuiltPlugin workload_;
  std::mutex gpu_;
  TimeSpent building_, simulating_, measuring_;
};

/// Compares the seeds up to `last_seed` that the agreement lacks, a program after the other, and
/// hands it to `keep` whenever it has grown. Errors: the first of any.
Result<> compare_all(const Context& context, RandomComparison& comparison, std::uint64_t last_seed,
                     RandomAgreement& agreement,
                     const std::function<Result<>(RandomAgreement&)>& keep) {
  std::mutex mutex;  // guards what follows, and the agreement
  std::optional<Error> error;
  std::map<std::uint64_t, RandomAgreement> done;  // by first seed; what comes before is missing
  const std::uint64_t first = agreement.last_seed + 1;
  const auto programs = static_cast<std::size_t>((last_seed - first) / kernels_a_program + 1);
  side_by_side(programs, programs_at_once(), [&](std::size_t number) {
    const std::uint64_t from = first + number * kernels_a_program;
    Seeds seeds(
        static_cast<std::size_t>(std::min<std::uint64_t>(kernels_a_program, last_seed + 1 - from)));
    std::iota(seeds.begin(), seeds.end(), from);
    if (const std::scoped_lock lock(mutex); error || canceled_by_user()) return;
    auto found = comparison.compare(seeds);
    const std::scoped_lock lock(mutex);
    if (!found) {
      if (!error) error = found.error();
      return;
    }
    done.emplace(from, std::move(*found));
    // What is written down has no gaps.
    for (auto next = done.find(agreement.last_seed + 1); next != done.end();
         next = done.find(agreement.last_seed + 1)) {
      agreement.last_seed += static_cast<std::uint64_t>(next->second.kernels);
      agreement.add(next->second);
      done.erase(next);
      if (auto kept = keep(agreement); !kept && !error) error = kept.error();
    }
    say(context, std::to_string(agreement.kernels) + " kernels, " +
                     counted(unexplained(agreement).size(), "difference") + " without a reason …");
  });
  if (canceled_by_user()) return make_error(ErrorCode::canceled, "The comparison was stopped.");
  if (error) return *error;
  return Ok{};
}

/// How every subject fared, a line each. A metric that is only shown has no differences: what is
/// not equal is neither explained nor held against it.
void tell_subjects(const RandomAgreement& agreement) {
  const auto row = [](const std::string& subject, const std::string& equal,
                      const std::string& known, const std::string& open) {
    print(fmt::format("  {:<28}{:>10}{:>24}{:>10}\n", subject, equal, known, open));
  };
  row("", "equal", "differs, known reason", "differs");
  const auto line = [&](const std::string& subject, int equal) {
    const RandomReasons reasons = reasons_of(agreement, subject);
    row(subject, std::to_string(equal), std::to_string(reasons.known),
        std::to_string(reasons.none));
  };
  line(random_results, agreement.same_results);
  for (const RandomTally& tally : agreement.metrics) {
    // Where neither side counts any, both count the same.
    const int same = tally.compared - tally.counted + tally.kept;
    const RandomReasons reasons = reasons_of(agreement, tally.metric);
    if (same + reasons.known + reasons.none == tally.compared)
      line(tally.metric, same);
    else
      row(tally.metric, std::to_string(same), "nothing is promised", "");
  }
}

void tell(const Context& context, const RandomAgreement& agreement, const std::string& times) {
  constexpr std::size_t most_shown = 20;
  const std::string& gpu = agreement.device.name;
  const auto open = unexplained(agreement);
  for (std::size_t i = 0; i < std::min(open.size(), most_shown); ++i)
    print("  " + context.out.paint(Tone::bad, "✘ ") + printable(open[i]) + "\n");
  if (open.size() > most_shown)
    print("  and " + std::to_string(open.size() - most_shown) + " more\n");
  if (!gpu.empty()) tell_subjects(agreement);
  const std::string kind(name_of(agreement.kind));
  print("  " + std::to_string(agreement.kernels) + " random kernels of the " + kind +
        " kind from seed " + std::to_string(agreement.first_seed) +
        ", on the simulator and the host" +
        (gpu.empty() ? std::string() : " and " + printable(gpu)) + ": " +
        std::to_string(agreement.same_results) + " give the same bits; " +
        counted(agreement.differences.size(), "difference") + ", " + std::to_string(open.size()) +
        " without a reason.\n  " + times + "\n");
  if (!open.empty())
    print("  → `./klab course agree --random 1 --kind " + kind +
          " --seed S` repeats one; its source stays in build/*/random.\n");
}

/// Into the recording of this GPU, or where the user says.
Result<> write_down(const Context& context, const std::filesystem::path& path,
                    RandomAgreement& agreement) {
  const auto digest = generator_digest(context.tree.root, agreement.seeds(), agreement.kind);
  if (!digest) return digest.error();
  agreement.generator = *digest;
  return write_random_agreement(path, agreement);
}

}  // namespace

int agree_random(const Context& context, const AgreementPlan& plan, const Toolchain& toolchain,
                 const DeviceFacts* gpu, const AgreeOptions& options) {
  const std::uint64_t first_seed = options.random.seed;
  const std::uint64_t last_seed =
      first_seed + static_cast<std::uint64_t>(options.random.kernels) - 1;
  std::optional<GpuLock> lock;
  RandomAgreement agreement;
  agreement.date = now_utc();
  agreement.kind = random_kind_from(options.random.kind).value_or(RandomKind::usual);
  const AgreementPlan compared = random_plan(plan, agreement.kind);
  agreement.first_seed = first_seed;
  agreement.last_seed = first_seed - 1;
  std::filesystem::path path;
  if (gpu != nullptr) {
    lock.emplace(context.tree, std::function<void()>(), canceled_by_user());
    agreement.device = *gpu;
    agreement.device.toolkit = toolchain.version;
    const auto simulator = read_file(context.tree.build / "simulator/libcudart.so.13");
    if (!simulator) return fail(context, simulator.error());
    agreement.simulator = sha256(*simulator);
    path = options.output.empty() ? random_agreement_file(context.tree.root, *gpu, agreement.kind)
                                  : std::filesystem::absolute(options.output);
    if (auto begun =
            begun_random_agreement(context.tree.root, compared, path, agreement, last_seed)) {
      agreement = std::move(*begun);
      print("  " + shown_path(context, path) + " holds " + std::to_string(agreement.kernels) +
            " kernels of this comparison; it goes on behind them.\n");
    }
  }
  RandomComparison comparison(context, toolchain, compared, agreement.kind,
                              gpu == nullptr ? std::nullopt : gpu->compute_capability);
  if (auto prepared = comparison.prepare(); !prepared) return fail(context, prepared.error());
  const auto keep = [&](RandomAgreement& so_far) -> Result<> {
    if (gpu == nullptr) return Ok{};
    return write_down(context, path, so_far);
  };
  if (auto all = compare_all(context, comparison, last_seed, agreement, keep); !all)
    return fail(context, all.error());
  tell(context, agreement, comparison.times());
  if (gpu != nullptr)
    print("  Recorded in " + shown_path(context, path) +
          "; `./klab course agree --report` brings it into docs/agreement.md.\n");
  return unexplained(agreement).empty() ? exit_ok : exit_failed;
}

}  // namespace klab::cli
