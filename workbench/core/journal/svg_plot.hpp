// SvgPlot: small plots as inline SVG, drawn with the classes of the page that holds them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.hpp"

namespace klab {

/// Text safe inside an element or a quoted attribute of XML and HTML: markup is escaped, what XML
/// cannot hold (control characters, bytes that are not UTF-8, U+FFFE and U+FFFF) is dropped or
/// replaced.
std::string escape_markup(std::string_view text);

/// One attempt in the ratio plot.
struct RatioPoint {
  int attempt = 0;
  Interval ratio;
  Outcome verdict = Outcome::fail;
};
/// Ratio over attempts with intervals from zero on; a dashed line is the lab's target. Outcomes
/// differ in shape and class: "pass" a disc, "fail" a cross, "inconclusive" a square. `label` is
/// read to those who cannot see it. Empty without points.
std::string ratio_svg(const std::vector<RatioPoint>& points, std::optional<double> target,
                      std::string_view label);

/// Share right after each prediction as steps in [0, 100 %], with a dashed line where blind guesses
/// would be.
struct SharePoint {
  int known = 0;
  int right = 0;
};
std::string share_svg(const std::vector<SharePoint>& points, std::optional<double> by_guess,
                      std::string_view label);

}  // namespace klab
