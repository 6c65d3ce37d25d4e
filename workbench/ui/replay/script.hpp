// Script: a session of the window as text, one act a line, for repeatable pictures and
// demonstrations. No ImGui.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

struct ScriptStep {
  enum class Act {
    workbook,     ///< `workbook fresh`: works on an empty workbook that is gone afterwards
    open,         ///< `open 02`: number, slug or id of a lab
    page,         ///< `page roofline`
    key,          ///< `key F5 Ctrl+S`: keys as the help names them, one after another
    type,         ///< `type TEXT`: into the field that has the focus
    wait,         ///< `wait done` or `wait 2.5`: until nothing runs, or so many seconds
    screenshot,   ///< `screenshot FILE.png`: beside the script, or where it was asked to write
    size,         ///< `size 1280x800`
    theme,        ///< `theme dark`
    zoom,         ///< `zoom 1.5`
    replay,       ///< `replay FILE` or `replay FILE until 3.5`: plays a recorded check
    investigate,  ///< `investigate timeline`
    present,      ///< `present on`, `present off`
    statistics,   ///< `statistics`: prints figures of the frames since the beginning or the last
                  ///< such act
    expect,       ///< `expect WORDS`: fails unless the window's title holds them
    quit
  };
  Act act = Act::quit;
  int line = 0;
  std::string text;              ///< what follows the act, but for what is read below
  std::optional<double> number;  ///< wait, zoom, replay ... until
  int width = 0, height = 0;     ///< size
  std::optional<Page> page;      ///< page
  std::optional<InvestigationKind> investigation;
};

/// Blank lines and lines that begin with # are passed over. Errors: ErrorCode::usage naming file
/// and line; all acts are checked before the first is done.
Result<std::vector<ScriptStep>> parse_script(std::string_view text, const std::string& name);
Result<std::vector<ScriptStep>> read_script(const std::filesystem::path& path);

/// Every act's word.
std::vector<std::string> script_acts();

/// "1280x800": at least 320x240, at most 7680x4320. nullopt for anything else.
std::optional<std::pair<int, int>> parse_size(std::string_view text);
/// The page of that name, whatever its case.
std::optional<Page> page_named(std::string_view name);

}  // namespace klab::ui
