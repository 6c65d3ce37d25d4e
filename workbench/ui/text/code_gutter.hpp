// CodeGutter: what each source line costs, as bars beside the line numbers.
#pragma once

#include <imgui.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/line_heat.hpp"
#include "core/verdict/variant_name.hpp"
#include "ui/model/model.hpp"

namespace klab::ui {

/// The cost of the lines of one shown file in one unit.
struct HeatColumn {
  std::string unit;  ///< "sectors"; empty: there is none
  Source source = Source::counted;
  bool former = false;  ///< of the check before, while another one runs
  double total = 0, most = 0;
  std::map<int, LineHeat> lines;  ///< by line of the shown text
  VariantName variant;            ///< for the colour
};

/// Units in which costs of `file` are known, the most telling first; empty if nothing is known.
std::vector<std::string> heat_units(const Model& model, const CodeFile& file);
/// The column in the chosen unit.
HeatColumn heat_column(const Model& model, const CodeFile& file);

/// How long the bar of line `number` is, from 0 to 1 for the costliest line, and its share of all
/// in words; nullopt without a cost.
struct HeatBar {
  float length = 0;
  std::string percent;
};
std::optional<HeatBar> heat_bar(const HeatColumn& heat, int number);
/// Width of the bars; 0 without data.
float heat_width(const HeatColumn& heat);
/// The bar of line `number`, whose row begins at `at`. Hovering it tells the number.
void draw_heat(ImDrawList& list, const HeatColumn& heat, int number, ImVec2 at, float height);
/// One sentence on what the bars mean, or how to get them.
std::string heat_words(const Model& model, const HeatColumn& heat);

}  // namespace klab::ui
