// Session: investigations, from the request to what was found.
#include <utility>

#include "core/base/files.hpp"
#include "core/course/workbook.hpp"
#include "core/investigate/chrome_trace.hpp"
#include "ui/session/session.hpp"

namespace klab::ui {
namespace {

/// Flawed, the learner's own where it is started, and optimized once the learner may see it.
std::vector<Variant> investigated(const Lab& lab, bool solution_open) {
  std::vector<Variant> variants{{"flawed", lab.flawed()}};
  if (learner_file(lab) != LearnerFile::missing)
    variants.push_back({"candidate", workbook_file(lab)});
  if (solution_open) variants.push_back({"optimized", lab.optimized()});
  return variants;
}

}  // namespace

void Session::begin_investigation(InvestigationKind kind) {
  const LabEntry* entry = model_.entry();
  if (!entry || model_.running()) return;
  if (model_.replaying.empty() && !save()) return;
  InvestigationRequest request{
      .kind = kind, .tree = tree_, .lab = entry->lab, .backend = model_.backend};
  request.sweep = model_.sweep;
  request.variants = investigated(entry->lab, entry->progress.solution_open());
  model_.investigating =
      InvestigationRun{.kind = kind, .lab = entry->lab.id, .began_s = model_.now_s};
  model_.investigating->source = shown_source();
  launcher_.investigate(std::move(request));
}

void Session::take_investigation_event(const CheckEvent& event) {
  if (!event.text.empty()) model_.investigating->text = event.text;
}

std::string Session::shown_source() const {
  return model_.page.code.empty() ? std::string() : model_.page.code.front().text;
}

void Session::keep(const std::string& lab, const Investigation& found, const std::string& source) {
  model_.investigations[lab][found.kind] = found;
  if (found.kind == InvestigationKind::stalls) model_.sampled_sources[lab] = source;
  if (found.kind == InvestigationKind::timeline) model_.timeline = {};
}

void Session::take(const Investigation& found) {
  const auto run = std::exchange(model_.investigating, std::nullopt);
  if (!run) return;
  // A stopped one leaves what was known before.
  const bool nothing = std::holds_alternative<std::monostate>(found.found);
  const bool stopped = run->canceling && nothing;
  if (!stopped) keep(run->lab, found, run->source);
  if (std::exchange(run_again_, false)) ask_or_run(true);
}

void Session::export_timeline() {
  const Investigation* found = model_.investigation(InvestigationKind::timeline);
  const auto* timeline = found ? std::get_if<Timeline>(&found->found) : nullptr;
  if (!timeline || !model_.lab()) return;
  std::string text;
  write_chrome_trace(*timeline, found->lab + ", " + found->device.name,
                     [&](std::string_view piece) { text += piece; });
  const Lab& lab = *model_.lab();
  const auto path = workbook_folder(lab.root) / (lab.folder + ".trace.json");
  if (const auto written = write_file(path, text); !written)
    notify("Not exported: " + written.error().what + " " + written.error().remedy, Outcome::fail);
  else
    notify("Written to workbook/" + path.filename().string() + "; ui.perfetto.dev opens it.");
}

}  // namespace klab::ui
