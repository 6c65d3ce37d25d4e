// What the kernel file printed while it was checked.
#include <algorithm>

#include "core/base/text.hpp"
#include "core/measure/format.hpp"
#include "ui/look/widgets.hpp"
#include "ui/pages/panels.hpp"
#include "ui/text/code_view.hpp"

namespace klab::ui {

void draw_printed(const CheckResult& result) {
  if (result.printed.text.empty()) return;
  const Theme& t = theme();
  constexpr float most_lines = 12;
  std::string words = escaped(result.printed.text);
  while (!words.empty() && words.back() == '\n') words.pop_back();
  gap(10);
  const Card card("printed");
  text(t.font.strong, t.color.text, "Your kernel printed");
  const auto lines = static_cast<float>(1 + std::count(words.begin(), words.end(), '\n'));
  const float height = std::min(lines, most_lines) * code_line_height() + t.px(12);
  ImGui::BeginChild("printed text", ImVec2(0, height), 0,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NavFlattened);
  code_block(words, false);
  ImGui::EndChild();
  if (result.printed.left_out_bytes > 0)
    text(t.font.small, t.color.faint,
         "and " + format_bytes(static_cast<double>(result.printed.left_out_bytes)) + " more");
}

}  // namespace klab::ui
