// predict: the learner says what is wrong before anything is measured.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include "cli/verbs/verbs.hpp"
#include "core/base/text.hpp"

namespace klab::cli {
namespace {

std::string question_text(const Context& context, const Prediction& prediction) {
  std::string text = "\n" + paragraph(context.out, printable(prediction.question), 2, Tone::strong);
  Table choices("rl", 4);
  for (std::size_t i = 0; i < prediction.choices.size(); ++i)
    choices.add({{std::to_string(i + 1), Tone::accent}, {printable(prediction.choices[i])}});
  return text + choices.text(context.out);
}

/// Asks until the answer is a choice; -1 if the learner skips it with an empty line or the input
/// ends.
int ask(const Terminal& out, const Prediction& prediction) {
  const int count = static_cast<int>(prediction.choices.size());
  std::string line;
  while (true) {
    print("  Your answer, 1 to " + std::to_string(count) + " (Enter to skip): ");
    if (!std::getline(std::cin, line)) {
      print("\n");
      return -1;
    }
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) return -1;
    char* end = nullptr;
    const long number = std::strtol(line.c_str(), &end, 10);
    if (*end == '\0' && number >= 1 && number <= count) return static_cast<int>(number) - 1;
    print(paragraph(out, "\"" + line + "\" is none of the choices.", 2));
  }
}

}  // namespace

int predict(const Context& context, const PredictOptions& options) {
  const auto& answers = options.answers;
  const auto lab = lab_named(context, options.lab);
  if (!lab) return fail(context, lab.error());
  if (lab->predictions.empty()) {
    print("  " + lab->id + " asks for no prediction.\n");
    return exit_ok;
  }
  const std::string again =
      "Run `./klab predict " + lab->slug + "` in a terminal to see the questions.";
  if (!answers.empty() && answers.size() != lab->predictions.size())
    return fail(context,
                make_error(ErrorCode::usage,
                           lab->id + " asks " + counted(lab->predictions.size(), "question") +
                               " and got " + counted(answers.size(), "answer") + ".",
                           again));
  JournalEntry entry;
  entry.kind = JournalEntry::Kind::prediction;
  entry.lab = lab->id;
  for (std::size_t i = 0; i < lab->predictions.size(); ++i) {
    const Prediction& prediction = lab->predictions[i];
    const int count = static_cast<int>(prediction.choices.size());
    if (!answers.empty() && (answers[i] < 1 || answers[i] > count))
      return fail(context,
                  make_error(ErrorCode::usage,
                             "Answer " + std::to_string(i + 1) + " must be a number from 1 to " +
                                 std::to_string(count) + ".",
                             again));
    print(question_text(context, prediction));
    entry.answers.push_back(answers.empty() ? ask(context.out, prediction) : answers[i] - 1);
  }
  // What was answered before stays as it is.
  if (std::all_of(entry.answers.begin(), entry.answers.end(), [](int a) { return a < 0; })) {
    print("\n" + paragraph(context.out, "Nothing was answered, so nothing is recorded.", 2));
    return exit_ok;
  }
  // Not note(): here the entry is the act itself, so a failure is the verb's.
  if (const auto number = context.journal().append(std::move(entry)); !number)
    return fail(context, number.error());
  // The truth stays hidden until something was measured: that is the point of predicting.
  print("\n" +
        paragraph(context.out,
                  "Recorded. `./klab check " + lab->slug + "` measures and says how near you were.",
                  2));
  return exit_ok;
}

}  // namespace klab::cli
