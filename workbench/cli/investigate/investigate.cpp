// Choosing the kernels of an investigation, running it and showing what it found.
#include "cli/investigate/investigate.hpp"

#include <nlohmann/json.hpp>
#include <variant>

#include "cli/terminal/json_output.hpp"
#include "cli/terminal/progress_line.hpp"
#include "cli/verbs/check_session.hpp"
#include "core/base/files.hpp"
#include "core/course/workbook.hpp"

namespace klab::cli {
namespace {

Variant learners(const Lab& lab) { return {VariantName::mine, workbook_file(lab)}; }

Result<Variant> chosen(const Lab& lab, const std::string& name) {
  if (name != VariantName::mine.shown()) return variant_named(lab, name);
  if (learner_file(lab) == LearnerFile::missing) return not_started(lab);
  return learners(lab);
}

std::string recorded_line(const Context& context, const Investigation& found) {
  return "\n" + paragraph(context.out,
                          "Recorded on " + found.device.name + ", " + found.date.substr(0, 10) +
                              "; nothing was run here.",
                          2, Tone::faint);
}

}  // namespace

Result<InvestigationRequest> investigation_request(const Context& context,
                                                   const InvestigateOptions& options,
                                                   InvestigationKind kind) {
  const auto lab = lab_named(context, options.lab);
  if (!lab) return lab.error();
  const auto backend = named_backend(options.backend);
  if (!backend) return backend.error();
  InvestigationRequest request{
      .kind = kind, .tree = context.tree, .lab = *lab, .backend = *backend};
  for (const std::string& name : options.variants) {
    auto variant = chosen(*lab, name);
    if (!variant) return variant.error();
    request.variants.push_back(std::move(*variant));
  }
  if (!options.file.empty()) {
    if (auto readable = read_file(options.file); !readable) return readable.error();
    std::error_code failure;
    request.variants.push_back(
        {VariantName::mine, std::filesystem::absolute(options.file, failure)});
  }
  if (!request.variants.empty()) return request;
  request.variants.push_back({VariantName::flawed, lab->flawed()});
  if (learner_file(*lab) != LearnerFile::missing) request.variants.push_back(learners(*lab));
  if (progress_of(context, *lab).solution_open())
    request.variants.push_back({VariantName::optimized, lab->optimized()});
  return request;
}

Result<Investigation> find_investigation(const Context& context, const InvestigateOptions& options,
                                         InvestigationKind kind, const SweepPlan& sweep) {
  if (options.recorded) return recorded_investigation(context, options.lab, kind, sweep);
  auto request = investigation_request(context, options, kind);
  if (!request) return request.error();
  request->sweep = sweep;
  ProgressLine progress(context.err);
  Investigation found = investigate(
      *request, [&](const CheckEvent& event) { progress.on(event); }, canceled_by_user());
  if (options.output.empty() || std::holds_alternative<std::monostate>(found.found)) return found;
  if (const auto kept = keep_investigation(options.output, found); !kept) return kept.error();
  return found;
}

int show_investigation(const Context& context, const Result<Investigation>& result,
                       const InvestigateOptions& options, const InvestigationView& view) {
  if (!result) return fail(context, result.error(), options.json);
  const Investigation& found = *result;
  const bool nothing = std::holds_alternative<std::monostate>(found.found);
  if (options.json)
    print_json(to_json(found));
  else if (!nothing)
    show(context,
         (options.recorded ? recorded_line(context, found) : "") + view(context.out, found));
  int code = exit_ok;
  for (const Error& error : found.errors) {
    if (!nothing) {
      warn(context, error);
    } else if (code == exit_ok) {
      code = fail(context, error);
    }
  }
  return canceled_by_user() ? exit_stopped : code;
}

}  // namespace klab::cli
