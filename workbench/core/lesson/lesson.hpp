// Lesson: a lab's prose with its facts filled in, so that a number is written once, in lab.toml.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.hpp"
#include "core/course/lab.hpp"

namespace klab {

/// Replaces every {{name}} in `text` by the lab's fact of that name:
///   title, summary, id, slug, folder, category, concepts, gpus, minimum_compute_capability,
///   time_limit_s, sizes.timing, sizes.simulator, dimensions, time.speedup, time.at_most_s,
///   time.ceiling.of, time.ceiling.at_least (as a percentage), cause.<metric>.target ("at most
///   16.5"),
///   cause.<metric>.why, cause.<metric>.label, file (the learner's file), steps; and of what was
///   recorded ratio.<kernel file> and counted.<metric>, the solution's counter.
/// What the flawed kernel counts is not among them: lab.toml bounds it, and a figure shows it.
/// `name` is what the text is called in errors, e.g. "lesson.md". Errors: ErrorCode::bad_lab naming
/// file, line and placeholder, with the near name.
Result<std::string> fill_in(const Lab& lab, std::string_view name, std::string_view text);

/// The lesson, or the explanation, as Markdown with its facts filled in. Errors also: those of
/// figures_in(); ErrorCode::io.
Result<std::string> read_lesson(const Lab& lab);
Result<std::string> read_explanation(const Lab& lab);

}  // namespace klab
