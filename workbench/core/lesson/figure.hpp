// LessonFigure: a picture in a lesson, drawn from counts that a run really made.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"
#include "core/journal/journal.hpp"
#include "core/record/results.hpp"
#include "core/verdict/variant_name.hpp"

namespace klab {

/// How counts are drawn: a bar for each; the lanes of one warp, those at work filled; the 32-byte
/// sectors that one request touches, each filled as far as its bytes were asked for.
enum class FigureKind { bars, lanes, sectors };

/// What a fenced block with the info string "figure" asks for.
struct FigureRequest {
  FigureKind kind = FigureKind::bars;
  std::string title;
  std::vector<std::string> metrics;  ///< catalogue names, one to four
};

/// Reads the body of a figure block: lines of `key: value`, one of them `bars: METRIC, ...`,
/// `lanes: METRIC` or `sectors: global_load, global_store`, and `title: ...`. Errors:
/// ErrorCode::bad_lab with a sentence and, for an unknown name, the near one.
Result<FigureRequest> parse_figure(std::string_view body);

/// The figure blocks of a Markdown text called `name`. Errors: ErrorCode::bad_lab naming file and
/// line.
Result<std::vector<FigureRequest>> figures_in(std::string_view name, std::string_view text);

/// One kernel's count; absent where no run made it.
struct FigureRow {
  VariantName variant;
  std::optional<double> value;
  std::optional<double> used_pct;  ///< sectors: the share of their bytes that was asked for
};

/// One metric of the figure.
struct FigurePart {
  std::string metric, label, unit;
  std::string target;                  ///< the lab's bound as text; empty if it names none
  std::optional<double> target_value;  ///< of that bound, in `unit`
  double full = 1;                     ///< the value that fills the whole width
  std::vector<FigureRow> rows;         ///< in the order flawed, mine, optimized
};

struct LessonFigure {
  FigureKind kind = FigureKind::bars;
  std::string title;
  std::vector<FigurePart> parts;
  std::string recorded;  ///< where flawed and optimized come from, or that there is no such run
  std::string own;       ///< where mine comes from; empty without an attempt
};

/// The figure with what the first recording that holds `lab` counted of flawed and optimized.
LessonFigure make_figure(const FigureRequest& request, const Lab& lab,
                         std::span<const RecordedResults> recordings);

/// Adds what the gates of the learner's last attempt at `lab` counted, in place of what was there.
void show_own_counts(LessonFigure& figure, const std::string& lab,
                     std::span<const JournalEntry> journal);

/// How the picture is to be read, in a sentence; empty for bars.
std::string_view legend_of(FigureKind kind);

/// "31.95 sectors, 12.5 % used"; missing_text where there is no count.
std::string row_text(const LessonFigure& figure, const FigurePart& part, const FigureRow& row);

}  // namespace klab
