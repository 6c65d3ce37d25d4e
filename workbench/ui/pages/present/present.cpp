// Present: one slide over the whole window, in type that a room can read.
#include <algorithm>
#include <cmath>

#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/lab_number.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/code_view.hpp"
#include "ui/words/typeset.hpp"

namespace klab::ui {
namespace {

/// The window that a slide is laid out for, in logical pixels at zoom 1.
constexpr float stage_width = 900, stage_height = 560;
constexpr float margin = 48, head = 92, foot = 52;
constexpr float code_leading = 1.42f;

/// The part of the window between head and foot.
struct Stage {
  ImDrawList& list;
  ImVec2 from, to;
  float width() const { return to.x - from.x; }
  float height() const { return to.y - from.y; }
};

/// What stands where a number is kept back.
const char* const hidden = "?";

/// "Lab 06 of 29", or "Lab 23, 7 of 8" in a course that lacks numbers.
std::string place_words(const Presentation& shown, std::size_t labs) {
  const std::string place = std::to_string(shown.place.lab + 1);
  const std::string& number = shown.deck.number;
  const bool as_numbered = number == place || number == "0" + place;
  return "Lab " + number + (as_numbered ? "" : ", " + place) + " of " + std::to_string(labs);
}

void draw_head(const Stage& window, const Presentation& shown, std::size_t labs) {
  const Theme& t = theme();
  const LabDeck& deck = shown.deck;
  const float left = window.from.x + t.px(margin), top = window.from.y + t.px(26);
  const std::string line = place_words(shown, labs) + "  ·  " + deck.title;
  const bool opening = shown.place.slide == Slide::question;
  if (!opening) {
    draw_text(window.list, t.font.label, ImVec2(left, top), t.color.accent,
              cut(t.font.label, line, window.width() - t.px(2 * margin + 160)));
    std::string head = to_string(shown.place.slide);
    if (shown.place.slide == Slide::fix && !deck.fix_name.empty()) head += ": " + deck.fix_name;
    draw_text(window.list, t.font.display, ImVec2(left, top + t.px(20)), t.color.text,
              cut(t.font.display, head, window.width() - t.px(2 * margin + 160)));
  } else {
    draw_text(window.list, t.font.label, ImVec2(left, top), t.color.accent,
              place_words(shown, labs) + "  ·  " + deck.category);
  }
  // One dot a slide, the present one long.
  float x = window.to.x - t.px(margin);
  for (std::size_t i = std::size(all_slides); i-- > 0;) {
    const bool current = all_slides[i] == shown.place.slide;
    const float width = t.px(current ? 22 : 8);
    x -= width;
    window.list.AddRectFilled(ImVec2(x, top + t.px(5)), ImVec2(x + width, top + t.px(13)),
                              current ? t.color.accent_fill : faded(t.color.faint, 0.4f), t.px(4));
    x -= t.px(7);
  }
}

void draw_foot(const Stage& window, const Presentation& shown) {
  const Theme& t = theme();
  const float y = window.to.y - t.px(34);
  const std::string keys = hides(shown.place.slide) && !shown.place.revealed
                               ? "Space reveals   F1 keys"
                               : "Space next   F1 keys";
  const float keys_width = text_width(t.font.small, keys);
  std::string words = shown.deck.source.label;
  if (!shown.deck.source.caution.empty()) words += ". " + shown.deck.source.caution;
  if (shown.sources > 1)
    words += "  (" + std::to_string(shown.place.source + 1) + " of " +
             std::to_string(shown.sources) + ", S for the next)";
  const float left = window.from.x + t.px(margin), right = window.to.x - t.px(margin);
  draw_text(window.list, t.font.small, ImVec2(left, y),
            shown.deck.source.caution.empty() ? t.color.soft : t.color.unsure,
            cut(t.font.small, words, right - left - keys_width - t.px(30)));
  draw_text(window.list, t.font.small, ImVec2(right - keys_width, y), t.color.faint, keys);
}

/// Wrapped text at `y`; returns the y below it.
float paragraph(const Stage& stage, ImFont* font, ImU32 color, const std::string& words, float y,
                float indent = 0) {
  const float x = stage.from.x + indent;
  return y + draw_wrapped(&stage.list, font, ImVec2(x, y), color, words, stage.to.x - x);
}

/// In poster type, as large as fits `width`.
void draw_number(const Stage& stage, const std::string& value, ImVec2 at, ImU32 color, float size,
                 float width) {
  ImFont* font = theme().font.poster;
  const float natural = font->CalcTextSizeA(size, FLT_MAX, 0, value.c_str()).x;
  const float fitted = natural > width ? size * width / natural : size;
  stage.list.AddText(font, fitted, ImVec2(at.x, at.y + (size - fitted) / 2), color, value.c_str());
}

void draw_question(const Stage& stage, const LabDeck& deck, bool revealed) {
  const Theme& t = theme();
  float y = stage.from.y - t.px(22);
  draw_number(stage, deck.title, ImVec2(stage.from.x, y), t.color.text,
              t.font.poster->FontSize * 0.8f, stage.width());
  y += t.font.poster->FontSize * 0.8f + t.px(10);
  y = paragraph(stage, t.font.title, t.color.soft, deck.summary, y) + t.px(30);
  if (deck.question.empty()) return;
  y = paragraph(stage, t.font.display, t.color.text, deck.question, y) + t.px(16);
  for (std::size_t i = 0; i < deck.choices.size(); ++i) {
    const bool right = revealed && static_cast<int>(i) == deck.answer;
    const ImU32 ink = right ? t.color.good : revealed ? t.color.faint : t.color.text;
    if (right)
      draw_icon(stage.list, Icon::pass, ImVec2(stage.from.x + t.px(9), y + t.px(12)), t.px(18),
                ink);
    else
      draw_text(stage.list, t.font.title, ImVec2(stage.from.x + t.px(2), y), ink,
                std::string(1, static_cast<char>('a' + i)));
    y = paragraph(stage, t.font.title, ink, deck.choices[i], y, t.px(34)) + t.px(10);
  }
  if (revealed) paragraph(stage, t.font.body, t.color.soft, deck.because, y + t.px(8));
}

/// The size at which the widest of these lines fits the width, and about twenty fit the height.
float code_size(const Stage& stage, const std::vector<DeckLine>& lines, float gutter) {
  const Theme& t = theme();
  float widest = 1;
  for (const DeckLine& line : lines) widest = std::max(widest, text_width(t.font.mono, line.text));
  const float by_width = t.font.mono->FontSize * (stage.width() - gutter) / widest;
  const float rows =
      std::clamp(static_cast<float>(lines.size()), 1.0f, static_cast<float>(most_code_rows));
  const float by_height = stage.height() / rows / code_leading;
  const float least = t.font.mono->FontSize * 0.6f;
  return std::floor(std::clamp(std::min(by_width, by_height), least, t.font.mono->FontSize));
}

void draw_code_lines(const Stage& stage, const std::vector<DeckLine>& lines, int scroll) {
  const Theme& t = theme();
  const float gutter = t.px(46);
  const float size = code_size(stage, lines, gutter), height = std::floor(size * code_leading);
  const auto rows = static_cast<std::size_t>(std::max(1.0f, std::floor(stage.height() / height)));
  const std::size_t most = lines.size() > rows ? lines.size() - rows : 0;
  const std::size_t first = std::min(static_cast<std::size_t>(scroll), most);
  bool in_comment = false;
  float y = stage.from.y;
  for (std::size_t i = first; i < std::min(lines.size(), first + rows); ++i, y += height) {
    const DeckLine& line = lines[i];
    const ImVec2 left(stage.from.x - t.px(10), y), right(stage.to.x + t.px(10), y + height);
    const bool removed = line.kind == DeckLine::Kind::removed;
    const bool added = line.kind == DeckLine::Kind::added;
    const ImU32 ink = added ? t.color.optimized : t.color.flawed;
    if (line.marked) {
      stage.list.AddRectFilled(left, right, added ? t.color.good_soft : t.color.bad_soft);
      stage.list.AddRectFilled(left, ImVec2(left.x + t.px(3), right.y), ink);
    }
    const std::string sign = removed ? "−" : added ? "+" : "";
    const float text_y = y + (height - size) / 2;
    stage.list.AddText(t.font.mono, size, ImVec2(stage.from.x + t.px(2), text_y), ink,
                       sign.c_str());
    if (line.kind == DeckLine::Kind::gap) {
      stage.list.AddText(t.font.mono, size, ImVec2(stage.from.x + gutter, text_y), t.color.faint,
                         "…");
      continue;
    }
    const std::string number = std::to_string(line.number);
    const float digits = t.font.mono->CalcTextSizeA(size * 0.8f, FLT_MAX, 0, number.c_str()).x;
    stage.list.AddText(t.font.mono, size * 0.8f,
                       ImVec2(stage.from.x + gutter - t.px(10) - digits, text_y + size * 0.1f),
                       faded(t.color.faint, 0.8f), number.c_str());
    draw_code_line(stage.list, line.text, ImVec2(stage.from.x + gutter, text_y), in_comment, size);
  }
  const std::size_t below = lines.size() - std::min(lines.size(), first + rows);
  if (below > 0) {
    const std::string words =
        std::to_string(below) + (below == 1 ? " more line: Down" : " more lines: Down");
    draw_text(stage.list, t.font.small,
              ImVec2(stage.to.x - text_width(t.font.small, words), stage.from.y - t.px(26)),
              t.color.faint, words);
  }
}

/// A bound met or missed, told by a sign and a word, not by colour alone; neither where no number
/// stands beside it.
void draw_bound(const Stage& stage, const DeckCounter& counter, bool holds, ImVec2 at) {
  const Theme& t = theme();
  if (!counter.flawed_known)
    return draw_text(stage.list, t.font.body, ImVec2(at.x + t.px(24), at.y), t.color.soft,
                     "not in these runs; wanted " + counter.target);
  const ImU32 ink = holds ? t.color.good : t.color.bad;
  draw_icon(stage.list, holds ? Icon::pass : Icon::fail, ImVec2(at.x + t.px(8), at.y + t.px(10)),
            t.px(14), ink);
  draw_text(stage.list, t.font.body, ImVec2(at.x + t.px(24), at.y), ink,
            (holds ? "wanted " : "should be ") + counter.target);
}

void draw_counter_slide(const Stage& stage, const LabDeck& deck, bool revealed) {
  const Theme& t = theme();
  if (!deck.source.no_counters.empty()) {
    paragraph(stage, t.font.title, t.color.unsure, deck.source.no_counters, stage.from.y);
    return;
  }
  const float rows = static_cast<float>(std::max<std::size_t>(deck.counters.size(), 1));
  const float height = std::min(stage.height() / rows, t.px(190));
  float y = stage.from.y;
  for (const DeckCounter& counter : deck.counters) {
    const float size = std::min(t.font.poster->FontSize, height * 0.4f);
    paragraph(stage, t.font.title, t.color.text, counter.label, y);
    const std::string value = revealed ? counter.flawed : hidden;
    draw_number(stage, value, ImVec2(stage.from.x, y + t.px(24)), t.color.flawed, size,
                stage.width() * 0.6f);
    const float right = stage.from.x + stage.width() * 0.64f;
    draw_bound(stage, counter, counter.flawed_holds && revealed,
               ImVec2(right, y + t.px(24) + size / 2 - t.px(10)));
    if (revealed && !counter.source.empty())
      draw_text(stage.list, t.font.small,
                ImVec2(right + t.px(24), y + t.px(24) + size / 2 + t.px(14)), t.color.faint,
                counter.source);
    paragraph(stage, t.font.body, t.color.soft, counter.why, y + t.px(30) + size);
    y += height;
  }
}

struct Bar {
  std::string label;
  std::optional<Interval> seconds;
  ImU32 color;
};

/// Flawed, the steps of the road, fixed: as far as they were timed.
std::vector<Bar> bars_of(const LabDeck& deck) {
  const Theme& t = theme();
  const bool mine = deck.source.fixed_variant == VariantName::mine;
  std::vector<Bar> bars = {{"Flawed", deck.source.flawed_s, t.color.flawed}};
  for (const DeckStepTime& step : deck.source.steps)
    bars.push_back({step.name, step.seconds, t.color.soft});
  bars.push_back(
      {mine ? "Mine" : "Optimized", deck.source.fixed_s, mine ? t.color.mine : t.color.optimized});
  std::erase_if(bars, [](const Bar& bar) { return !bar.seconds; });
  return bars;
}

/// Returns the y below the bars.
float draw_bars(const Stage& stage, const LabDeck& deck, float y, bool revealed) {
  const Theme& t = theme();
  const std::vector<Bar> bars = bars_of(deck);
  const bool is_ladder = !deck.source.steps.empty();
  const float height = t.px(is_ladder ? 36 : 54);
  double longest = 0;
  float labels = t.px(80);
  for (const Bar& bar : bars) {
    longest = std::max(longest, bar.seconds->high);
    labels = std::max(labels, text_width(t.font.strong, bar.label));
  }
  const float left = stage.from.x + labels + t.px(30), room = stage.to.x - left - t.px(120);
  for (const Bar& bar : bars) {
    draw_text(stage.list, t.font.strong, ImVec2(stage.from.x, y + height / 2 - t.px(10)),
              t.color.text, bar.label);
    const double share = revealed ? bar.seconds->median / longest : 1;
    const float width = std::max(t.px(3), room * static_cast<float>(share));
    stage.list.AddRectFilled(ImVec2(left, y), ImVec2(left + width, y + height),
                             revealed ? bar.color : faded(bar.color, 0.25f), t.px(5));
    draw_text(stage.list, t.font.title, ImVec2(left + width + t.px(12), y + height / 2 - t.px(11)),
              t.color.text, revealed ? typeset(format_seconds(bar.seconds->median)) : hidden);
    y += height + t.px(is_ladder ? 8 : 14);
  }
  return bars.empty() ? y : y + t.px(20);
}

/// Each counter of the flawed and the fixed kernel.
void draw_changes(const Stage& stage, const LabDeck& deck, float y, bool revealed) {
  const Theme& t = theme();
  if (deck.source.fixed.empty()) return;
  for (const DeckCounter& counter : deck.counters) {
    if (!counter.flawed_known && !counter.fixed_known) continue;
    const std::string words = counter.flawed + "  →  " + counter.fixed;
    if (counter.fixed_known)
      draw_icon(stage.list, counter.fixed_holds ? Icon::pass : Icon::fail,
                ImVec2(stage.from.x + t.px(8), y + t.px(11)), t.px(14),
                counter.fixed_holds ? t.color.good : t.color.bad);
    draw_text(stage.list, t.font.title, ImVec2(stage.from.x + t.px(28), y), t.color.soft,
              cut(t.font.title, counter.label, stage.width() * 0.5f));
    draw_text(stage.list, t.font.title, ImVec2(stage.from.x + stage.width() * 0.58f, y),
              t.color.text, revealed ? words : hidden);
    y += t.px(36);
  }
}

void draw_ratio_slide(const Stage& stage, const LabDeck& deck, bool revealed) {
  const Theme& t = theme();
  if (!deck.source.ratio) {
    const float below =
        paragraph(stage, t.font.title, t.color.unsure, deck.source.no_time, stage.from.y);
    return draw_changes(stage, deck, below + t.px(30), revealed);
  }
  const Interval& ratio = *deck.source.ratio;
  const float size = t.font.poster->FontSize;
  const std::string value = revealed ? format_ratio(ratio.median) : hidden;
  draw_number(stage, value, stage.from, t.color.accent, size, stage.width() * 0.5f);
  const float beside =
      stage.from.x + t.font.poster->CalcTextSizeA(size, FLT_MAX, 0, value.c_str()).x + t.px(18);
  draw_text(stage.list, t.font.title, ImVec2(beside, stage.from.y + size * 0.28f), t.color.text,
            deck.fix_name.empty() ? "the flawed kernel's speed"
                                  : "the flawed kernel's speed, with the optimized one");
  if (revealed)
    draw_text(stage.list, t.font.small, ImVec2(beside, stage.from.y + size * 0.28f + t.px(24)),
              t.color.soft,
              "95 % interval " + format_ratio(ratio.low) + " to " + format_ratio(ratio.high));
  const float below = draw_bars(stage, deck, stage.from.y + size + t.px(20), revealed);
  draw_changes(stage, deck, below, revealed);
}

}  // namespace

float present_zoom(float width, float height) {
  const float fit = std::min(width / stage_width, height / stage_height);
  // In steps, so that a window that is being resized does not load fonts for every pixel.
  return std::clamp(std::floor(fit * 8) / 8, 0.75f, 3.5f);
}

void draw_present(const Model& model) {
  const Theme& t = theme();
  const Presentation& shown = *model.presentation;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 from = viewport->Pos;
  const ImVec2 to(from.x + viewport->Size.x, from.y + viewport->Size.y);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const Stage window{list, from, to};
  draw_head(window, shown, model.labs.size());
  draw_foot(window, shown);
  const Stage stage{list, ImVec2(from.x + t.px(margin), from.y + t.px(head)),
                    ImVec2(to.x - t.px(margin), to.y - t.px(foot))};
  list.PushClipRect(from, ImVec2(to.x, to.y - t.px(foot - 20)), true);
  const bool revealed = shown.place.revealed;
  switch (shown.place.slide) {
    case Slide::question:
      draw_question(stage, shown.deck, revealed);
      break;
    case Slide::flaw:
      draw_code_lines(stage, shown.deck.flaw, shown.place.scroll);
      break;
    case Slide::counters:
      draw_counter_slide(stage, shown.deck, revealed);
      break;
    case Slide::fix:
      draw_code_lines(stage, shown.deck.fix, shown.place.scroll);
      break;
    case Slide::ratio:
      draw_ratio_slide(stage, shown.deck, revealed);
      break;
  }
  list.PopClipRect();
}

void take_deck_keys(const Model& model, Commands& commands) {
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, false); };
  if (model.window.help_open) {
    if (pressed(ImGuiKey_F1) || pressed(ImGuiKey_Escape)) commands.push_back(command::ToggleHelp{});
    return;
  }
  const std::pair<ImGuiKey, DeckStep> steps[] = {
      {ImGuiKey_Space, DeckStep::onward},    {ImGuiKey_Enter, DeckStep::onward},
      {ImGuiKey_RightArrow, DeckStep::next}, {ImGuiKey_PageDown, DeckStep::onward},
      {ImGuiKey_LeftArrow, DeckStep::back},  {ImGuiKey_PageUp, DeckStep::back},
      {ImGuiKey_Home, DeckStep::first},      {ImGuiKey_End, DeckStep::last},
      {ImGuiKey_R, DeckStep::reveal},        {ImGuiKey_S, DeckStep::source},
      {ImGuiKey_UpArrow, DeckStep::up},      {ImGuiKey_DownArrow, DeckStep::down}};
  for (const auto& [key, step] : steps)
    if (pressed(key)) commands.push_back(command::StepDeck{step});
  if (const auto lab = lab_number_typed(model.labs)) commands.push_back(command::ShowDeck{*lab});
  if (pressed(ImGuiKey_F1)) commands.push_back(command::ToggleHelp{});
  if (pressed(ImGuiKey_F11)) commands.push_back(command::SetFullScreen{!model.window.full_screen});
  if (pressed(ImGuiKey_P) || pressed(ImGuiKey_Escape)) commands.push_back(command::Present{false});
}

}  // namespace klab::ui
