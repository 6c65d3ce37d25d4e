// Calibration: what the learner predicted beside what was measured, from the journal alone. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/course/lab.hpp"
#include "core/journal/journal.hpp"

namespace klab {

/// One answered question.
struct ScoredPrediction {
  std::int64_t number = 0;  ///< of the journal's entry
  std::string date;
  std::string lab;  ///< id
  Prediction question;
  int choice = 0;
  /// Absent until it is settled: by the lab's first check that measured something, or for a
  /// speed-up by its first pass.
  std::optional<bool> right;
  std::optional<Interval> measured;  ///< of a speed-up: the learner's best pass
  /// Of a speed-up that was missed: the band lies below (-1) or above (+1) the whole interval.
  int miss = 0;

  bool asks_ratio() const { return !question.bands.empty(); }
  /// Index of the choice that turned out to be so; absent while `right` is, or if no band fits.
  std::optional<int> truth() const;
};

/// The score after each prediction whose answer is known, in the order of the journal.
struct CalibrationPoint {
  std::int64_t number = 0;  ///< of the journal's entry
  std::string date;
  int known = 0;  ///< answers known so far
  int right = 0;  ///< of those
};

struct Calibration {
  std::vector<ScoredPrediction> predictions;  ///< in the order of the journal
  std::vector<CalibrationPoint> points;
  int known = 0;
  int right = 0;
  int waiting = 0;      ///< answered, but nothing was measured yet
  int skipped = 0;      ///< questions left unanswered
  double by_guess = 0;  ///< right answers that blind guesses would have given, on average
  int too_low = 0;      ///< speed-ups expected below what was measured
  int too_high = 0;

  /// Right of known, 0..1; absent if none is known.
  std::optional<double> share() const;
};

/// Scores the predictions of `labs`. The last answers before a lab's first check count: later ones
/// were given in sight of the truth. A speed-up is right if the predicted band and the measured
/// interval overlap, so that a miss is one that the measurement rules out. Answers to questions
/// that a lab does not ask (any more) are left out.
Calibration calibrate(const std::vector<Lab>& labs, const std::vector<JournalEntry>& entries);

/// Whether a check saw a cause or a time, which is what settles predictions.
bool settles_predictions(const std::vector<Gate>& gates);

/// One answer held against a check that settles predictions; `passed_ratio` if it passed.
ScoredPrediction score_answer(const Prediction& question, int choice,
                              const std::optional<Interval>& passed_ratio);

/// "7 of 12 predictions right; blind guesses would have had about 4. 2 wait for a measurement."
std::string summary(const Calibration& calibration);
/// "Expected 1x to 2x, measured 7.96x (7.94 to 7.98): too low"; empty if it asks for no speed-up or
/// nothing was measured.
std::string ratio_words(const ScoredPrediction& prediction);

}  // namespace klab
