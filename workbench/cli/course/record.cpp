// record and report: real runs of the course into docs/results/, and README's table from them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/verbs/check_session.hpp"
#include "cli/views/verdict_view.hpp"
#include "core/admission/skeleton.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/base/text/json_text.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/record/bench_record.hpp"
#include "core/record/results.hpp"

namespace klab::cli {
namespace {

/// Replaces the run of the same lab and variant, or adds it.
void put(RecordedResults& results, CheckResult run) {
  const auto same =
      std::find_if(results.runs.begin(), results.runs.end(), [&](const CheckResult& other) {
        return other.lab == run.lab && other.variant == run.variant;
      });
  if (same != results.runs.end())
    *same = std::move(run);
  else
    results.runs.push_back(std::move(run));
}

/// What the course shows figures of: both ends of the road, the steps between, and beyond.
bool is_shown(const Lab& lab, const Variant& variant) {
  return variant.name == VariantName::flawed || variant.name == VariantName::optimized ||
         variant.name.starts_with("stretch_") ||
         std::any_of(lab.steps.begin(), lab.steps.end(),
                     [&](const Step& step) { return step.file == variant.name; });
}

/// Forgets runs of kernels that the course no longer has.
void prune(RecordedResults& results, const Course& course) {
  std::erase_if(results.runs, [&](const CheckResult& run) {
    for (const Lab& lab : course.labs)
      if (lab.id == run.lab)
        for (const Variant& variant : variants(lab))
          if (variant.name == run.variant) return false;
    return true;
  });
}

/// What is recorded there, nothing where there is no file. What is no record may be one that was
/// torn, or somebody's: it is not written over.
Result<RecordedResults> recorded_in(const std::filesystem::path& path) {
  std::error_code failure;
  if (!std::filesystem::exists(path, failure)) return RecordedResults();
  auto found = read_results(path);
  if (found) return found;
  Error error = found.error();
  error.remedy = "Restore that file, move it away, or name another one with --output.";
  return error;
}

int judge_again(const Context& context, const std::filesystem::path& path) {
  auto results = read_results(path);
  if (!results) return fail(context, results.error());
  int changed = 0;
  for (CheckResult& run : results->runs) {
    const Outcome before = run.verdict;
    run = judged_again(std::move(run));
    if (run.verdict == before) continue;
    ++changed;
    print("  " + run.lab + " " + run.variant.shown() + ": " + run.conclusion + "\n");
  }
  if (auto written = write_results(path, *results); !written) return fail(context, written.error());
  print("  " + counted(static_cast<std::size_t>(changed), "verdict") + " changed.\n");
  return exit_ok;
}

}  // namespace

int record(const Context& context, const RecordOptions& options) {
  if (options.judge_again) return judge_again(context, options.output);
  const Course course = load_course(context.tree.root);
  if (options.labs.empty() && !course.broken.empty()) return fail(context, course.broken.front());
  const auto labs = labs_named(course, options.labs);
  if (!labs) return fail(context, labs.error());
  if (const auto there = recorded_in(options.output); !there) return fail(context, there.error());
  const auto facts = gpu_facts(context.tree, true);
  // Evidence is what a GPU did; the simulator's counts are reproducible anywhere.
  if (!facts) return fail(context, without_simulator(facts.error()));
  std::error_code failure;
  const auto path = options.output.empty() ? results_file(context.tree.root, *facts)
                                           : std::filesystem::absolute(options.output, failure);
  RecordedResults results;
  const bool adds = !options.labs.empty() || options.solutions_only || options.changed_only;
  if (adds) {
    auto old = recorded_in(path);
    if (!old) return fail(context, old.error());
    results = std::move(*old);
  }
  int not_run = 0;
  for (const Lab& lab : *labs) {
    if (const auto obstacle = obstacle_of(lab, *facts)) {
      warn(context, obstacle->error);
      continue;
    }
    for (const Variant& variant : variants(lab)) {
      if (options.solutions_only && !is_shown(lab, variant)) continue;
      if (options.changed_only && is_current(results, lab, variant)) continue;
      CheckRequest request{.tree = context.tree,
                           .lab = lab,
                           .variant = variant.name,
                           .source = variant.path,
                           .backend = Backend::gpu};
      request.with_optimized = variant.name == VariantName::flawed;
      CheckResult result = run_check(context, request, canceled_by_user());
      if (canceled_by_user()) return exit_stopped;
      print(view_heading(context.out, result) + view_compact(context.out, result));
      // A kernel that could not be built has no digest; it is still tied to its source.
      if (const auto source = read_file(variant.path); source && result.source_digest.empty())
        result.source_digest = sha256(*source);
      not_run += result.backend != Backend::gpu;
      results.device = result.device;
      put(results, std::move(result));
      // After every run: a crash later loses nothing.
      results.date = now_utc();
      if (auto written = write_results(path, results); !written)
        return fail(context, written.error());
    }
  }
  prune(results, course);
  if (auto written = write_results(path, results); !written) return fail(context, written.error());
  print("\n  " + std::to_string(results.runs.size()) + " runs recorded in " +
        shown_path(context, path) + ".\n  `./klab course report` brings them into README.md.\n");
  return not_run == 0 ? exit_ok : exit_failed;
}

int report(const Context& context, const ReportOptions& options) {
  const auto path = context.tree.root / "README.md";
  const auto readme = read_file(path);
  if (!readme) return fail(context, readme.error());
  const AllResults results = load_results(context.tree.root);
  if (!results.broken.empty()) return fail(context, results.broken.front());
  Course course = load_course(context.tree.root);
  std::erase_if(course.labs, [&](const Lab& lab) {
    const bool unfinished = !unwritten(lab).empty();
    if (unfinished)
      warn(context, make_error(ErrorCode::bad_lab, lab.id + " is unfinished and was left out.",
                               "`./klab course check " + lab.id + "` says what is missing."));
    return unfinished;
  });
  const auto fresh = with_results(*readme, results_markdown(results.good, course));
  if (!fresh) return fail(context, fresh.error());
  if (!options.check_only)
    if (auto pruned = prune_figures(context.tree.root / "docs/results/bench", course); !pruned)
      return fail(context, pruned.error());
  if (options.check_only) {
    std::vector<std::string> stale;
    for (const RecordedResults& recorded : results.good) {
      for (const std::string& line : stale_runs(recorded, course)) stale.push_back(line);
      for (const Lab& lab : course.labs)
        if (!is_recorded(recorded, lab))
          print("  " + lab.id + " was never recorded on " + printable(recorded.device.name) +
                ".\n");
    }
    if (*fresh != *readme) stale.push_back("README.md does not hold the table of docs/results/.");
    for (const std::string& line : stale) std::fprintf(stderr, "  %s\n", printable(line).c_str());
    if (!stale.empty())
      std::fprintf(stderr,
                   "  → Run `./klab course record` on that GPU, then `./klab course report`.\n");
    else
      print("  Every recorded digest matches, and README.md holds their table.\n");
    return stale.empty() ? exit_ok : exit_failed;
  }
  if (*fresh == *readme) {
    print("  README.md is up to date.\n");
    return exit_ok;
  }
  if (auto written = write_file(path, *fresh); !written) return fail(context, written.error());
  print("  README.md holds the table of " + counted(results.good.size(), "recording") + " now.\n");
  return exit_ok;
}

}  // namespace klab::cli
