// repeat: checks what must pass again and again on this GPU, because a verdict that hangs on luck
// is none.
#include "cli/verbs/check_session.hpp"
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
  Repeater(const Context& context, std::filesystem::path path, int times)
      : context_(context), path_(std::move(path)), times_(times) {}

  /// Rounds over the whole course, so that the checks of one kernel lie apart; what was recorded
  /// before counts.
  Result<> run(const std::vector<Lab>& labs) {
    for (int round = 1; round <= times_; ++round)
      for (const Lab& lab : labs)
        for (const Variant& variant : variants(lab)) {
          if (!must_pass(variant) || canceled_by_user()) continue;
          if (auto checked = check(lab, variant, round); !checked) return checked;
        }
    return Ok{};
  }
  /// Checks that did not pass.
  int failures() const { return failures_; }

 private:
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
    failures_ += result.verdict != Outcome::pass;
    print("  " + lab.id + " " + variant.name.shown() + ", check " + std::to_string(round) + ": " +
          std::string(to_string(result.verdict)) +
          (result.verdict == Outcome::pass ? "" : ": " + result.conclusion) + "\n");
    return add_repeat(path_, result);  // after every check: a crash later loses nothing
  }

  const Context& context_;
  const std::filesystem::path path_;
  const int times_;
  int failures_ = 0;
};

}  // namespace

int repeat(const Context& context, const RepeatOptions& options) {
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
  Repeater repeater(context, path, static_cast<int>(options.times));
  if (auto done = repeater.run(*labs); !done) return fail(context, done.error());
  if (canceled_by_user()) return exit_stopped;
  print("\n  " + counted(static_cast<std::size_t>(repeater.failures()), "check") +
        " did not pass; all are in " + shown_path(context, path) + ".\n");
  return repeater.failures() == 0 ? exit_ok : exit_failed;
}

}  // namespace klab::cli
