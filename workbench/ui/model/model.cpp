// Model: names of states for people.
#include "ui/model/model.hpp"

#include <algorithm>

#include "core/base/find.hpp"
#include "core/base/text.hpp"

namespace klab::ui {

const char* to_string(Page page) {
  switch (page) {
    case Page::lesson:
      return "Lesson";
    case Page::code:
      return "Code";
    case Page::result:
      return "Result";
    case Page::diagnosis:
      return "Diagnosis";
    case Page::roofline:
      return "Roofline";
    case Page::timeline:
      return "Timeline";
    case Page::sweep:
      return "Sweep";
    case Page::occupancy:
      return "Occupancy";
    case Page::journal:
      return "Journal";
    case Page::device:
      return "Device";
  }
  return "";
}

OccupancyInput OccupancyPage::of_kernel() const {
  if (!measured) return input;
  OccupancyInput mine = *measured;
  mine.compute_capability = input.compute_capability;
  mine.cluster_blocks = input.cluster_blocks;
  mine.barriers = input.barriers;
  if (!measured_launch) mine.block_threads = input.block_threads;
  return mine;
}

bool OccupancyPage::shows_kernel() const {
  const OccupancyInput mine = of_kernel();
  return measured && mine.block_threads == input.block_threads &&
         mine.registers_per_thread == input.registers_per_thread &&
         mine.static_shared_bytes == input.static_shared_bytes &&
         mine.dynamic_shared_bytes == input.dynamic_shared_bytes;
}

bool Model::can_compare_code() const { return page.started(); }

const Run* Model::run() const {
  return current ? find_in(checks.runs, labs[*current].lab.id) : nullptr;
}

const JournalEntry* Model::last_attempt() const {
  if (!current || entry()->progress.attempts == 0) return nullptr;
  const auto at =
      std::find_if(journal.entries.rbegin(), journal.entries.rend(), [&](const JournalEntry& one) {
        return one.kind == JournalEntry::Kind::attempt && one.variant == VariantName::mine &&
               one.lab == lab()->id;
      });
  return at == journal.entries.rend() ? nullptr : &*at;
}

bool Model::changed_since_check() const {
  if (!page.started() || !replaying.empty()) return false;
  const std::string& text = page.kernels->mine.text;
  if (const Run* shown = run()) return shown->source != text;
  const JournalEntry* last = last_attempt();
  return last && last->source && *last->source != text && printable(*last->source) != text;
}

const Investigation* Model::investigation(InvestigationKind kind) const {
  if (!current) return nullptr;
  const auto* of_lab = find_in(investigations.found, labs[*current].lab.id);
  return of_lab ? find_in(*of_lab, kind) : nullptr;
}

Ceilings Model::ceilings() const {
  if (replaying.empty()) return machine.report.ceilings;
  const Investigation* found = investigation(InvestigationKind::roofline);
  const auto* roofline = found ? std::get_if<Roofline>(&found->found) : nullptr;
  return roofline ? roofline->ceilings : Ceilings{};
}

CheckingMachine Model::checking_machine() const {
  CheckingMachine found{.device = machine.device,
                        .no_device = machine.error,
                        .counter_obstacle = machine.counter_obstacle};
  if (found.device && machine.backend == Backend::simulator) found.device->simulated = true;
  return found;
}

bool Model::counts_only() const {
  const CheckingMachine found = checking_machine();
  return found.device && found.device->simulated;
}

bool Model::running_here() const {
  if (checking()) return lab() && lab()->id == checks.running_lab;
  if (investigations.running) return lab() && lab()->id == investigations.running->lab;
  return machine.measuring.has_value();
}

std::string window_title(const Model& model) {
  std::string title = "Kernel Lab";
  const char* unsaved = model.page.draft ? "*" : "";
  if (model.lab()) title = model.lab()->id + unsaved + " - " + title;
  if (model.presentation)
    return title + " - " + to_string(model.presentation->place.slide) + " (" +
           model.presentation->deck.source.label + ")";
  if (model.checking()) return title + " - checking " + model.checks.running_lab;
  if (model.investigations.running)
    return title + " - investigating " + model.investigations.running->lab;
  if (model.machine.measuring) return title + " - measuring the ceilings";
  if (const Run* run = model.run(); run && run->result)
    title =
        std::string(passes_provisionally(run->result->gates) ? to_string(LabStatus::provisional)
                                                             : to_string(run->result->verdict)) +
        " - " + title;
  return title;
}

std::string what_has_to_end(const Model& model) {
  if (!model.running()) return {};
  const auto& investigation = model.investigations.running;
  const std::string what = model.checking() ? "check of " + model.checks.running_lab
                           : investigation  ? "investigation of " + investigation->lab
                                            : "measuring of the ceilings";
  return "The " + what + " has to end first.";
}

bool advice_open(const Model& model) {
  const LabEntry* entry = model.entry();
  return !entry || !model.replaying.empty() || entry->progress.advice_open();
}

std::string variant_title(const VariantName& variant) {
  if (variant == VariantName::mine) return "Mine";
  if (variant == VariantName::flawed) return "Flawed";
  if (variant == VariantName::optimized) return "Optimized";
  return variant.shown();
}

}  // namespace klab::ui
