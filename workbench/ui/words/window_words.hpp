// WindowWords: what shell and window both say, in the words of the window.
#pragma once

#include <string>
#include <string_view>

#include "core/base/advice.hpp"
#include "core/base/result.hpp"

namespace klab::ui {

/// Markdown that names page and key for each act, and the shell's verb where there is none.
std::string window_words(const Advice& advice);
/// What went wrong and its remedy.
std::string window_words(const Error& error);

/// Markdown in which `code` that names a metric or ceiling became its title. Fenced blocks and
/// other code stay.
std::string for_window(std::string_view markdown);

/// The same without marks, for where there is one font only: notices and tooltips.
std::string plain_words(std::string_view markdown);

/// "Copy within device memory" for "dram_copy": what a metric or ceiling is called; other names
/// stay.
std::string title_of_name(std::string_view name);

}  // namespace klab::ui
