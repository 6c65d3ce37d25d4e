// Model: names of states for people.
#include "ui/model/model.hpp"

#include <algorithm>

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

std::size_t PredictionState::open_question() const {
  return static_cast<std::size_t>(std::find(answers.begin(), answers.end(), std::nullopt) -
                                  answers.begin());
}

std::size_t PredictionState::answered() const {
  return answers.size() -
         static_cast<std::size_t>(std::count(answers.begin(), answers.end(), std::nullopt));
}

bool Model::can_compare_code() const {
  return page.code.size() == 3 && page.code.front().absent.empty();
}

const Run* Model::run() const {
  if (!current) return nullptr;
  const auto at = runs.find(labs[*current].lab.id);
  return at == runs.end() ? nullptr : &at->second;
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

const Investigation* Model::investigation(InvestigationKind kind) const {
  if (!current) return nullptr;
  const auto of_lab = investigations.find(labs[*current].lab.id);
  if (of_lab == investigations.end()) return nullptr;
  const auto found = of_lab->second.find(kind);
  return found == of_lab->second.end() ? nullptr : &found->second;
}

Ceilings Model::ceilings() const {
  if (replaying.empty()) return device_report.ceilings;
  const Investigation* found = investigation(InvestigationKind::roofline);
  const auto* roofline = found ? std::get_if<Roofline>(&found->found) : nullptr;
  return roofline ? roofline->ceilings : Ceilings{};
}

CheckingMachine Model::machine() const {
  CheckingMachine machine{
      .device = device, .no_device = device_error, .counter_obstacle = counter_obstacle};
  if (machine.device && backend == Backend::simulator) machine.device->simulated = true;
  return machine;
}

std::string window_title(const Model& model) {
  std::string title = "Kernel Lab";
  const char* unsaved = model.page.draft ? "*" : "";
  if (model.lab()) title = model.lab()->id + unsaved + " - " + title;
  if (model.presentation)
    return title + " - " + to_string(model.presentation->place.slide) + " (" +
           model.presentation->deck.source.label + ")";
  if (model.checking()) return title + " - checking " + model.running_lab;
  if (model.investigating) return title + " - investigating " + model.investigating->lab;
  if (model.measuring_ceilings) return title + " - measuring the ceilings";
  if (const Run* run = model.run(); run && run->result)
    title =
        std::string(passes_provisionally(run->result->gates) ? to_string(LabStatus::provisional)
                                                             : to_string(run->result->verdict)) +
        " - " + title;
  return title;
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
