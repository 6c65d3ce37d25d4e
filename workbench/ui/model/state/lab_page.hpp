// LabPage: the open lab: its prose, its kernel files, what was typed, and what was predicted.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/build/plugin_builder.hpp"
#include "core/lesson/markdown.hpp"
#include "core/verdict/variant_name.hpp"
#include "ui/edit/text_document.hpp"
#include "ui/model/code_state.hpp"

namespace klab::ui {

/// One kernel file of the open lab.
struct CodeFile {
  VariantName variant;
  std::string title;  ///< "Mine", ...
  std::filesystem::path path;
  std::string text;    ///< the file's bytes
  std::string absent;  ///< a sentence instead of the text: not started, locked until passed
};

struct KernelFiles {
  CodeFile mine, flawed, optimized;

  /// In the order in which they are offered.
  std::array<const CodeFile*, 3> all() const { return {&mine, &flawed, &optimized}; }
};

/// What the code page shows, in the order of its choices.
enum class CodeChoice { mine, flawed, optimized, side_by_side };

/// The questions before the first run.
struct PredictionState {
  bool settled = false;  ///< answered or skipped: the run is open
  bool skipped = false;
  std::vector<std::optional<int>> answers;  ///< as many as Lab::predictions

  /// The first question without an answer, the one that keys answer; answers.size() if none is.
  std::size_t open_question() const;
  std::size_t answered() const;
};

struct LabPage {
  markdown::Document lesson;
  markdown::Document explanation;      ///< empty until it is open, as the solution is
  bool confirming_solution = false;    ///< the learner is asked whether to give up
  std::optional<KernelFiles> kernels;  ///< absent: no lab is open
  CodeChoice shown_code = CodeChoice::mine;
  TextDocument document;             ///< "mine" as it is typed, with caret and history
  std::optional<std::string> draft;  ///< its text where that is not saved yet
  bool changed_on_disk = false;      ///< by another editor while there was a draft
  PredictionState prediction;
  std::vector<CompilerMessage> messages;  ///< of the last build of "mine"
  std::optional<int> goto_line;           ///< to scroll the code to, for one frame
  CodeState state;                        ///< what is shown beside the code

  /// The learner began the lab.
  bool started() const { return kernels && kernels->mine.absent.empty(); }
  /// The text of the learner's kernel as it is on disk; empty if there is none.
  std::string saved_text() const { return kernels ? kernels->mine.text : std::string(); }
};

/// The file on the code page; nullptr if it cannot be shown.
const CodeFile* shown_file(const LabPage& page);
/// Its text, with what was typed.
const std::string& shown_text(const LabPage& page, const CodeFile& file);

}  // namespace klab::ui
