// The same launch under our profiler, under our clock and under ncu.
#include "cli/course/ncu_comparison.hpp"

#include <functional>

#include "core/check/prepared_lab.hpp"
#include "core/measure/measure_policy.hpp"
#include "core/measure/statistics.hpp"
#include "core/process/process.hpp"
#include "core/record/ncu_report.hpp"
#include "core/wire/record_reader.hpp"

namespace klab::cli {
namespace {

constexpr const char* bytes_metric = "dram__bytes.sum";
constexpr const char* duration_metric = "gpu__time_duration.sum";
/// ncu profiles so many launches of the kernel file; the mean is taken.
constexpr int profiled_launches = 3;
/// Long enough for the launches that ncu is to profile, each of which it slows down a hundred
/// times.
constexpr double sampled_under_ncu_s = 2;
constexpr double ncu_time_limit_s = 120;
/// So many launches are passed over that none is profiled.
constexpr int beyond_all_launches = 1'000'000;

/// One launch as one of the three sees it.
struct Seen {
  double bytes = 0;
  double seconds = 0;
};

/// What stands in the first set of counters.
Result<double> counter(const PhaseOutcome& outcome, const std::string& name) {
  if (outcome.error) return *outcome.error;
  for (const auto& set : outcome.all<record::CounterSet>())
    if (const auto found = set.values.find(name); found != set.values.end()) {
      if (found->second.value) return *found->second.value;
      return make_error(ErrorCode::profiler_unsupported,
                        shell_words(words_of(found->second.reason)));
    }
  return make_error(ErrorCode::runner_failed, "The runner did not count " + name + ".");
}

class Comparison {
 public:
  explicit Comparison(const PreparedLab& lab) : lab_(lab) {}

  Result<Seen> ours() const {
    Request request = lab_.request(Phase::counters);
    request.metrics = {"dram_bytes", "profiled_duration"};
    const PhaseOutcome counted = lab_.run(request, {}, canceled_by_user());
    const auto bytes = counter(counted, "dram_bytes");
    if (!bytes) return bytes.error();
    const auto seconds = counter(counted, "profiled_duration");
    if (!seconds) return seconds.error();
    return Seen{*bytes, *seconds};
  }

  /// Median of our own clock.
  Result<double> clock() const {
    return middle_of(lab_.run(lab_.request(Phase::time), {}, canceled_by_user()));
  }

  /// The same in a process to which ncu is attached without profiling anything: what its presence
  /// alone does to the kernel.
  Result<double> clock_beside_ncu() const {
    PhaseOutcome outcome;
    const std::function<void(const Record&)> ignored;
    RecordReader reader(outcome, ignored, false);
    const auto run = run_under_ncu(lab_.request(Phase::time), 1, beyond_all_launches,
                                   [&](std::string_view line) { return reader.take(line); });
    if (!run) return run.error();
    return middle_of(outcome);
  }

  Result<Seen> ncus() const {
    Request traced = lab_.request(Phase::trace);
    traced.metrics = {"kernels_executed"};
    const auto kernels = counter(lab_.run(traced, {}, canceled_by_user()), "kernels_executed");
    if (!kernels) return kernels.error();
    const int wanted = static_cast<int>(*kernels) * profiled_launches;
    Request request = lab_.request(Phase::time);
    request.time_cap_s = sampled_under_ncu_s;
    // As the clock has it, warm-up is not counted.
    const auto run =
        run_under_ncu(request, wanted, static_cast<int>(*kernels) * policy::warm_up_launches, {});
    if (!run) return run.error();
    const auto rows = parse_ncu_csv(run->out);
    if (!rows)
      return make_error(ErrorCode::runner_failed, rows.error().what, rows.error().remedy,
                        run->out + run->err);
    return mean_of(*rows, wanted);
  }

 private:
  Result<ProcessResult> run_under_ncu(const Request& request, int kernels, int skipped,
                                      const OnLine& on_record) const {
    std::vector<std::string> command = {"ncu",
                                        "--csv",
                                        "--page",
                                        "raw",
                                        "--print-units",
                                        "base",
                                        "--metrics",
                                        std::string(bytes_metric) + "," + duration_metric,
                                        "--cache-control",
                                        "none",
                                        "--clock-control",
                                        "none",
                                        "--launch-count",
                                        std::to_string(kernels),
                                        "--launch-skip",
                                        std::to_string(skipped)};
    for (std::string& word : ncu_only_launches(lab_.plugins.front().first))
      command.push_back(std::move(word));
    command.insert(command.end(), {lab_.tree.runner(false).string(), "--records-fd", "3"});
    return run_process({.command = command,
                        .input = encode(request) + "\n",
                        .time_limit_s = ncu_time_limit_s,
                        .with_records = true},
                       on_record, &canceled_by_user());
  }

  static Result<double> middle_of(const PhaseOutcome& outcome) {
    if (outcome.error) return *outcome.error;
    std::vector<double> samples;
    for (const auto& sample : outcome.all<record::Sample>()) samples.push_back(sample.seconds);
    const auto middle = median(samples);
    if (!middle) return make_error(ErrorCode::runner_failed, "The runner took no samples.");
    return *middle;
  }

  static Result<Seen> mean_of(const std::vector<NcuKernel>& rows, int wanted) {
    if (static_cast<int>(rows.size()) != wanted)
      return make_error(ErrorCode::runner_failed, "ncu profiled " + std::to_string(rows.size()) +
                                                      " kernels where " + std::to_string(wanted) +
                                                      " were launched.");
    Seen sum;
    for (const NcuKernel& row : rows) {
      const auto bytes = row.values.find(bytes_metric), time = row.values.find(duration_metric);
      if (bytes == row.values.end() || time == row.values.end())
        return make_error(ErrorCode::profiler_unsupported, "ncu left a counter out.");
      sum.bytes += bytes->second;
      sum.seconds += time->second * 1e-9;
    }
    return Seen{sum.bytes / profiled_launches, sum.seconds / profiled_launches};
  }

  const PreparedLab& lab_;
};

/// How far `value` lies from `reference`, in percent of it.
double distance_pct(double value, double reference) { return 100 * (value / reference - 1); }

void add_repeat(std::vector<Figure>& figures, const Comparison& comparison) {
  const auto missing = [&](const Error& error) {
    for (Figure& figure : figures) figure.why_missing = error.what;
  };
  const auto ncu = comparison.ncus();
  if (!ncu) return missing(ncu.error());
  const auto ours = comparison.ours();
  if (!ours) return missing(ours.error());
  const auto clock = comparison.clock();
  if (!clock) return missing(clock.error());
  const auto beside = comparison.clock_beside_ncu();
  if (!beside) return missing(beside.error());
  figures[0].values.push_back(distance_pct(ours->bytes, ncu->bytes));
  figures[1].values.push_back(distance_pct(ours->seconds, ncu->seconds));
  figures[2].values.push_back(distance_pct(*clock, ncu->seconds));
  figures[3].values.push_back(distance_pct(*beside, *clock));
}

}  // namespace

std::vector<Figure> compare_with_ncu(const Context& context, const Lab& lab, int repeats) {
  std::vector<Figure> all;
  for (const Variant& variant : {Variant{VariantName::flawed, lab.flawed()},
                                 Variant{VariantName::optimized, lab.optimized()}}) {
    const auto figure = [&](const char* what) {
      return Figure{lab.id, variant.name.name() + ", " + what, "%", {}, "canceled"};
    };
    std::vector<Figure> figures = {figure("device memory bytes against ncu"),
                                   figure("duration under our profiler against ncu"),
                                   figure("duration by our clock against ncu"),
                                   figure("duration by our clock, ncu attached against alone")};
    const auto prepared =
        prepare_lab(context.tree, lab, {variant}, Backend::gpu, {}, canceled_by_user());
    if (lab.timing == TimingMode::wall) {
      for (Figure& f : figures) f.why_missing = "ncu runs kernels one at a time";
    } else if (!prepared) {
      for (Figure& f : figures) f.why_missing = prepared.error().what;
    } else {
      for (int i = 0; i < repeats && !canceled_by_user(); ++i)
        add_repeat(figures, Comparison(*prepared));
    }
    all.insert(all.end(), figures.begin(), figures.end());
  }
  return all;
}

}  // namespace klab::cli
