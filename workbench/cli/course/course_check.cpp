// course check: is a lab fit for the course, in seconds, for who writes one.
#include <deque>
#include <functional>
#include <future>
#include <thread>

#include "cli/verbs/check_session.hpp"
#include "core/admission/conduct.hpp"
#include "core/admission/skeleton.hpp"
#include "core/base/text.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"

namespace klab::cli {
namespace {

std::optional<Obstacle> obstacle_here(const Context& context, const Lab& lab, Backend backend) {
  const auto chosen = choose_backend(context.tree, backend);
  return chosen ? obstacle_of(lab, chosen->device) : std::nullopt;
}

/// One kernel file on one backend.
struct Trial {
  Variant variant;
  Backend backend;
};

/// The backends that are here, or the one that was named.
Result<std::vector<Backend>> backends_here(const Context& context, Backend wanted) {
  std::vector<Backend> found;
  std::error_code ignored;
  const bool can_simulate = std::filesystem::exists(context.tree.runner(true), ignored);
  if (wanted != Backend::gpu && can_simulate) found.push_back(Backend::simulator);
  if (wanted != Backend::simulator) {
    const auto gpu = choose_backend(context.tree, Backend::gpu);
    if (gpu) found.push_back(Backend::gpu);
    if (!gpu && wanted == Backend::gpu) return gpu.error();
  }
  if (found.empty())
    return make_error(ErrorCode::runner_failed, "No runner is built here.",
                      "Run `./klab --setup` to build them.");
  return found;
}

Conduct tried(const Tree& tree, const Lab& lab, const Trial& trial) {
  const CheckRequest request{.tree = tree,
                             .lab = lab,
                             .variant = trial.variant.name,
                             .source = trial.variant.path,
                             .backend = trial.backend};
  return conduct_of(lab, trial.variant, klab::check(request, {}, canceled_by_user()));
}

/// Prints what one step found; true if it is as it should be.
bool report_step(const Context& context, const std::string& step, const Conduct& conduct) {
  const bool good = conduct.faults.empty();
  const Cell sign = !good                     ? Cell{"✘", Tone::bad}
                    : !conduct.beyond.empty() ? Cell{"·", Tone::faint}
                                              : Cell{"✔", Tone::good};
  std::string text = "  " + context.out.paint(sign.tone, sign.text) + " " + printable(step) + "\n";
  for (const std::string& fault : conduct.faults) text += paragraph(context.out, fault, 6);
  if (good && !conduct.beyond.empty())
    text += paragraph(context.out, conduct.beyond, 6, Tone::faint);
  print(text);
  return good;
}

/// Tries the kernels as many at a time as there are processors; `told` hears of each in order and
/// says whether it is as it should be.
bool try_all(const Tree& tree, const Lab& lab, const std::vector<Trial>& trials,
             const std::function<bool(const Trial&, const Conduct&)>& told) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::deque<std::future<Conduct>> running;
  bool good = true;
  std::size_t started = 0;
  for (const Trial& trial : trials) {
    // The first one builds the workload and the flawed kernel, which the others share.
    const std::size_t most = running.empty() && started == 0 ? 1 : workers;
    while (started < trials.size() && running.size() < most && !canceled_by_user())
      running.push_back(std::async(std::launch::async, tried, std::cref(tree), std::cref(lab),
                                   trials[started++]));
    if (running.empty()) break;
    const Conduct conduct = running.front().get();
    running.pop_front();
    if (!canceled_by_user()) good &= told(trial, conduct);
  }
  return good;
}

/// Every kernel file on one backend.
bool try_kernels(const Context& context, const Lab& lab, Backend backend) {
  const std::string where = backend == Backend::simulator ? "simulator" : "GPU";
  if (const auto obstacle = obstacle_here(context, lab, backend))
    return report_step(context, where, {{}, obstacle->error.what});
  std::vector<Trial> trials;
  for (const Variant& variant : variants(lab)) trials.push_back({variant, backend});
  return try_all(context.tree, lab, trials, [&](const Trial& trial, const Conduct& conduct) {
    return report_step(context, trial.variant.name.name() + ", " + where, conduct);
  });
}

bool check_lab(const Context& context, const Lab& lab, const std::vector<Backend>& backends) {
  print("\n  " + context.out.paint(Tone::strong, lab.id) + "\n");
  Faults faults = unwritten(lab);
  const Faults missing = structure_faults(lab);
  faults.insert(faults.end(), missing.begin(), missing.end());
  bool good = report_step(context, "files", {faults, {}});
  if (backends.empty()) return good;
  if (compiler_proves(lab)) {
    const auto toolchain = find_toolchain(context.tree);
    good &= report_step(context, "compiler's report",
                        {toolchain ? compiler_faults(context.tree, *toolchain, lab)
                                   : Faults{toolchain.error().what},
                         {}});
  }
  for (const Backend backend : backends) good &= try_kernels(context, lab, backend);
  return good;
}

}  // namespace

int course_check(const Context& context, const CourseCheckOptions& options) {
  const auto backend = named_backend(options.backend);
  if (!backend) return fail(context, backend.error());
  const Course course = load_course(context.tree.root);
  const auto labs = labs_named(course, options.labs);
  if (!labs) return fail(context, labs.error());
  std::vector<Backend> backends;
  if (!options.files_only) {
    auto found = backends_here(context, *backend);
    if (!found) return fail(context, found.error());
    backends = std::move(*found);
  }
  int code = exit_ok;
  for (const Lab& lab : *labs) {
    if (!check_lab(context, lab, backends)) code = exit_failed;
    if (canceled_by_user()) return exit_stopped;
  }
  print("\n");
  if (options.labs.empty())
    for (const Error& error : course.broken) code = fail(context, error);
  return code;
}

}  // namespace klab::cli
