// Library: files into the model. What cannot be read becomes a sentence where it would be shown.
#include "ui/session/library.hpp"

#include <algorithm>

#include "core/base/files.hpp"
#include "core/base/text.hpp"
#include "core/course/workbook.hpp"
#include "core/lesson/lesson.hpp"
#include "core/lesson/markdown.hpp"
#include "core/record/results.hpp"
#include "ui/session/draft_store.hpp"
#include "ui/session/journal_reading.hpp"
#include "ui/words/window_words.hpp"

namespace klab::ui {
namespace {

constexpr std::size_t longest_source_bytes = 1u << 20;

markdown::Document as_document(const Result<std::string>& text) {
  if (text) return markdown::parse(for_window(printable(*text)));
  return markdown::parse("**" + printable(text.error().what) + "**\n\n" +
                         printable(window_words(text.error().remedy)));
}

CodeFile read_code(VariantName variant, const std::filesystem::path& path) {
  CodeFile file{.variant = variant, .title = variant_title(variant), .path = path};
  auto text = read_file(path, longest_source_bytes);
  if (text)
    file.text = std::move(*text);
  else
    file.absent = text.error().what;
  return file;
}

/// The header shows title and summary already; a lesson that begins with them goes on after them.
void drop_opening(markdown::Document& lesson, const Lab& lab) {
  for (const std::string& opening : {lab.title, lab.summary})
    if (!lesson.empty() && plain(lesson.front().spans) == opening) lesson.erase(lesson.begin());
}

/// Code blocks that ask for a figure become one, with what the course recorded. Recordings are read
/// only if there is one.
void fill_figures(markdown::Document& document, const Lab& lab) {
  std::optional<AllResults> recorded;
  for (markdown::Block& block : document) {
    if (block.kind != markdown::Block::Kind::code || block.language != "figure") continue;
    const auto request = parse_figure(block.code);
    if (!request) continue;  // read_lesson() has said so
    if (!recorded) recorded = load_results(lab.root);
    block.kind = markdown::Block::Kind::figure;
    block.figure = make_figure(*request, lab, recorded->good);
  }
}

}  // namespace

void refresh_figures(LabPage& page, const std::string& lab,
                     const std::vector<JournalEntry>& journal) {
  for (markdown::Document* document : {&page.lesson, &page.explanation})
    for (markdown::Block& block : *document)
      if (block.figure) show_own_counts(*block.figure, lab, journal);
}

void load_labs(Model& model, const std::filesystem::path& root) {
  Course course = load_course(root);
  model.labs.clear();
  model.broken = std::move(course.broken);
  for (Lab& lab : course.labs) model.labs.push_back({.lab = std::move(lab)});
  refresh_journal(model, root);
}

void reload_code(Model& model) {
  const LabEntry* entry = model.entry();
  if (!entry) return;
  KernelFiles files{.mine = read_code(VariantName::mine, workbook_file(entry->lab)),
                    .flawed = read_code(VariantName::flawed, entry->lab.flawed()),
                    .optimized = {.variant = VariantName::optimized,
                                  .title = variant_title(VariantName::optimized)}};
  if (learner_file(entry->lab) == LearnerFile::missing)
    files.mine.absent = "Not started. Your copy of the flawed kernel will be workbook/" +
                        entry->lab.folder +
                        ".cu; edit it with any editor, or look at the flawed kernel first.";
  else if (const auto mine = read_learner_file(entry->lab); !mine)
    files.mine.absent = mine.error().what + " " + window_words(mine.error().remedy);
  if (entry->progress.solution_open())
    files.optimized = read_code(VariantName::optimized, entry->lab.optimized());
  else
    files.optimized.absent = "Opens when your kernel passes.";
  LabPage& page = model.page;
  page.kernels = std::move(files);
  if (page.started()) page.document.become(shown_text(page, page.kernels->mine));
}

void open_what_was_earned(Model& model) {
  const LabEntry* entry = model.entry();
  if (!entry || !entry->progress.solution_open() || !model.page.explanation.empty()) return;
  reload_code(model);
  model.page.explanation = as_document(read_explanation(entry->lab));
  fill_figures(model.page.explanation, entry->lab);
  refresh_figures(model.page, entry->lab.id, model.journal.entries);
  model.window.wishes.insert(Wish::lesson_head);
}

void open_lab(Model& model, std::size_t index) {
  if (index >= model.labs.size()) return;
  model.current = index;
  const LabEntry& entry = model.labs[index];
  model.page = {};
  model.page.lesson = as_document(read_lesson(entry.lab));
  drop_opening(model.page.lesson, entry.lab);
  fill_figures(model.page.lesson, entry.lab);
  PredictionState& prediction = model.page.prediction;
  prediction.answers.resize(entry.lab.predictions.size());
  for (std::size_t i = 0; i < entry.progress.answers.size() && i < prediction.answers.size(); ++i)
    if (entry.progress.answers[i] >= 0) prediction.answers[i] = entry.progress.answers[i];
  prediction.settled = entry.lab.predictions.empty() || !entry.progress.answers.empty() ||
                       entry.progress.attempts > 0;
  prediction.skipped = prediction.settled && !entry.lab.predictions.empty() &&
                       std::none_of(prediction.answers.begin(), prediction.answers.end(),
                                    [](const auto& answer) { return answer.has_value(); });
  if (!prediction.settled) prediction.answers = kept_answers(entry.lab);
  reload_code(model);
  refresh_journal(model, entry.lab.root);
  open_what_was_earned(model);
  // Another lab begins at its head, wherever the last one stood.
  model.window.wishes = {Wish::lesson_head};
}

}  // namespace klab::ui
