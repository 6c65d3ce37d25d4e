// Icons: drawn as strokes, so that they are sharp at every scale and need no font.
#include <cmath>

#include "ui/look/widgets.hpp"

namespace klab::ui {
namespace {

constexpr float pi = 3.14159265f;
using Points = std::initializer_list<ImVec2>;

/// A stroke through points given in units of half the icon's size around its centre.
void stroke(ImDrawList& list, ImVec2 center, float half, ImU32 color, float width, Points points) {
  for (const ImVec2& p : points)
    list.PathLineTo(ImVec2(center.x + p.x * half, center.y + p.y * half));
  list.PathStroke(color, ImDrawFlags_None, width);
}

void draw_spinner(ImDrawList& list, ImVec2 center, float radius, ImU32 color, float width) {
  const float turn = static_cast<float>(std::fmod(ImGui::GetTime() * 5.0, 2 * pi));
  list.PathArcTo(center, radius, 0, 2 * pi, 24);
  list.PathStroke(faded(color, 0.2f), ImDrawFlags_None, width);
  list.PathArcTo(center, radius, turn, turn + 1.6f, 12);
  list.PathStroke(color, ImDrawFlags_None, width);
}

void draw_lock(ImDrawList& list, ImVec2 c, float h, ImU32 color, float width) {
  list.AddRectFilled(ImVec2(c.x - 0.62f * h, c.y - 0.1f * h),
                     ImVec2(c.x + 0.62f * h, c.y + 0.8f * h), color, 0.2f * h);
  list.PathArcTo(ImVec2(c.x, c.y - 0.15f * h), 0.4f * h, -pi, 0, 12);
  list.PathStroke(color, ImDrawFlags_None, width);
}

void draw_copy(ImDrawList& list, ImVec2 c, float h, ImU32 color, float width) {
  list.AddRect(ImVec2(c.x - 0.75f * h, c.y - 0.75f * h), ImVec2(c.x + 0.3f * h, c.y + 0.3f * h),
               faded(color, 0.6f), 0.2f * h, 0, width);
  list.AddRect(ImVec2(c.x - 0.3f * h, c.y - 0.3f * h), ImVec2(c.x + 0.75f * h, c.y + 0.75f * h),
               color, 0.2f * h, 0, width);
}

}  // namespace

void draw_icon(ImDrawList& list, Icon icon, ImVec2 c, float size, ImU32 color) {
  const float h = size / 2;
  const float width = std::max(1.5f, size * 0.11f);
  switch (icon) {
    case Icon::pass:
      stroke(list, c, h, color, width * 1.25f, {{-0.72f, 0.05f}, {-0.2f, 0.58f}, {0.75f, -0.55f}});
      break;
    case Icon::fail:
    case Icon::close:
      stroke(list, c, h, color, width * 1.25f, {{-0.58f, -0.58f}, {0.58f, 0.58f}});
      stroke(list, c, h, color, width * 1.25f, {{0.58f, -0.58f}, {-0.58f, 0.58f}});
      break;
    case Icon::unsure:
      stroke(list, c, h, color, width * 1.25f,
             {{-0.75f, 0.2f},
              {-0.5f, -0.15f},
              {-0.2f, -0.2f},
              {0.2f, 0.2f},
              {0.5f, 0.15f},
              {0.75f, -0.2f}});
      break;
    case Icon::off:
      stroke(list, c, h, color, width * 1.25f, {{-0.6f, 0}, {0.6f, 0}});
      break;
    case Icon::dot:
      list.AddCircleFilled(c, 0.42f * h, color, 16);
      break;
    case Icon::half:
      list.PathArcTo(c, 0.6f * h, 0.5f * pi, 1.5f * pi, 16);
      list.PathFillConvex(color);
      [[fallthrough]];
    case Icon::ring:
      list.AddCircle(c, 0.6f * h, color, 20, width);
      break;
    case Icon::spinner:
      draw_spinner(list, c, 0.75f * h, color, width);
      break;
    case Icon::lock:
      draw_lock(list, c, h, color, width);
      break;
    case Icon::play:
      list.AddTriangleFilled(ImVec2(c.x - 0.45f * h, c.y - 0.65f * h),
                             ImVec2(c.x - 0.45f * h, c.y + 0.65f * h), ImVec2(c.x + 0.7f * h, c.y),
                             color);
      break;
    case Icon::stop:
      list.AddRectFilled(ImVec2(c.x - 0.5f * h, c.y - 0.5f * h),
                         ImVec2(c.x + 0.5f * h, c.y + 0.5f * h), color, 0.15f * h);
      break;
    case Icon::copy:
      draw_copy(list, c, h, color, width);
      break;
    case Icon::help: {
      ImFont* font = theme().font.strong;
      list.AddCircle(c, 0.95f * h, color, 24, width * 0.8f);
      list.AddText(font, size * 0.85f,
                   ImVec2(c.x - font->CalcTextSizeA(size * 0.85f, FLT_MAX, 0, "?").x / 2,
                          c.y - size * 0.43f),
                   color, "?");
      break;
    }
    case Icon::present:
      list.AddRect(ImVec2(c.x - 0.85f * h, c.y - 0.7f * h), ImVec2(c.x + 0.85f * h, c.y + 0.4f * h),
                   color, 0.15f * h, 0, width);
      stroke(list, c, h, color, width, {{-0.4f, 0.85f}, {0.4f, 0.85f}});
      list.AddTriangleFilled(ImVec2(c.x - 0.2f * h, c.y - 0.45f * h),
                             ImVec2(c.x - 0.2f * h, c.y + 0.15f * h),
                             ImVec2(c.x + 0.35f * h, c.y - 0.15f * h), color);
      break;
    case Icon::list:
      for (const float y : {-0.5f, 0.0f, 0.5f})
        stroke(list, c, h, color, width, {{-0.7f, y}, {0.7f, y}});
      break;
  }
}

Icon icon_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return Icon::pass;
    case Outcome::fail:
      return Icon::fail;
    case Outcome::inconclusive:
      return Icon::unsure;
    case Outcome::not_checkable:
      break;
  }
  return Icon::off;
}

void draw_verdict_icon(ImDrawList& list, Outcome verdict, bool provisional, ImVec2 center,
                       float size) {
  if (provisional) return draw_icon(list, Icon::half, center, size, theme().color.good);
  draw_icon(list, icon_of(verdict), center, size, theme().of(verdict));
}

}  // namespace klab::ui
