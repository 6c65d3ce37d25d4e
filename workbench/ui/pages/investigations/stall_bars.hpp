// StallBars: what the warps of each variant wait for, a stacked bar a variant, with a legend.
#pragma once

#include <map>
#include <span>
#include <string>

#include "core/verdict/variant_name.hpp"
#include "ui/look/theme.hpp"

namespace klab::ui {

struct StallBar {
  VariantName variant;
  std::map<std::string, double> shares_pct;  ///< by stall reason, together 100
  std::string detail;                        ///< "48,210 samples"
};

/// Hovering a part tells its share and what the reason means.
void draw_stall_bars(const char* id, std::span<const StallBar> bars);

/// The colour of a stall reason's kind: memory, arithmetic, ...
ImU32 stall_color(const std::string& reason);
/// A rectangle in that colour, with the pattern that tells the reasons of one kind apart.
void fill_stall(ImDrawList& list, ImVec2 from, ImVec2 to, const std::string& reason);
/// "Memory data"; an unknown reason as it is.
std::string stall_label(const std::string& reason);

}  // namespace klab::ui
