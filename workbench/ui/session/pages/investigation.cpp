// Investigating: what is asked, and where the answer is kept.
#include "ui/session/pages/investigation.hpp"

#include <utility>

#include "core/base/files.hpp"
#include "core/course/workbook.hpp"
#include "core/investigate/chrome_trace.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

/// Flawed, the learner's own where it is started, and optimized once the learner may see it.
std::vector<Variant> investigated(const Lab& lab, bool solution_open) {
  std::vector<Variant> variants{{VariantName::flawed, lab.flawed()}};
  if (learner_file(lab) != LearnerFile::missing)
    variants.push_back({VariantName::mine, workbook_file(lab)});
  if (solution_open) variants.push_back({VariantName::optimized, lab.optimized()});
  return variants;
}

}  // namespace

void Investigating::begin(InvestigationKind kind) {
  const LabEntry* entry = desk_.model.entry();
  if (!entry || desk_.model.running()) return;
  if (desk_.model.replaying.empty() && !file_.save()) return;
  InvestigationRequest request{
      .kind = kind, .tree = desk_.tree, .lab = entry->lab, .backend = desk_.model.machine.backend};
  request.sweep = desk_.model.investigations.sweep;
  request.variants = investigated(entry->lab, entry->progress.solution_open());
  desk_.model.investigations.running =
      InvestigationRun{.kind = kind, .lab = entry->lab.id, .began_s = desk_.model.now_s};
  desk_.model.investigations.running->source = desk_.model.page.saved_text();
  launcher_.investigate(std::move(request));
}

void Investigating::keep(const std::string& lab, const Investigation& found,
                         const std::string& source) {
  desk_.model.investigations.found[lab][found.kind] = found;
  if (found.kind == InvestigationKind::stalls)
    desk_.model.investigations.sampled_sources[lab] = source;
  if (found.kind == InvestigationKind::timeline) desk_.model.investigations.timeline = {};
}

bool Investigating::take(const Investigation& found) {
  const auto run = std::exchange(desk_.model.investigations.running, std::nullopt);
  if (!run) return false;
  // A stopped one leaves what was known before.
  const bool nothing = std::holds_alternative<std::monostate>(found.found);
  const bool stopped = run->canceling && nothing;
  if (!stopped) keep(run->lab, found, run->source);
  return true;
}

void Investigating::export_timeline() {
  const Investigation* found = desk_.model.investigation(InvestigationKind::timeline);
  const auto* timeline = found ? std::get_if<Timeline>(&found->found) : nullptr;
  if (!timeline || !desk_.model.lab()) return;
  std::string text;
  write_chrome_trace(*timeline, found->lab + ", " + found->device.name,
                     [&](std::string_view piece) { text += piece; });
  const Lab& lab = *desk_.model.lab();
  const auto path = workbook_folder(lab.root) / (lab.folder + ".trace.json");
  if (const auto written = write_file(path, text); !written)
    desk_.notify("Not exported: " + window_words(written.error()), Outcome::fail);
  else
    desk_.notify("Written to workbook/" + path.filename().string() + "; ui.perfetto.dev opens it.");
}

}  // namespace klab::ui
