// Calibration: finding the answers that count, and scoring them.
#include "core/journal/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/measure/format.hpp"

namespace klab {
namespace {

/// What the journal says of one lab.
struct LabHistory {
  const JournalEntry* answers = nullptr;  ///< the last before the first check
  bool checked = false;
  std::optional<Interval> best;  ///< ratio of the best pass
};

bool is_learners_check(const JournalEntry& entry) {
  return entry.kind == JournalEntry::Kind::attempt && entry.variant == VariantName::mine &&
         entry.verdict;
}

/// Whether the check showed the learner what the questions ask for. Entries of older journals have
/// no gates; there the verdict must do.
bool settles(const JournalEntry& entry) {
  return entry.gates.empty() ? entry.verdict != Outcome::not_checkable
                             : settles_predictions(entry.gates);
}

std::map<std::string, LabHistory> histories(const std::vector<JournalEntry>& entries) {
  std::map<std::string, LabHistory> all;
  for (const JournalEntry& entry : entries) {
    LabHistory& lab = all[entry.lab];
    if (entry.kind == JournalEntry::Kind::prediction && !lab.checked) lab.answers = &entry;
    if (!is_learners_check(entry)) continue;
    lab.checked = lab.checked || settles(entry);
    if (entry.verdict == Outcome::pass && entry.ratio &&
        (!lab.best || entry.ratio->median > lab.best->median))
      lab.best = entry.ratio;
  }
  return all;
}

ScoredPrediction scored(const JournalEntry& entry, const Prediction& question, int choice,
                        const LabHistory& history) {
  ScoredPrediction prediction{.question = question, .choice = choice};
  if (history.checked) prediction = score_answer(question, choice, history.best);
  prediction.number = entry.number;
  prediction.date = entry.date;
  prediction.lab = entry.lab;
  return prediction;
}

void count(Calibration& calibration, const ScoredPrediction& scored) {
  if (!scored.right) {
    ++calibration.waiting;
    return;
  }
  ++calibration.known;
  calibration.right += *scored.right;
  calibration.too_low += scored.miss < 0;
  calibration.too_high += scored.miss > 0;
  calibration.by_guess += 1.0 / static_cast<double>(scored.question.choices.size());
  calibration.points.push_back({scored.number, scored.date, calibration.known, calibration.right});
}

}  // namespace

bool settles_predictions(const std::vector<Gate>& gates) {
  return std::any_of(gates.begin(), gates.end(), [](const Gate& gate) {
    return gate.measured && (gate.name == GateName::cause || gate.name == GateName::time);
  });
}

ScoredPrediction score_answer(const Prediction& question, int choice,
                              const std::optional<Interval>& passed_ratio) {
  ScoredPrediction scored{.question = question, .choice = choice};
  if (!scored.asks_ratio()) {
    scored.right = choice == question.answer;
  } else if (passed_ratio) {
    const RatioBand& band = question.bands[static_cast<std::size_t>(choice)];
    scored.measured = passed_ratio;
    scored.miss = band.high < passed_ratio->low ? -1 : band.low > passed_ratio->high ? 1 : 0;
    scored.right = scored.miss == 0;
  }
  return scored;
}

std::optional<int> ScoredPrediction::truth() const {
  if (!right) return std::nullopt;
  if (*right) return choice;
  if (!asks_ratio()) return question.answer;
  for (std::size_t i = 0; i < question.bands.size(); ++i)
    if (question.bands[i].low <= measured->median && measured->median <= question.bands[i].high)
      return static_cast<int>(i);
  return std::nullopt;
}

std::optional<double> Calibration::share() const {
  if (known == 0) return std::nullopt;
  return static_cast<double>(right) / known;
}

Calibration calibrate(const std::vector<Lab>& labs, const std::vector<JournalEntry>& entries) {
  Calibration calibration;
  const auto all = histories(entries);
  for (const Lab& lab : labs) {
    const auto found = all.find(lab.id);
    if (found == all.end() || found->second.answers == nullptr) continue;
    const JournalEntry& entry = *found->second.answers;
    for (std::size_t i = 0; i < lab.predictions.size(); ++i) {
      const Prediction& question = lab.predictions[i];
      const int choice = i < entry.answers.size() ? entry.answers[i] : -1;
      if (choice < 0)
        ++calibration.skipped;
      else if (choice < static_cast<int>(question.choices.size()))
        calibration.predictions.push_back(scored(entry, question, choice, found->second));
    }
  }
  std::stable_sort(calibration.predictions.begin(), calibration.predictions.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  for (const ScoredPrediction& one : calibration.predictions) count(calibration, one);
  return calibration;
}

std::string summary(const Calibration& calibration) {
  const auto waiting = std::to_string(calibration.waiting) +
                       (calibration.waiting == 1 ? " waits" : " wait") + " for a measurement.";
  if (calibration.known == 0)
    return calibration.waiting > 0
               ? "No prediction is settled yet; " + waiting
               : "No prediction yet from before a lab's first check; later ones do "
                 "not count.";
  std::string words = std::to_string(calibration.right) + " of " +
                      std::to_string(calibration.known) +
                      (calibration.known == 1 ? " prediction" : " predictions") +
                      " right; blind guesses would have had about " +
                      format_number(std::round(calibration.by_guess * 10) / 10) + ".";
  if (calibration.too_low + calibration.too_high > 0)
    words += " Speed-ups expected too low: " + std::to_string(calibration.too_low) +
             ", too high: " + std::to_string(calibration.too_high) + ".";
  if (calibration.waiting > 0) words += " " + waiting;
  return words;
}

std::string ratio_words(const ScoredPrediction& prediction) {
  if (!prediction.asks_ratio() || !prediction.measured) return {};
  const RatioBand& band = prediction.question.bands[static_cast<std::size_t>(prediction.choice)];
  const char* outcome = prediction.miss < 0   ? "too low"
                        : prediction.miss > 0 ? "too high"
                                              : "right";
  return "Expected " + format_ratio(band.low) + " to " + format_ratio(band.high) + ", measured " +
         format_ratio(prediction.measured) + ": " + outcome;
}

}  // namespace klab
