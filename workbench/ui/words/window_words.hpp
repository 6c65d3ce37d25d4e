// WindowWords: sentences that shell and window share, in the words of the window.
#pragma once

#include <string>
#include <string_view>

namespace klab::ui {

/// Markdown in which `code` that the window has a place or a title for became that: the page and
/// key instead of a verb of the shell, the label instead of a metric's or ceiling's name. Fenced
/// blocks and other code stay.
std::string for_window(std::string_view markdown);

/// The same without marks, for where there is one font only: notices and tooltips.
std::string plain_words(std::string_view markdown);

/// "Copy within device memory" for "dram_copy": what a metric or ceiling is called; other names
/// stay.
std::string title_of_name(std::string_view name);

}  // namespace klab::ui
