// WindowWords: a table of verbs and the places where the window does the same.
#include "ui/words/window_words.hpp"

#include <algorithm>

#include "core/measure/catalogue/metric_catalogue.hpp"
#include "core/measure/ceilings.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

constexpr std::string_view hint_verb = "./klab hint";

struct WindowPlace {
  std::string_view shell;
  std::string_view window;
};
constexpr WindowPlace window_places[] = {{"./klab device --measure", "**M** on the page Device"},
                                         {"./klab device", "**Device** (Alt+0)"},
                                         {"./klab doctor", "**Device** (Alt+0)"},
                                         {"./klab check", "**Result** (Alt+3)"},
                                         {hint_verb, "**F2**"},
                                         {"./klab start <lab>", "**F5**"},
                                         {"./klab journal list", "**Journal** (Alt+9)"},
                                         {"./klab diagnose", "**Diagnosis** (Alt+4)"},
                                         {"klab trace", "**Timeline** (Alt+6)"},
                                         {"--backend sim", "lower left"}};
constexpr std::string_view fence = "```";

/// What stands in the window for `code`; empty where it stays.
std::string place_of(std::string_view code) {
  // The lab that it names is the one on the screen.
  if (code.starts_with(hint_verb) && code.find(' ', hint_verb.size() + 1) == code.npos)
    code = hint_verb;
  for (const WindowPlace& place : window_places)
    if (place.shell == code) return std::string(place.window);
  const std::string title = title_of_name(code);
  return title == code ? std::string() : "**" + title + "**";
}

/// A line outside of fences, with the signs of print (typeset()) outside of code.
void append_line(std::string& words, std::string_view line) {
  while (!line.empty()) {
    const auto open = line.find('`');
    const auto close = open == line.npos ? open : line.find('`', open + 1);
    if (close == line.npos) break;
    const std::string place = place_of(line.substr(open + 1, close - open - 1));
    words += typeset(std::string(line.substr(0, open)));
    words += place.empty() ? std::string(line.substr(open, close - open + 1)) : place;
    line.remove_prefix(close + 1);
  }
  words += typeset(std::string(line));
}

void erase_all(std::string& words, std::string_view mark) {
  for (auto at = words.find(mark); at != words.npos; at = words.find(mark, at))
    words.erase(at, mark.size());
}

}  // namespace

std::string title_of_name(std::string_view name) {
  if (const Metric* metric = find_metric(name)) return std::string(metric->label);
  if (const CeilingInfo* ceiling = find_ceiling(name)) return std::string(ceiling->label);
  return std::string(name);
}

std::string for_window(std::string_view markdown) {
  std::string words;
  bool fenced = false;
  while (!markdown.empty()) {
    const auto end = std::min(markdown.find('\n'), markdown.size() - 1) + 1;
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(end);
    if (line.starts_with(fence)) fenced = !fenced;
    if (fenced)
      words += line;
    else
      append_line(words, line);
  }
  return words;
}

std::string plain_words(std::string_view markdown) {
  std::string words = for_window(markdown);
  erase_all(words, "**");
  erase_all(words, "`");
  return words;
}

}  // namespace klab::ui
