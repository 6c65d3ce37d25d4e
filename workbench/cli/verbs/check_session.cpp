// Choosing the kernel to check, showing progress, and noting the attempt.
#include "cli/verbs/check_session.hpp"

#include <algorithm>

#include "cli/terminal/progress_line.hpp"
#include "core/base/files.hpp"
#include "core/base/names.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/journal/calibration.hpp"

namespace klab::cli {

Result<Variant> variant_named(const Lab& lab, std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  std::vector<std::string> known = {VariantName::mine.shown()};
  for (const Variant& variant : variants(lab)) {
    if (variant.name == VariantName(name)) return variant;
    known.push_back(variant.name.shown());
  }
  const auto near = near_names(name, known);
  return make_error(ErrorCode::usage, lab.id + " has no kernel called " + in_quotes(name) + ".",
                    near.empty() ? "Its kernels are " + join_or(known) + "."
                                 : "Did you mean " + join_or(near) + "?");
}

Error not_started(const Lab& lab) {
  return make_error(ErrorCode::not_started, lab.id + " is not started.",
                    "Run `./klab start " + lab.slug + "`.");
}

Result<Backend> named_backend(const std::string& name) {
  if (const auto backend = backend_from(name)) return *backend;
  return make_error(ErrorCode::usage, "There is no backend called " + in_quotes(name) + ".",
                    "Write auto, gpu or sim.");
}

Error without_simulator(Error error) {
  if (error.code == ErrorCode::no_device)
    error.remedy =
        "Only a GPU can do this: run it on a machine that has one, or name a runner there with "
        "--runner.";
  return error;
}

Result<CheckRequest> check_request(const Context& context, const CheckOptions& options) {
  auto lab = lab_named(context, options.lab);
  if (!lab) return lab.error();
  const auto backend = named_backend(options.backend);
  if (!backend) return backend.error();
  CheckRequest request{.tree = context.tree, .lab = *lab, .backend = *backend};
  request.seed = options.seed;
  request.instruction_budget = options.budget;
  request.quick = options.quick;
  if (!options.file.empty()) {
    std::error_code failure;
    request.source = std::filesystem::absolute(options.file, failure);
    request.variant = VariantName(request.source.filename().string());
    // A file of the learner's own called so must not count as the workbook's.
    if (request.variant == VariantName::mine) request.variant = VariantName("mine (file)");
    if (auto readable = read_file(request.source); !readable) return readable.error();
  } else if (options.variant.empty() || options.variant == VariantName::mine.shown()) {
    request.source = workbook_file(*lab);
    if (learner_file(*lab) == LearnerFile::missing) return not_started(*lab);
    if (auto readable = read_learner_file(*lab); !readable) return readable.error();
    request.hides_causes =
        lab->kind == LabKind::mystery && !progress_of(context, *lab).has_predicted();
  } else {
    const auto variant = variant_named(*lab, options.variant);
    if (!variant) return variant.error();
    request.variant = variant->name;
    request.source = variant->path;
  }
  return request;
}

CheckResult run_check(const Context& context, const CheckRequest& request,
                      const std::atomic<bool>& canceled) {
  const auto source = read_file(request.source);
  CheckResult result;
  {
    ProgressLine progress(context.err);
    result = klab::check(
        request, [&](const CheckEvent& event) { progress.on(event); }, canceled);
  }
  // A quick check proves too little to be an attempt, a canceled one proves nothing.
  if (request.variant == VariantName::mine && !request.quick && !canceled && source)
    note(context, attempt_entry(result, *source, progress_of(context, request.lab).answers));
  return result;
}

std::string prediction_text(const Context& context, const Lab& lab, const CheckResult& result) {
  const auto answers = progress_of(context, lab).answers;
  const auto passed = result.verdict == Outcome::pass ? result.timing.ratio : std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < std::min(answers.size(), lab.predictions.size()); ++i) {
    const Prediction& prediction = lab.predictions[i];
    if (answers[i] < 0 || answers[i] >= static_cast<int>(prediction.choices.size())) continue;
    const ScoredPrediction scored = score_answer(prediction, answers[i], passed);
    if (!scored.right) continue;
    const auto choice = [&](int index) {
      return printable(prediction.choices[static_cast<std::size_t>(index)]);
    };
    std::string words = "You predicted: " + choice(answers[i]) + ".";
    if (const auto truth = scored.truth(); truth && !*scored.right)
      words += " It is: " + choice(*truth) + ".";
    if (const std::string ratio = ratio_words(scored); !ratio.empty()) words += " " + ratio + ".";
    text +=
        "  " +
        context.out.paint(*scored.right ? Tone::good : Tone::doubtful, *scored.right ? "✔" : "✘") +
        " " + wrapped(words, context.out.columns - 4, 4) + "\n" +
        paragraph(context.out, printable(prediction.because), 4, Tone::faint);
  }
  return text.empty() ? text : "\n" + text;
}

}  // namespace klab::cli
