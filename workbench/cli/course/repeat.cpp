// repeat: checks the course's kernels again and again on this GPU, because a verdict that hangs on
// luck is none.
#include "cli/verbs/check_session.hpp"
#include "core/admission/conduct.hpp"
#include "core/base/files.hpp"
#include "core/base/sha256.hpp"
#include "core/base/text.hpp"
#include "core/check/checkable.hpp"
#include "core/check/machine.hpp"
#include "core/record/repeats.hpp"

namespace klab::cli {
namespace {

class Repeater {
 public:
  Repeater(const Context& context, std::filesystem::path path, const RepeatOptions& options)
      : context_(context),
        path_(std::move(path)),
        times_(static_cast<int>(options.times)),
        refused_(static_cast<int>(options.refused)) {}

  /// What is to be checked and did not always end as it has to has had no checks.
  Result<> forget_failed(const std::vector<Lab>& labs) const {
    for (const Lab& lab : labs)
      for (const Variant& variant : variants(lab))
        if (due(variant) > 0)
          if (auto done = forget_failed_repeats(path_, lab.id, variant.name); !done) return done;
    return Ok{};
  }

  /// Rounds over the whole course, so that the checks of one kernel lie apart; what was recorded
  /// before counts.
  Result<> run(const std::vector<Lab>& labs) {
    for (int round = 1; round <= std::max(times_, refused_); ++round)
      for (const Lab& lab : labs)
        for (const Variant& variant : variants(lab)) {
          if (round > due(variant) || canceled_by_user()) continue;
          if (auto checked = check(lab, variant, round); !checked) return checked;
        }
    return Ok{};
  }
  /// Checks that did not end as they have to.
  int failures() const { return failures_; }

 private:
  int due(const Variant& variant) const { return must_pass(variant) ? times_ : refused_; }
  Result<> check(const Lab& lab, const Variant& variant, int round) {
    const auto source = read_file(variant.path);
    if (!source) return source.error();
    const std::string digest = sha256(*source);
    const auto before = read_repeats(path_);
    if (!before) return before.error();
    if (before->checks_of(lab.id, variant.name, digest) >= round) return Ok{};
    const CheckRequest request{.tree = context_.tree,
                               .lab = lab,
                               .variant = variant.name,
                               .source = variant.path,
                               .backend = Backend::gpu};
    CheckResult result = run_check(context_, request, canceled_by_user());
    if (canceled_by_user()) return Ok{};
    result.source_digest = digest;
    const Faults faults = faults_on_gpu(lab, variant, result);
    failures_ += !faults.empty();
    print("  " + lab.id + " " + variant.name.shown() + ", check " + std::to_string(round) + ": " +
          (faults.empty() ? "as it has to end" : "NOT as it has to end") + " (" +
          std::string(to_string(result.verdict)) + ")\n");
    for (const std::string& fault : faults) print(paragraph(context_.out, fault, 6));
    return add_repeat(path_, result, faults);  // after every check: a crash later loses nothing
  }

  const Context& context_;
  const std::filesystem::path path_;
  const int times_, refused_;
  int failures_ = 0;
};

}  // namespace

int repeat(const Context& context, const RepeatOptions& options) {
  if (!options.join.empty()) {
    const auto joined = join_repeats(context.tree.root, options.join);
    if (!joined) return fail(context, joined.error());
    print("  All are in " + shown_path(context, *joined) + ".\n");
    return exit_ok;
  }
  const Course course = load_course(context.tree.root);
  if (options.labs.empty() && !course.broken.empty()) return fail(context, course.broken.front());
  auto labs = labs_named(course, options.labs);
  if (!labs) return fail(context, labs.error());
  const auto facts = gpu_facts(context.tree, true);
  if (!facts) return fail(context, without_simulator(facts.error()));
  std::erase_if(*labs, [&](const Lab& lab) {
    const auto obstacle = obstacle_of(lab, *facts);
    if (obstacle) warn(context, obstacle->error);
    return obstacle.has_value();
  });
  std::error_code failure;
  const auto path = options.output.empty() ? repeats_file(context.tree.root, *facts)
                                           : std::filesystem::absolute(options.output, failure);
  Repeater repeater(context, path, options);
  if (options.mended)
    if (auto forgotten = repeater.forget_failed(*labs); !forgotten)
      return fail(context, forgotten.error());
  if (auto done = repeater.run(*labs); !done) return fail(context, done.error());
  if (canceled_by_user()) return exit_stopped;
  print("\n  " + counted(static_cast<std::size_t>(repeater.failures()), "check") +
        " did not end as it has to; all are in " + shown_path(context, path) + ".\n");
  return repeater.failures() == 0 ? exit_ok : exit_failed;
}

}  // namespace klab::cli
