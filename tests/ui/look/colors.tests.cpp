// Colours: apart for people with any common colour blindness, and words that stand out.
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "ui/look/theme.hpp"

namespace klab::ui {
namespace {

using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

struct Named {
  std::string name;
  ImU32 color = 0;
};

/// How eyes see linear RGB: complete protanopia, deuteranopia and tritanopia after Machado,
/// Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
/// Deficiency", 2009.
struct Eyes {
  const char* name;
  Matrix see;
};
constexpr Eyes all_eyes[] = {{"common", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
                             {"protanopia",
                              {{{0.152286, 1.052583, -0.204868},
                                {0.114503, 0.786281, 0.099216},
                                {-0.003882, -0.048116, 1.051998}}}},
                             {"deuteranopia",
                              {{{0.367322, 0.860646, -0.227968},
                                {0.280085, 0.672501, 0.047413},
                                {-0.011820, 0.042940, 0.968881}}}},
                             {"tritanopia",
                              {{{1.255528, -0.076749, -0.178779},
                                {-0.078411, 0.930809, 0.147602},
                                {0.004733, 0.691367, 0.303900}}}}};

Vec times(const Matrix& m, const Vec& v) {
  Vec out{};
  for (std::size_t i = 0; i < 3; ++i) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return out;
}

Vec linear_rgb(ImU32 color) {
  const auto channel = [&](int shift) {
    const double c = ((color >> shift) & 0xFF) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT)};
}

/// CIE L*a*b* under D65: equal distances look about equally different.
Vec lab(Vec rgb) {
  for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
  const Vec xyz = times({{{0.4124564, 0.3575761, 0.1804375},
                          {0.2126729, 0.7151522, 0.0721750},
                          {0.0193339, 0.1191920, 0.9503041}}},
                        rgb);
  const auto f = [](double v) {
    return v > 216.0 / 24389 ? std::cbrt(v) : (24389.0 / 27 * v + 16) / 116;
  };
  const double x = f(xyz[0] / 0.95047), y = f(xyz[1]), z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(ImU32 a, ImU32 b, const Eyes& eyes) {
  const Vec p = lab(times(eyes.see, linear_rgb(a))), q = lab(times(eyes.see, linear_rgb(b)));
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

/// Two patches that touch are told apart from a distance of about 2 on, small marks that do not
/// from about 10 on.
constexpr double clearly_apart = 15;
/// WCAG 2, level AA: words of ordinary size, and marks.
constexpr double of_words = 4.5, of_marks = 3;

std::vector<std::vector<Named>> told_apart(const Palette& p) {
  return {{{"flawed", p.flawed}, {"mine", p.mine}, {"optimized", p.optimized}},
          {{"good", p.good}, {"bad", p.bad}, {"unsure", p.unsure}, {"off", p.off}},
          {{"green", p.data_green},
           {"red", p.data_red},
           {"gold", p.data_gold},
           {"purple", p.data_purple},
           {"blue", p.data_blue},
           {"ink", p.data_ink},
           {"off", p.off}}};
}

std::vector<Named> grounds(const Palette& p) {
  return {{"surface", p.surface}, {"canvas", p.canvas}, {"sidebar", p.sidebar}};
}

}  // namespace

TEST_CASE("Colours of one kind are apart for every common colour vision", "[ui][theme]") {
  const auto appearance = GENERATE(Appearance::light, Appearance::dark);
  const Palette palette = palette_of(appearance);
  for (const Eyes& eyes : all_eyes)
    for (const std::vector<Named>& kind : told_apart(palette))
      for (std::size_t i = 0; i < kind.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
          CAPTURE(appearance == Appearance::dark, eyes.name, kind[i].name, kind[j].name);
          CHECK(distance(kind[i].color, kind[j].color, eyes) >= clearly_apart);
        }
}

TEST_CASE("Words stand out from each ground that they are written on", "[ui][theme]") {
  const auto appearance = GENERATE(Appearance::light, Appearance::dark);
  const Palette p = palette_of(appearance);
  const std::vector<Named> words = {{"text", p.text},     {"soft", p.soft}, {"faint", p.faint},
                                    {"accent", p.accent}, {"good", p.good}, {"bad", p.bad},
                                    {"unsure", p.unsure}, {"off", p.off}};
  for (const Named& word : words)
    for (const Named& ground : grounds(p)) {
      CAPTURE(appearance == Appearance::dark, word.name, ground.name);
      CHECK(contrast(word.color, ground.color) >= of_words);
    }
  const std::vector<Named> on_surface = {
      {"flawed", p.flawed},        {"mine", p.mine},          {"optimized", p.optimized},
      {"keyword", p.code_keyword}, {"type", p.code_type},     {"builtin", p.code_builtin},
      {"number", p.code_number},   {"string", p.code_string}, {"comment", p.code_comment}};
  for (const Named& word : on_surface) {
    CAPTURE(appearance == Appearance::dark, word.name);
    CHECK(contrast(word.color, p.surface) >= of_words);
  }
  CHECK(contrast(p.on_accent, p.accent_fill) >= of_words);
  CHECK(contrast(p.accent, p.accent_soft) >= of_words);
  CHECK(contrast(p.good, p.good_soft) >= of_words);
  CHECK(contrast(p.bad, p.bad_soft) >= of_words);
  CHECK(contrast(p.unsure, p.unsure_soft) >= of_words);
  CHECK(contrast(p.off, p.off_soft) >= of_words);
  for (const ImU32 soft : {p.accent_soft, p.good_soft, p.bad_soft, p.unsure_soft, p.off_soft})
    CHECK(contrast(p.soft, soft) >= of_words);
}

TEST_CASE("Marks stand out from the surface, and words on them are read", "[ui][theme]") {
  const auto appearance = GENERATE(Appearance::light, Appearance::dark);
  const Palette p = palette_of(appearance);
  for (const std::vector<Named>& kind : told_apart(p))
    for (const Named& mark : kind) {
      CAPTURE(appearance == Appearance::dark, mark.name);
      CHECK(contrast(mark.color, p.surface) >= of_marks);
      for (const float opacity : {1.0f, 0.85f, 0.7f}) {
        const ImU32 shown = over(faded(mark.color, opacity), p.surface);
        CHECK(contrast(ink_on(shown), shown) >= of_words);
      }
    }
}

TEST_CASE("Contrast is what WCAG says", "[ui][theme]") {
  const ImU32 black = IM_COL32(0, 0, 0, 255), white = IM_COL32(255, 255, 255, 255);
  CHECK(std::abs(contrast(black, white) - 21) < 1e-6);
  CHECK(std::abs(contrast(white, black) - 21) < 1e-6);
  CHECK(std::abs(contrast(IM_COL32(0x76, 0x76, 0x76, 255), white) - 4.54) < 0.01);
  CHECK(ink_on(white) == black);
  CHECK(over(faded(black, 0), white) == white);
}

}  // namespace klab::ui
